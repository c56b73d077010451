"""vLLM: what is asked of it, and what is said where it is missing."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.loading import Loaded  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.backends.opening import Options, open_backend  # noqa: E402
from sorites_eval.backends.vllm.engine import (  # noqa: E402
    TOP,
    Opened,
    Vllm,
    naming,
    open_engine,
    ranking,
    writing,
)
from sorites_eval.contract.release import open_release  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.errors import ModelError  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402
from sorites_eval.running.run import plan  # noqa: E402
from tests.evaluators.backends.vllm.greedy_engine import GreedyEngine  # noqa: E402

INSTALLED = importlib.util.find_spec("vllm") is not None
needs_vllm = pytest.mark.skipif(not INSTALLED, reason="vllm is not installed")


def test_a_choice_is_one_greedy_token_without_the_prompts_probabilities() -> None:
    for settings in (ranking(), naming([3, 5])):
        assert settings["temperature"] == 0.0
        assert settings["max_tokens"] == 1
        assert "prompt_logprobs" not in settings
    assert ranking()["logprobs"] == TOP
    assert naming((3, 5))["logprob_token_ids"] == [3, 5]
    assert not {"logprobs", "allowed_token_ids"} & naming([3]).keys()


def test_text_is_greedy_to_the_tasks_limit_and_ends_at_end_tokens_alone() -> None:
    assert writing(12) == {"temperature": 0.0, "max_tokens": 12, "detokenize": False}


@pytest.mark.skipif(INSTALLED, reason="vllm is installed")
def test_where_vllm_is_missing_the_command_says_what_to_do(
    make_model: Callable[..., Loaded], small_release: Path, tmp_path: Path
) -> None:
    release = open_release(small_release)
    planned = plan(release, release.task("entailment"), "zero-shot")
    folder = make_model().source
    with pytest.raises(ModelError) as caught:
        open_backend(f"vllm:{folder}", planned.task, planned.everything, Options(), tmp_path)
    assert str(caught.value) == (
        f"{folder}: vLLM is not installed: pip install 'sorites-eval[vllm]'. It needs Linux and "
        'a GPU; elsewhere leave out "vllm:", and the model runs with transformers.'
    )


def test_what_vllm_is_not_asked_to_open(tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        open_engine("./none", trust_remote_code=False)
    assert str(caught.value) == "./none: no such model folder or GGUF file."
    (tmp_path / "a.gguf").touch()
    with pytest.raises(
        ModelError, match='GGUF files are not run with vLLM here; leave out "vllm:"'
    ):
        open_engine(str(tmp_path / "a.gguf"), trust_remote_code=False)
    with pytest.raises(ModelError) as caught:
        open_engine(str(tmp_path), dtype="float8", trust_remote_code=False)
    assert str(caught.value) == ('unknown dtype "float8": one of auto, float32, bfloat16, float16.')


@needs_vllm
@pytest.mark.slow
@pytest.mark.parametrize("asked", [("relation", "two-shot"), ("premise-selection", "few-shot")])
def test_answers_are_those_of_the_local_backend(
    make_model: Callable[..., Loaded],
    requests: dict[tuple[str, str], list[Request]],
    tasks: dict[str, Task],
    asked: tuple[str, str],
) -> None:
    loaded, task, some = make_model(), tasks[asked[0]], requests[asked]
    opened = open_engine(loaded.source, dtype="float32", trust_remote_code=False)
    backend = Vllm(opened, task)
    assert backend.identity()["vllm"]
    local = dict(Local(loaded, task).answer(some))
    for position, reply in backend.answer(some):
        theirs = local[position]
        assert reply.text == theirs.text
        if theirs.choice is not None:
            assert reply.choice is not None
            assert reply.choice.constrained == theirs.choice.constrained
            assert reply.choice.margin == pytest.approx(theirs.choice.margin, abs=1e-2)


@pytest.mark.parametrize("template", [None, "chatml"])
@pytest.mark.parametrize(
    ("asked", "calls"),
    [
        (("relation", "two-shot"), ["ranking", "naming"]),
        (("premise-selection", "few-shot"), ["writing"]),
    ],
)
def test_an_engine_is_asked_so_that_it_answers_as_the_local_backend(
    make_model: Callable[..., Loaded],
    requests: dict[tuple[str, str], list[Request]],
    tasks: dict[str, Task],
    asked: tuple[str, str],
    calls: list[str],
    template: str | None,
) -> None:
    loaded, task, some = make_model(template=template), tasks[asked[0]], requests[asked]
    engine = GreedyEngine(loaded)
    backend = Vllm(Opened(engine, dict, loaded.tokenizer, {"dtype": "float32"}), task)
    replies = dict(backend.answer(some))
    local = dict(Local(loaded, task).answer(some))
    assert replies.keys() == local.keys() == {*range(len(some))}
    for position, reply in replies.items():
        assert reply.text == local[position].text
        theirs = local[position].choice
        assert (reply.choice is None) == (theirs is None) == ("writing" in calls)
        if reply.choice is not None and theirs is not None:
            assert reply.choice.constrained == theirs.constrained
            assert reply.choice.margin == pytest.approx(theirs.margin, abs=1e-3)
    kinds = {
        "ranking"
        if "logprobs" in setting
        else "naming"
        if "logprob_token_ids" in setting
        else "writing"
        for call in engine.calls
        for setting in call
    }
    assert kinds <= {*calls}
    assert calls[0] in kinds
    assert len(engine.calls[0]) >= len(some)
