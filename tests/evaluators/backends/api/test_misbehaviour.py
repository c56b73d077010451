"""Everything that goes wrong at an endpoint, over HTTP on loopback."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sorites_eval.backends.api.chat import Api
from sorites_eval.backends.api.endpoint import Endpoint
from sorites_eval.backends.api.form import Asking, ChatFormat
from sorites_eval.backends.api.pacing import Waits
from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.errors import ModelError
from sorites_eval.running.run import Plan, perform, plan
from tests.evaluators.backends.api.loopback import Body, Fault, Provider, Skipping, said, told


def api(
    provider: Provider,
    drawn: Plan,
    clock: Skipping | None = None,
    *,
    said: list[str] | None = None,
    asking: Asking | None = None,
    timeout: float = 30.0,
) -> Api:
    """With the default waits, of which none takes time."""
    endpoint = Endpoint(
        provider.url,
        timeout=timeout,
        tell=(said if said is not None else []).append,
        clock=(clock or Skipping()).clock(),
    )
    form = ChatFormat("small-model", drawn.task, asking or Asking(seed=7))
    return Api(endpoint, form, concurrency=8)


def outcomes(scores: Mapping[str, object]) -> dict[str, int]:
    counts = scores["outcomes"]
    assert isinstance(counts, dict)
    return {outcome: count for outcome, count in counts.items() if count}


def rows(folder: Path) -> list[dict[str, object]]:
    return pq.read_table(folder / "predictions.parquet").to_pylist()


def accuracy(scores: Mapping[str, object]) -> float:
    overall = scores["overall"]
    assert isinstance(overall, dict)
    return float(overall["accuracy"])


def one(provider: Provider, drawn: Plan, answer: Body, asking: Asking | None = None) -> Reply:
    """The reply to one item that is answered with a body."""
    provider.item = lambda body: answer
    ((_, reply),) = api(provider, drawn, asking=asking).answer(drawn.requests()[:1])
    return reply


# Storms


@pytest.mark.parametrize("retry_after", [None, "0", "1"])
def test_three_requests_a_second_at_concurrency_8(
    provider: Provider, many: Plan, tmp_path: Path, retry_after: str | None
) -> None:
    """The server counts and turns away; its second, and every wait of ours, is a thirtieth."""
    provider.rate, provider.retry_after = (3, 1 / 30), retry_after
    if retry_after == "1":
        provider.retry_after = str(1 / 30)
    endpoint = Endpoint(provider.url, waits=Waits().scaled(1 / 30))
    form = ChatFormat("small-model", many.task, Asking())
    result = perform(many, Api(endpoint, form, concurrency=8), tmp_path)
    assert outcomes(result.scores) == {"answered": 120}
    assert accuracy(result.scores) == 1.0
    assert provider.turned_away > 0
    # No storm follows a storm: fewer are turned away than are answered.
    assert provider.turned_away < 120


@pytest.mark.slow
def test_three_requests_a_second_with_every_default(
    provider: Provider, many: Plan, tmp_path: Path
) -> None:
    provider.rate = (3, 1.0)
    form = ChatFormat("small-model", many.task, Asking())
    result = perform(many, Api(Endpoint(provider.url), form, concurrency=8), tmp_path)
    assert outcomes(result.scores) == {"answered": 120}


def test_a_storm_of_refusals_ends_no_run(provider: Provider, drawn: Plan, tmp_path: Path) -> None:
    """More of them than any count of attempts, each asking for no wait; each gets one."""
    provider.faults = [(429, {"Retry-After": "0"}, {})] * 60
    clock = Skipping()
    result = perform(drawn, api(provider, drawn, clock), tmp_path)
    assert accuracy(result.scores) == 1.0
    assert sum(clock.waits) >= 60 / 8 * Waits().shortest


def test_retry_after_is_honoured(provider: Provider, drawn: Plan, tmp_path: Path) -> None:
    provider.faults = [(429, {"Retry-After": "7"}, {}), (503, {}, {})]
    clock = Skipping()
    perform(drawn, api(provider, drawn, clock), tmp_path)
    assert sum(clock.waits) >= 7
    assert len(provider.bodies) == 12


def test_patience_has_an_end(provider: Provider, drawn: Plan) -> None:
    provider.rate = (0, 3600.0)
    with pytest.raises(ModelError) as caught:
        list(api(provider, drawn).answer(drawn.requests()))
    assert str(caught.value) == (
        f"{provider.url}: for 30 minutes every request was turned away; the last: HTTP 429: "
        '{"error": {"message": "Too many."}}. The same command goes on from here.'
    )


def test_no_credit_is_not_waited_for(provider: Provider, drawn: Plan) -> None:
    error = {"error": {"message": "You exceeded your quota.", "code": "insufficient_quota"}}
    provider.faults = [(429, {}, error)]
    clock = Skipping()
    with pytest.raises(ModelError, match="the account has no credit left: HTTP 429"):
        list(api(provider, drawn, clock).answer(drawn.requests()))
    assert clock.waits == []


# Odd answers


ODD: dict[str, Fault] = {
    "an error with a code": (200, {}, {"error": {"message": "overloaded", "code": 503}}),
    "an error in words": (200, {}, {"error": "busy"}),
    "an error about rates": (200, {}, {"error": {"type": "rate_limit_error", "message": "slow"}}),
    "a page": (200, {}, "<html>Gateway</html>"),
    "nothing": (200, {}, ""),
    "a list": (200, {}, []),
    "a bad gateway": (502, {}, "<html>Bad gateway</html>"),
    "too many at once": (529, {}, {"error": {"type": "overloaded_error"}}),
    "a conflict": (409, {}, {}),
}


@pytest.mark.parametrize("kind", ODD)
def test_an_odd_answer_is_asked_again(
    provider: Provider, drawn: Plan, tmp_path: Path, kind: str
) -> None:
    provider.faults = [ODD[kind]] * 3
    result = perform(drawn, api(provider, drawn), tmp_path)
    assert accuracy(result.scores) == 1.0


def test_each_odd_answer_is_shown_once_and_all_are_recorded(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    provider.faults = [ODD["a page"], ODD["an error in words"], ODD["a page"]]
    shown: list[str] = []
    perform(drawn, api(provider, drawn, said=shown), tmp_path)
    assert shown == [
        "HTTP 200 with no JSON object: <html>Gateway</html> (shown once)",
        'HTTP 200 with an error: {"error": "busy"} (shown once)',
    ]
    notes = json.loads((tmp_path / "run.json").read_text())["notes"]
    assert notes["odd_answers"] == (
        "2 × HTTP 200 with no JSON object: <html>Gateway</html>; "
        '1 × HTTP 200 with an error: {"error": "busy"}'
    )


@pytest.mark.parametrize("how", ["stalls", "trickles"])
def test_a_body_that_never_ends_is_given_up(
    provider: Provider, drawn: Plan, tmp_path: Path, how: str
) -> None:
    setattr(provider, how, 2)
    result = perform(drawn, api(provider, drawn, timeout=0.3), tmp_path)
    assert accuracy(result.scores) == 1.0


def test_an_item_that_always_stalls_is_an_error(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    provider.stalls = 3
    ((_, reply), *_) = api(provider, drawn, timeout=0.2).answer(drawn.requests()[:1])
    assert reply.ended is Ended.ERROR
    assert reply.trouble.startswith("no answer after 3 attempts; the last: ")


def test_an_endpoint_that_is_not_there(drawn: Plan, provider: Provider) -> None:
    provider.url = "http://127.0.0.1:9/v1"
    with pytest.raises(ModelError) as caught:
        list(api(provider, drawn).answer(drawn.requests()))
    assert str(caught.value).startswith(f"{provider.url}: no answer after 8 attempts; the last: ")
    assert str(caught.value).endswith("The same command goes on from here.")


NO_PROBABILITIES: list[object] = [
    None,
    {"content": None},
    {"content": []},
    {"content": [None]},
    {"content": [{"token": "True", "top_logprobs": None}]},
    {"content": [{"token": "True", "top_logprobs": [{"token": "True", "logprob": None}]}]},
    {"content": [{"token": "<think>", "top_logprobs": [{"token": "True", "logprob": -1.0}]}]},
    "none",
]


@pytest.mark.parametrize("probabilities", NO_PROBABILITIES)
def test_probabilities_that_are_null(
    provider: Provider, drawn: Plan, probabilities: object
) -> None:
    answer = told("True")
    answer["choices"][0]["logprobs"] = probabilities
    reply = one(provider, drawn, answer, Asking(logprobs=True))
    assert (reply.text, reply.choice) == ("True", None)


@pytest.mark.parametrize(
    ("message", "text", "thought"),
    [
        ({"content": "True"}, "True", ""),
        ({"content": None}, "", ""),
        ({"content": [{"type": "text", "text": "Tr"}, {"type": "text", "text": "ue"}]}, "True", ""),
        ({"content": ["True"]}, "True", ""),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "P1?"}]},
                    {"type": "text", "text": "True"},
                ]
            },
            "True",
            "P1?",
        ),
        ({"content": "True", "reasoning_content": "P1?"}, "True", "P1?"),
        ({"content": "True", "reasoning": "P1?"}, "True", "P1?"),
        ({"content": "True", "reasoning": {"content": "P1?"}}, "True", "P1?"),
        ({"content": "True", "reasoning_details": [{"text": "P1"}, {"text": "?"}]}, "True", "P1?"),
        ({"content": "True", "reasoning_content": None}, "True", ""),
    ],
)
def test_where_a_text_and_a_thought_may_stand(
    provider: Provider, drawn: Plan, message: dict[str, object], text: str, thought: str
) -> None:
    answer: Body = {"choices": [{"message": message, "finish_reason": "stop"}]}
    reply = one(provider, drawn, answer)
    assert (reply.text, reply.thought, reply.ended) == (text, thought, Ended.STOP)


@pytest.mark.parametrize(
    ("answer", "ended"),
    [
        (told("True", "stop"), Ended.STOP),
        (told("True", None), Ended.STOP),
        (told("", "length"), Ended.LENGTH),
        (told("", "MAX_TOKENS"), Ended.LENGTH),
        (told("", "content_filter"), Ended.REFUSED),
        (told("", "SAFETY"), Ended.REFUSED),
        (told(None, "stop", refusal="I will not."), Ended.REFUSED),
        (told([{"type": "refusal", "refusal": "No."}]), Ended.REFUSED),
        (told("", "error"), Ended.ERROR),
        ({"choices": []}, Ended.ERROR),
        ({"id": "x"}, Ended.ERROR),
    ],
)
def test_how_a_reply_ended(provider: Provider, drawn: Plan, answer: Body, ended: Ended) -> None:
    reply = one(provider, drawn, answer)
    assert reply.ended is ended
    assert bool(reply.trouble) == (ended in {Ended.REFUSED, Ended.ERROR})


# Fields and turns


@pytest.mark.parametrize("dialect", ["param", "loc", "words"])
def test_fields_that_an_endpoint_does_not_know(
    provider: Provider, drawn: Plan, tmp_path: Path, dialect: str
) -> None:
    provider.refuses, provider.dialect = {"max_tokens", "temperature", "seed"}, dialect
    provider.knows_system = False
    backend = api(provider, drawn)
    result = perform(drawn, backend, tmp_path)
    assert accuracy(result.scores) == 1.0
    body = provider.bodies[-1]
    assert body.keys() == {"model", "messages", "max_completion_tokens"}
    assert [turn["role"] for turn in body["messages"]] == ["user"]
    assert body["messages"][0]["content"].startswith("Decide whether")
    notes = json.loads((tmp_path / "run.json").read_text())["notes"]
    assert notes["fields"] == "max_completion_tokens, model"
    assert notes["refused_fields"] == "max_tokens, seed, temperature"
    assert notes["system_text"] == "opens the first user turn"


def test_a_field_gives_way_only_where_that_helps(
    provider: Provider, drawn: Plan, tmp_path: Path
) -> None:
    """The first items are too long, in words that name fields; the others keep their fields."""
    long = "max_tokens is too large: the role and seed of this system do not fit"
    first = {q.question for q in drawn.requests()[:2]}
    provider.item = lambda body: (
        (400, {}, {"message": long}) if any(text in str(body) for text in first) else None
    )
    # The text in the body is escaped as Python shows it.
    first = {repr(text)[1:-1] for text in first}
    result = perform(drawn, api(provider, drawn), tmp_path)
    assert outcomes(result.scores) == {"answered": 10, "error": 2}
    assert provider.bodies[0].keys() == {"model", "messages", "max_tokens", "temperature", "seed"}
    assert [turn["role"] for turn in provider.bodies[0]["messages"]] == ["system", "user"]


def test_a_field_that_was_asked_for_does_not_give_way(provider: Provider, drawn: Plan) -> None:
    provider.refuses = {"reasoning_effort"}
    asking = Asking(reasoning_effort="high")
    ((_, reply),) = api(provider, drawn, asking=asking).answer(drawn.requests()[:1])
    assert reply.ended is Ended.ERROR
    assert reply.trouble == "refused with 400: Unsupported parameter: reasoning_effort"


# Items that fail


def every_tenth(provider: Provider, drawn: Plan, fault: Fault) -> None:
    """Answer a tenth of the items with a fault."""
    chosen = {request.question for request in drawn.requests()[::10]}
    provider.item = lambda body: fault if body["messages"][-1]["content"] in chosen else None


FILTERED: Fault = (
    400,
    {},
    {
        "error": {
            "message": "The content policy was triggered.",
            "code": "content_filter",
        }
    },
)
TOO_LONG: Fault = (
    400,
    {},
    {"error": {"message": "The context length is 100 tokens.", "param": "messages"}},
)


def test_a_run_with_a_tenth_refused_finishes_and_says_so(
    provider: Provider, many: Plan, tmp_path: Path
) -> None:
    every_tenth(provider, many, FILTERED)
    result = perform(many, api(provider, many), tmp_path)
    assert outcomes(result.scores) == {"answered": 108, "refused": 12}
    assert accuracy(result.scores) == pytest.approx(0.9)
    warning = (
        "10.0 % of the replies were no answers: 12 refused. They count as wrong: the column "
        "trouble of the predictions says why."
    )
    assert result.scores["warnings"] == [warning]
    assert json.loads((tmp_path / "scores.json").read_text())["warnings"] == [warning]
    row = rows(tmp_path)[0]
    assert (row["outcome"], row["answer"], row["text"]) == ("refused", None, "")
    assert row["trouble"] == "refused with 400: The content policy was triggered."
    # What was refused is refused: the same command asks nothing again.
    asked = len(provider.bodies)
    assert perform(many, api(provider, many), tmp_path).reused == 120
    assert len(provider.bodies) == asked


def test_failed_items_alone_are_asked_again(provider: Provider, many: Plan, tmp_path: Path) -> None:
    every_tenth(provider, many, TOO_LONG)
    result = perform(many, api(provider, many), tmp_path)
    assert outcomes(result.scores) == {"answered": 108, "error": 12}
    assert str(result.scores["warnings"][0]).endswith("the same command asks these items again.")
    provider.item = lambda body: None
    provider.bodies.clear()
    again = perform(many, api(provider, many), tmp_path)
    assert (again.reused, len(provider.bodies)) == (108, 12)
    assert outcomes(again.scores) == {"answered": 120}
    assert again.scores["warnings"] == []
    assert [row["outcome"] for row in rows(tmp_path)] == ["answered"] * 120


def test_max_errors_stops_a_run_that_goes_on_later(
    provider: Provider, many: Plan, tmp_path: Path
) -> None:
    every_tenth(provider, many, TOO_LONG)
    with pytest.raises(ModelError) as caught:
        perform(many, api(provider, many), tmp_path, max_errors=3)
    assert str(caught.value).startswith("4 of ")
    assert "the last: refused with 400: The context length is 100 tokens." in str(caught.value)
    assert "--max-errors N lets more fail" in str(caught.value)
    assert not (tmp_path / "run.json").exists()
    result = perform(many, api(provider, many), tmp_path)
    assert result.reused > 0
    assert outcomes(result.scores) == {"answered": 108, "error": 12}


def test_a_run_in_which_nothing_is_answered_stops_soon(
    provider: Provider, many: Plan, tmp_path: Path
) -> None:
    provider.item = lambda body: TOO_LONG
    with pytest.raises(ModelError, match="5 of 5 requests failed"):
        perform(many, api(provider, many), tmp_path)


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_what_no_item_would_escape_stops_at_once(
    provider: Provider, drawn: Plan, status: int
) -> None:
    provider.faults = [(status, {}, {"error": {"message": "No such model.", "param": "model"}})]
    with pytest.raises(ModelError) as caught:
        list(api(provider, drawn).answer(drawn.requests()))
    assert str(caught.value) == f"{provider.url}: refused with {status}: No such model."
    assert len(provider.bodies) == 0


def test_a_server_error_for_one_item_alone(provider: Provider, drawn: Plan, tmp_path: Path) -> None:
    every_tenth(provider, drawn, (500, {}, "Internal error"))
    result = perform(drawn, api(provider, drawn), tmp_path)
    assert outcomes(result.scores) == {"answered": 10, "error": 2}


# Thoughts


def test_thoughts_are_kept_and_cut_off_replies_told(
    provider: Provider, many: Plan, tmp_path: Path
) -> None:
    questions_ = [request.question for request in many.requests()]

    def answer(body: Body) -> Body:
        number = questions_.index(body["messages"][-1]["content"])
        if number % 4 == 0:
            return told("<think>It may be true, or", "length")
        if number % 4 == 1:
            return told("", "length", reasoning_content="It may be")
        if number % 4 == 2:
            return told(f"<think>True? False?</think>\n\n{said(body)}")
        return told(said(body), reasoning="True? False?")

    provider.item = answer
    result = perform(many, api(provider, many), tmp_path)
    assert outcomes(result.scores) == {"answered": 60, "cut off": 60}
    assert accuracy(result.scores) == 0.5
    assert result.scores["warnings"] == [
        "50.0 % of the replies were no answers: 60 cut off. They count as wrong: give the model "
        "more room with --max-tokens."
    ]
    found = [(r["outcome"], r["thought"], r["text"], r["ended"]) for r in rows(tmp_path)[:4]]
    assert found[0] == ("cut off", "It may be true, or", "", "length")
    assert found[1] == ("cut off", "It may be", "", "length")
    assert found[2][:2] == ("answered", "True? False?")
    assert found[3][:2] == ("answered", "True? False?")
    # Read back from the table, a reply is the same.
    before = (tmp_path / "predictions.parquet").read_bytes()
    assert perform(many, api(provider, many), tmp_path).reused == 120
    assert (tmp_path / "predictions.parquet").read_bytes() == before


def test_an_answer_that_is_complete_was_not_cut_off(
    provider: Provider, small_release: Path, tmp_path: Path
) -> None:
    from sorites_eval.contract.release import open_release

    release = open_release(small_release)
    drawn = plan(release, release.task("premise-selection"), "zero-shot")
    texts = iter(["True, P1, P2. The first", "True, P1, P1", "True, because P", *["False"] * 9])
    provider.item = lambda body: told(next(texts), "length")
    endpoint = Endpoint(provider.url)
    form = ChatFormat("small-model", drawn.task, Asking())
    perform(drawn, Api(endpoint, form, concurrency=1), tmp_path)
    found = [(row["outcome"], row["answer"], row["selection"]) for row in rows(tmp_path)[:3]]
    assert found[0] == ("answered", "True", [1, 2])
    assert found[1] == ("answered", "True", None)
    assert found[2][:2] == ("answered", "True")
