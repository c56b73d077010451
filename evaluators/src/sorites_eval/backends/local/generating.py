"""Writing by transformers' own ``generate``, for whoever gives it arguments."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

import torch
from transformers import GenerationConfig, PreTrainedModel

from sorites_eval.backends.local.decoding import Written, end_tokens, shown
from sorites_eval.backends.local.tokens import Encoder

__all__ = ["generate", "generation_config", "seeded"]


def generation_config(
    model: PreTrainedModel, ends: Collection[int], limit: int, args: Mapping[str, object]
) -> GenerationConfig:
    """Greedy but for the arguments: of what a model's files suggest only its tokens are kept."""
    own = model.generation_config
    pad = own.pad_token_id if own.pad_token_id is not None else min(ends, default=0)
    return GenerationConfig(  # type: ignore[no-untyped-call]
        bos_token_id=own.bos_token_id,
        decoder_start_token_id=own.decoder_start_token_id,
        eos_token_id=sorted(ends) or None,
        pad_token_id=pad,
        max_new_tokens=limit,
        **{"do_sample": False, "num_beams": 1, **args},
    )


@contextmanager
def seeded(
    model: PreTrainedModel, config: GenerationConfig, seed: str
) -> Iterator[Callable[..., torch.Tensor]]:
    """A model's ``generate`` with nothing but a configuration, drawing from a seed.

    The library fills in from the model's own suggestions whatever a configuration leaves open,
    so these are set aside meanwhile. Afterwards they and chance are where they were.
    """
    forked = [model.device] if model.device.type == "cuda" else []
    write: Callable[..., torch.Tensor] = model.generate  # type: ignore[assignment]
    suggested = model.generation_config
    try:
        model.generation_config = config
        with torch.inference_mode(), torch.random.fork_rng(forked):
            torch.manual_seed(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7]))
            yield partial(write, generation_config=config)
    finally:
        model.generation_config = suggested


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
    config = generation_config(model, ends, limit, args)
    ids = torch.tensor([list(prompt) for prompt in prompts], device=model.device)
    with seeded(model, config, seeds[0]) as write:
        done = write(ids, attention_mask=torch.ones_like(ids))
    result: list[Written] = []
    for row in done[:, ids.shape[1] :].tolist():
        end = next((place for place, token in enumerate(row) if token in ends), None)
        new = row[:end]
        result.append(Written(shown(encoder, new), len(new), ended=end is not None))
    return result
