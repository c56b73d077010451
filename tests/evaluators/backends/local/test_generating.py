"""The configuration under which transformers writes: which of a model's tokens it keeps."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from sorites_eval.backends.local.generating import generation_config, seeded  # noqa: E402


def model(**own: object) -> object:
    """As much of a model as its suggestions."""
    return SimpleNamespace(generation_config=transformers.GenerationConfig(**own))


@pytest.mark.parametrize(
    ("own", "ends", "pad"),
    [(0, {7, 5}, 0), (3, {7, 5}, 3), (None, {7, 5}, 5), (3, set(), 3), (None, set(), 0)],
)
def test_padding_is_the_models_own_or_else_an_end(
    own: int | None, ends: set[int], pad: int
) -> None:
    config = generation_config(model(pad_token_id=own), ends, 9, {})
    assert config.pad_token_id == pad
    assert config.eos_token_id == (sorted(ends) or None)


def test_of_what_a_model_suggests_only_its_tokens_are_kept() -> None:
    suggested = {"bos_token_id": 1, "decoder_start_token_id": 2, "eos_token_id": 4}
    config = generation_config(
        model(**suggested, do_sample=True, temperature=0.3, num_beams=4, max_new_tokens=99),
        {6},
        9,
        {},
    )
    assert (config.bos_token_id, config.decoder_start_token_id) == (1, 2)
    assert config.eos_token_id == [6]
    assert (config.do_sample, config.num_beams, config.max_new_tokens) == (False, 1, 9)
    assert config.temperature is None


def test_arguments_come_before_what_is_greedy() -> None:
    config = generation_config(model(), {6}, 9, {"do_sample": True, "num_beams": 3, "top_k": 2})
    assert (config.do_sample, config.num_beams, config.top_k) == (True, 3, 2)


def test_a_models_suggestions_and_chance_are_put_back_even_after_a_fault() -> None:
    suggested = transformers.GenerationConfig(temperature=0.3)
    config = transformers.GenerationConfig(max_new_tokens=3)
    drawn: list[float] = []

    def write(**given: object) -> None:
        assert given == {"generation_config": config}
        assert one.generation_config is config
        drawn.append(float(torch.rand(())))
        raise KeyError

    def ask(seed: str) -> None:
        with seeded(one, config, seed) as writing:
            writing()

    one = SimpleNamespace(generation_config=suggested, device=torch.device("cpu"), generate=write)
    before = torch.random.get_rng_state()
    for seed in ("a", "a", "b"):
        with pytest.raises(KeyError):
            ask(seed)
        assert one.generation_config is suggested
        assert torch.equal(torch.random.get_rng_state(), before)
    assert drawn[0] == drawn[1] != drawn[2]
