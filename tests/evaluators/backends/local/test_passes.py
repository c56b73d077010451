"""A forward pass on models of every make: spread over devices, or from before all the options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from sorites_eval.backends.local.calls import takes  # noqa: E402
from sorites_eval.backends.local.loading import Loaded  # noqa: E402
from sorites_eval.backends.local.model import Local  # noqa: E402
from sorites_eval.backends.local.passes import forward  # noqa: E402
from sorites_eval.backends.local.prefix import SharedPrefix, can_share  # noqa: E402
from sorites_eval.backends.local.tokens import Encoder  # noqa: E402
from sorites_eval.backends.local.way import CHOOSING  # noqa: E402
from sorites_eval.contract.tasks import Task  # noqa: E402
from sorites_eval.prompts.requests import Request  # noqa: E402

ROWS = [[5, 6, 7, 8, 9], [7, 8], [9, 10, 11]]
LAST = [[4], [1], [2]]


def test_a_model_on_several_devices_gives_the_same(make_model: Callable[..., Loaded]) -> None:
    model = make_model().model
    prefix = SharedPrefix(model, [1, 2, 3])
    together = forward(model, CHOOSING[0], prefix, ROWS, LAST).logits
    model.hf_device_map = {"model": "cpu", "lm_head": "elsewhere"}
    try:
        spread = forward(model, CHOOSING[0], prefix, ROWS, LAST).logits
    finally:
        del model.hf_device_map
    assert torch.allclose(spread, together, atol=1e-5)


@pytest.mark.parametrize(
    "places", [LAST, [[3, 4], [0, 1], [1, 2]], [[0, 1, 2, 3, 4], [0, 1, 1, 1, 1], [1, 2, 2, 2, 2]]]
)
def test_logits_are_those_of_each_row_alone(
    make_model: Callable[..., Loaded], places: list[list[int]]
) -> None:
    model = make_model().model
    found = forward(model, CHOOSING[0], SharedPrefix(model, [1, 2, 3]), ROWS, places).logits
    for row, wanted, logits in zip(ROWS, places, found, strict=True):
        with torch.inference_mode():
            alone = model(torch.tensor([[1, 2, 3, *row]])).logits[0, 3:]
        assert torch.allclose(logits, alone[wanted], atol=1e-4)


@pytest.fixture
def old(make_model: Callable[..., Loaded]) -> Loaded:
    """An architecture without cache and without a choice of logits."""
    loaded = make_model()
    torch.manual_seed(0)
    config = transformers.OpenAIGPTConfig(
        vocab_size=len(loaded.tokenizer), n_positions=1024, n_embd=32, n_layer=2, n_head=2
    )
    model = transformers.OpenAIGPTLMHeadModel(config)
    model.train(False)
    return replace(loaded, model=model)


def test_an_old_architecture_is_scored_without_a_cache(
    old: Loaded, tasks: dict[str, Task], requests: dict[tuple[str, str], list[Request]]
) -> None:
    assert not takes(old.model, "cache")
    assert not can_share(old.model)
    some = requests["entailment", "few-shot"]
    few = [dict(Local(old, tasks["entailment"], batch_size=size).answer(some)) for size in (1, 8)]
    for position in range(len(some)):
        one, eight = (found[position].choice for found in few)
        assert one is not None
        assert eight is not None
        assert one.constrained == eight.constrained
        assert one.margin == pytest.approx(eight.margin, abs=1e-4)


def test_an_old_architecture_writes_by_reading_all_again(
    old: Loaded, tasks: dict[str, Task], requests: dict[tuple[str, str], list[Request]]
) -> None:
    task, some = tasks["premise-selection"], requests["premise-selection", "zero-shot"]
    backend = Local(old, task, batch_size=7)
    encoder = Encoder(old.tokenizer)
    found = dict(backend.answer(some))
    for position, request in enumerate(some[:4]):
        ids = encoder.ids([encoder.opening(request)])[0]
        text = ""
        for step in range(task.answer.max_new_tokens):
            with torch.inference_mode():
                ids.append(int(old.model(torch.tensor([ids])).logits[0, -1].argmax()))
            if ids[-1] == old.tokenizer.eos_token_id:
                break
            text = encoder.decode(ids[-step - 1 :])
        assert found[position].text == text.lstrip().partition("\n\n")[0]
