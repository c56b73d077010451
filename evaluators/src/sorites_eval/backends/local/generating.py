"""Writing by transformers' own ``generate``, for whoever gives it arguments."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import torch
from transformers import GenerationConfig, PreTrainedModel

from sorites_eval.backends.local.decoding import Written, end_tokens, shown
from sorites_eval.backends.local.tokens import Encoder

__all__ = ["generate", "generation_config", "seeded"]

_TOKENS = (
    "bos_token_id",
    "decoder_start_token_id",
    "eos_token_id",
    "forced_bos_token_id",
    "pad_token_id",
)


def generation_config(
    model: PreTrainedModel, limit: int, args: Mapping[str, object]
) -> GenerationConfig:
    """Greedy but for the arguments: of what a model's files suggest only its tokens are kept."""
    own = model.generation_config
    tokens = {name: getattr(own, name, None) for name in _TOKENS}
    return GenerationConfig(  # type: ignore[no-untyped-call]
        **{k: v for k, v in tokens.items() if v is not None},
        max_new_tokens=limit,
        **{"do_sample": False, "num_beams": 1, **args},
    )


@contextmanager
def seeded(model: PreTrainedModel, seed: str) -> Iterator[Callable[..., torch.Tensor]]:
    """A model's ``generate``, drawing from a seed; afterwards chance is where it was before."""
    forked = [model.device] if model.device.type == "cuda" else []
    write: Callable[..., torch.Tensor] = model.generate  # type: ignore[assignment]
    with torch.inference_mode(), torch.random.fork_rng(forked):
        torch.manual_seed(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7]))
        yield write


def generate(
    model: PreTrainedModel,
    encoder: Encoder,
    prompts: Sequence[Sequence[int]],
    limit: int,
    args: Mapping[str, object],
    seeds: Sequence[str],
) -> list[Written]:
    """Write after prompts of one length. Where tokens are drawn there is one, with its seed."""
    ends = end_tokens(model, encoder)
    config = generation_config(model, limit, args)
    config.eos_token_id = sorted(ends) or None
    if config.pad_token_id is None:
        config.pad_token_id = min(ends, default=0)
    ids = torch.tensor([list(prompt) for prompt in prompts], device=model.device)
    with seeded(model, seeds[0]) as write:
        done = write(ids, attention_mask=torch.ones_like(ids), generation_config=config)
    result: list[Written] = []
    for row in done[:, ids.shape[1] :].tolist():
        end = next((place for place, token in enumerate(row) if token in ends), None)
        new = row[:end]
        result.append(Written(shown(encoder, new), len(new), ended=end is not None))
    return result
