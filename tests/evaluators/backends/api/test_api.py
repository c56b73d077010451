"""Models behind an endpoint that behaves: requests, keys, batches, and what they cost."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sorites_eval.backends.api.batch import Batch
from sorites_eval.backends.api.chat import Api
from sorites_eval.backends.api.endpoint import Endpoint
from sorites_eval.backends.api.estimate import estimate, tokens
from sorites_eval.backends.api.form import Asking, ChatFormat
from sorites_eval.backends.api.refusal import waiting_time
from sorites_eval.backends.api.spending import Price, Spending
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import ModelError, RunError
from sorites_eval.prompts.requests import ask, prepare
from sorites_eval.running.run import Plan, perform, plan
from tests.evaluators.backends.api.loopback import KEY, Provider, told


def api(
    provider: Provider,
    task: Task,
    asking: Asking = Asking(seed=7),  # noqa: B008
    spending: Spending | None = None,
) -> Api:
    form = ChatFormat("small-model", task, asking)
    return Api(Endpoint(provider.url), form, concurrency=4, spending=spending)


def test_a_run_over_http(provider: Provider, drawn: Plan, tmp_path: Path) -> None:
    result = perform(drawn, api(provider, drawn.task), tmp_path)
    overall = result.scores["overall"]
    assert isinstance(overall, dict)
    assert overall["accuracy"] == 1.0
    assert result.scores["outcomes"]["answered"] == 12
    assert len(provider.bodies) == 12
    body = provider.bodies[0]
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0, 7, 8)
    assert [m["role"] for m in body["messages"]] == ["system", "user"]
    about = json.loads((tmp_path / "run.json").read_text())
    assert about["model"]["endpoint"] == provider.url
    assert about["notes"]["fingerprints"] == "fp_1"
    assert (about["notes"]["tokens_read"], about["notes"]["tokens_written"]) == (1200, 24)


def test_the_key_is_sent_and_written_nowhere(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    perform(drawn, api(provider, drawn.task), tmp_path)
    assert provider.keys == {f"Bearer {KEY}"}
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes()


def test_several_requests_travel_at_once(provider: Provider, drawn: Plan) -> None:
    """After the first, the server answers four at a time, and only when all four are there."""
    provider.gate = threading.Barrier(4)
    requests = drawn.requests()[:9]
    replies = dict(api(provider, drawn.task).answer(requests))
    assert sorted(replies) == list(range(9))
    assert provider.most_at_once == 4


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "Thu, 01 Jan 1970 00:01:40 GMT"}, 90),
        ({"retry-after": "Thu, 01 Jan 1970 00:00:01 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms"}, 0.12),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"}, 360),
        ({"x-ratelimit-remaining-tokens": "10", "x-ratelimit-reset-tokens": "6m0s"}, None),
        ({}, None),
    ],
)
def test_what_headers_ask_for(headers: dict[str, str], seconds: float | None) -> None:
    assert waiting_time(headers, now=10) == seconds


def test_a_key_never_travels_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(ModelError) as caught:
        Endpoint("http://models.example/v1")
    assert KEY not in str(caught.value)
    monkeypatch.delenv("OPENAI_API_KEY")
    assert Endpoint("http://models.example/v1").url == "http://models.example/v1"
    with pytest.raises(ModelError, match="set OPENAI_API_KEY in the environment"):
        Endpoint(None)


def test_probabilities_where_they_are_offered(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    asking = Asking(seed=7, logprobs=True)
    result = perform(drawn, api(provider, drawn.task, asking), tmp_path)
    constrained = result.scores["constrained"]
    assert isinstance(constrained, dict)
    assert constrained["overall"]["accuracy"] == 1.0
    ((_, reply),) = api(provider, drawn.task, asking).answer(drawn.requests()[:1])
    assert reply.choice is not None
    assert reply.choice.margin == pytest.approx(3.0)
    assert reply.choice.lead == pytest.approx(1.8)
    assert reply.choice.mass == pytest.approx(0.8187 + 0.0408, abs=1e-3)


def test_fields_may_be_dropped_and_added(provider: Provider, drawn: Plan, tmp_path: Path) -> None:
    asking = Asking(
        seed=7,
        reasoning_effort="low",
        drop=("seed",),
        add={"chat_template_kwargs": {"enable_thinking": False}, "temperature": 1},
    )
    backend = api(provider, drawn.task, asking)
    perform(drawn, backend, tmp_path)
    body = provider.bodies[0]
    assert "seed" not in body
    assert (body["temperature"], body["reasoning_effort"]) == (1, "low")
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    identity = json.loads((tmp_path / "run.json").read_text())["model"]
    assert identity["dropped_fields"] == "seed"
    assert identity["added_fields"] == (
        "chat_template_kwargs={'enable_thinking': False}, temperature=1"
    )
    assert identity["reasoning_effort"] == "low"
    with pytest.raises(ModelError) as caught:
        api(provider, drawn.task, Asking(drop=("messages",)))
    assert str(caught.value) == (
        "the field messages of a request can be neither dropped nor added."
    )


def test_a_system_prompt_stands_before_the_instructions(
    provider: Provider, small_release: Path, tmp_path: Path
) -> None:
    release = open_release(small_release)
    task = release.task("entailment")
    drawn = plan(release, task, "zero-shot", system_prompt="Think {{ little }}.", max_tokens=500)
    perform(drawn, api(provider, drawn.task), tmp_path)
    system = provider.bodies[0]["messages"][0]["content"]
    assert system.startswith("Think {{ little }}.\n\nDecide whether")
    assert provider.bodies[0]["max_tokens"] == 500
    identity = json.loads((tmp_path / "run.json").read_text())["model"]
    assert identity["system_prompt"] == "Think {{ little }}."
    assert identity["answers"] == "text of at most 500 tokens"
    with pytest.raises(RunError, match="another model"):
        perform(plan(release, task, "zero-shot"), api(provider, task), tmp_path)


def batch(provider: Provider, task: Task, folder: Path, sleep: Callable[[float], None]) -> Batch:
    form = ChatFormat("small-model", task, Asking(seed=7))
    return Batch(Endpoint(provider.url), form, folder, sleep=sleep)


def test_a_batch_is_submitted_waited_for_and_collected(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    waits: list[float] = []
    result = perform(drawn, batch(provider, drawn.task, tmp_path, waits.append), tmp_path)
    overall = result.scores["overall"]
    assert isinstance(overall, dict)
    assert overall["accuracy"] == 1.0
    assert waits == [30.0, 30.0]
    assert not (tmp_path / "batch.json").exists()


def test_an_interrupted_wait_finds_its_batch_again(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perform(drawn, batch(provider, drawn.task, tmp_path, interrupt), tmp_path)
    perform(drawn, batch(provider, drawn.task, tmp_path, lambda _: None), tmp_path)
    assert len(provider.batches) == 1
    assert len(provider.bodies) == 12


def test_what_a_batch_loses_is_submitted_again(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    provider.loses = {3, 5}
    with pytest.raises(ModelError) as caught:
        perform(drawn, batch(provider, drawn.task, tmp_path, lambda _: None), tmp_path)
    assert str(caught.value).startswith(
        f"{provider.url}: 2 requests of the batch were not answered; the last reason: "
    )
    result = perform(drawn, batch(provider, drawn.task, tmp_path, lambda _: None), tmp_path)
    assert result.reused == 10
    second = provider.files[str(provider.batches["batch_1"]["input_file_id"])]
    assert len(second.splitlines()) == 2


def test_what_a_batch_refuses_is_refused(provider: Provider, drawn: Plan, tmp_path: Path) -> None:
    error = {"error": {"message": "blocked by content filter", "code": "content_filter"}}
    provider.item = lambda body: (400, {}, error) if "heron" in str(body) else None
    result = perform(drawn, batch(provider, drawn.task, tmp_path, lambda _: None), tmp_path)
    outcomes = result.scores["outcomes"]
    assert isinstance(outcomes, dict)
    assert outcomes["refused"] > 0
    assert outcomes["refused"] + outcomes["answered"] == 12


def test_the_cost_of_a_release(small_release: Path) -> None:
    release = open_release(small_release)
    task = release.task("entailment")
    requests = list(ask(release, task, "few-shot", prepare(release, task)))
    text = estimate(requests, 8, 1000.0, 5000.0)
    read = sum(map(tokens, requests))
    assert text.startswith(f"12 requests, about {read:,} tokens to read, at most 96 written: ")
    assert f"about ${(read * 1000 + 96 * 5000) / 1e6:,.2f} at most" in text
    characters = sum(len(m.content) for request in requests for m in request.messages)
    assert read == pytest.approx(characters / 4 + 4 * 10 * 12, rel=0.02)


def test_a_run_stops_at_its_budget_and_goes_on_with_another(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    """A reply costs $0.102; the most that one could cost is set aside before it is asked."""
    provider.item = lambda body: {**told("True"), "usage": USAGE}
    price = Price(1000.0, 1000.0)

    def backend(budget: float | None) -> Api:
        spending = Spending(price, budget, limit=drawn.task.answer.max_new_tokens)
        return api(provider, drawn.task, spending=spending)

    with pytest.raises(RunError) as caught:
        perform(drawn, backend(0.65), tmp_path)
    answered = len(provider.bodies)
    assert 2 <= answered <= 6
    assert str(caught.value) == (
        f"the budget of $0.65 does not cover another request: ${0.102 * answered:,.4f} are spent, "
        f"{12 - answered} requests are left. What was answered is kept: the same command goes on "
        "with a new budget."
    )
    assert (tmp_path / "answers.jsonl").read_text().count("\n") == answered
    result = perform(drawn, backend(None), tmp_path)
    assert (result.reused, len(provider.bodies)) == (answered, 12)
    with pytest.raises(RunError, match="a budget needs prices"):
        Spending(None, 1.0)


USAGE = {"prompt_tokens": 100, "completion_tokens": 2}
