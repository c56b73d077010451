"""Providers through any-llm: what its errors mean, and a real client against loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sorites_eval.backends.api.attempts import STALL, Again, Limited
from sorites_eval.backends.api.refusal import Refused
from sorites_eval.backends.providers import Provider, raised
from sorites_eval.errors import ModelError
from tests.evaluators.backends.api.loopback import KEY, serving, told
from tests.evaluators.backends.api.loopback import Provider as Loopback


def error(kind: str, message: str = "It says why.", **told: object) -> Exception:
    """An error as the library raises it: told by its name and its fields."""
    made = type(kind, (Exception,), {})(message)
    for name, value in {"message": message, **told}.items():
        setattr(made, name, value)
    return made


@pytest.mark.parametrize(
    ("found", "status", "is_filter"),
    [
        (error("ContentFilterError", status_code=400), 400, True),
        (error("AuthenticationError", status_code=403), 403, False),
        (error("MissingApiKeyError"), 401, False),
        (error("InsufficientFundsError"), 402, False),
        (error("ModelNotFoundError"), 404, False),
        (error("ContextLengthExceededError", status_code=400), 400, False),
        (error("InvalidRequestError", status_code=422), 422, False),
        (error("ProviderError", status_code=413), 413, False),
    ],
)
def test_what_is_refused(found: Exception, status: int, is_filter: bool) -> None:
    meant = raised(found)
    assert isinstance(meant, Refused)
    assert (meant.status, meant.is_filter) == (status, is_filter)


def test_a_field_that_a_provider_does_not_know() -> None:
    meant = raised(error("UnsupportedParameterError", parameter_name="seed"))
    assert isinstance(meant, Refused)
    assert (meant.status, meant.param) == (400, "seed")


def test_what_is_asked_again() -> None:
    limited = raised(error("RateLimitError", retry_after="7"))
    assert isinstance(limited, Limited)
    assert (limited.wait, limited.spent) == (7.0, False)
    spent = raised(error("RateLimitError", "insufficient_quota: pay first"))
    assert isinstance(spent, Limited)
    assert spent.spent
    for kind in ("ProviderError", "UpstreamProviderError", "ValueError"):
        assert isinstance(raised(error(kind, status_code=502)), Again)
    stalled = raised(error("ProviderError", "Request timed out."))
    assert isinstance(stalled, Again)
    assert (stalled.cost, stalled.reachable) == (STALL, True)
    away = raised(error("ProviderError", "Connection error."))
    assert isinstance(away, Again)
    assert not away.reachable


@pytest.mark.parametrize("model", ["claude", ":model", "anthropic:", ""])
def test_a_name_without_a_provider(model: str) -> None:
    with pytest.raises(ModelError) as caught:
        Provider(model)
    assert str(caught.value) == (
        f"any-llm:{model}: name a provider and a model, as in any-llm:anthropic:MODEL or "
        "any-llm:gemini:MODEL."
    )


def test_without_the_library_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "any_llm", None)
    with pytest.raises(ModelError) as caught:
        Provider("anthropic:model")
    assert str(caught.value) == (
        "any-llm:anthropic: to ask providers in their own protocols, any_llm is needed: pip "
        "install 'sorites-eval[providers]'."
    )


def test_an_unknown_provider_gets_the_nearest() -> None:
    pytest.importorskip("any_llm")
    with pytest.raises(ModelError, match=r'no provider "antropic"\. Did you mean "anthropic"'):
        Provider("antropic:model")


def _python() -> str:
    """A Python with any-llm: this one, or the one that the environment names."""
    if chosen := os.environ.get("SORITES_ANY_LLM"):
        return chosen
    pytest.importorskip("any_llm", reason="no any-llm here, and SORITES_ANY_LLM names no Python")
    return sys.executable


def run(release: Path, out: Path, root: Path, *options: str, **keys: str) -> dict[str, object]:
    """The scores, and under "about" the record, of a whole command over the library."""
    command = [_python(), "-m", "sorites_eval", "run", release, "--task", "entailment"]
    done = subprocess.run(
        [*map(str, command), "--out", str(out), *options],
        capture_output=True,
        text=True,
        env={**os.environ, **keys, "PYTHONPATH": str(root / "evaluators" / "src")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (record,) = out.glob("*/entailment/zero-shot/run.json")
    assert KEY not in record.read_text()
    scores: dict[str, object] = json.loads((record.parent / "scores.json").read_text())
    return scores | {"about": json.loads(record.read_text())}


def test_a_run_through_the_library(small_release: Path, tmp_path: Path, root: Path) -> None:
    """Its OpenAI client against loopback: limits, a field unknown, items too long."""
    provider = Loopback(refuses={"seed"})
    provider.faults = [(429, {"Retry-After": "0"}, {}), (500, {}, {})]
    long = {"error": {"message": "context length exceeded", "code": "context_length_exceeded"}}
    provider.item = lambda body: (
        (400, {}, long) if "otter" in str(body["messages"][-1]) else told("False", reasoning="So?")
    )
    with serving(provider):
        options = ("--model", "any-llm:openai:small", "--base-url", provider.url)
        found = run(small_release, tmp_path, root, *options, OPENAI_API_KEY=KEY)
    assert (found["outcomes"]["error"], found["outcomes"]["answered"]) == (4, 8)
    about = found["about"]
    assert about["model"]["backend"] == "any-llm"
    assert about["model"]["endpoint"] == f"openai at {provider.url}"
    assert about["notes"]["refused_fields"] == "seed"


def test_a_run_in_the_protocol_of_anthropic(
    small_release: Path, tmp_path: Path, root: Path
) -> None:
    """Thoughts, ends and tokens arrive from a protocol that is not OpenAI's."""

    def item(body: dict[str, object]) -> dict[str, object]:
        thought = {"type": "thinking", "thinking": "So?", "signature": "s"}
        said = "" if "otter" in str(body["messages"]) else "True"
        return {
            **{"id": "m", "type": "message", "role": "assistant", "model": "c"},
            "content": [thought, {"type": "text", "text": said}],
            "stop_reason": "end_turn" if said else "max_tokens",
            "stop_sequence": None,
            "usage": {"input_tokens": 50, "output_tokens": 7},
        }

    with serving(Loopback(item=item)) as provider:
        options = ("--model", "any-llm:anthropic:c", "--base-url", provider.url.removesuffix("/v1"))
        found = run(small_release, tmp_path, root, *options, ANTHROPIC_API_KEY=KEY)
    assert (found["outcomes"]["cut off"], found["outcomes"]["answered"]) == (4, 8)
    notes = found["about"]["notes"]
    assert (notes["tokens_read"], notes["tokens_written"]) == (600, 84)
    (table,) = tmp_path.rglob("predictions.parquet")
    assert set(pq.read_table(table)["thought"].to_pylist()) == {"So?"}
