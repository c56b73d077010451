"""Greedy decoding of many prompts at once, each stopped as soon as it is done."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from transformers import PreTrainedModel

from sorites_eval.backends.local.passes import forward
from sorites_eval.backends.local.prefix import SharedPrefix, takes
from sorites_eval.backends.local.tokens import Encoder
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import STOP

__all__ = ["decode", "end_tokens"]


def end_tokens(model: PreTrainedModel, encoder: Encoder) -> frozenset[int]:
    """The ids that end an answer: the model's and the tokenizer's."""
    config = getattr(model.generation_config, "eos_token_id", None)
    found = {config} if isinstance(config, int) else set(config or ())
    if encoder.tokenizer.eos_token_id is not None:
        found.add(int(encoder.tokenizer.eos_token_id))
    return frozenset(found)


def decode(
    model: PreTrainedModel,
    encoder: Encoder,
    prefix: SharedPrefix,
    prompts: Sequence[Sequence[int]],
    limit: int,
) -> list[str]:
    """The most probable next tokens of each prompt, one by one, as text.

    A row ends at an end token, at a blank line where the prompt is plain text, or after
    ``limit`` tokens. Rows that have ended leave the batch.
    """
    if not takes(model, "cache"):
        raise ModelError(
            "this architecture keeps no cache of what it read, so it cannot write here."
        )
    ends = end_tokens(model, encoder)
    suffixes = [list(prompt[prefix.length :]) for prompt in prompts]
    start = forward(model, prefix, suffixes, [[len(row) - 1] for row in suffixes], keep_cache=True)
    cache, mask = start.cache, start.mask
    assert cache is not None
    device = model.device
    written: list[list[int]] = [[] for _ in prompts]
    alive = list(range(len(prompts)))
    places = torch.tensor([prefix.length + len(row) for row in suffixes], device=device)
    logits = start.logits[:, 0]
    for step in range(limit):
        tokens = logits.argmax(-1)
        going: list[int] = []
        for row, token in enumerate(tokens.tolist()):
            number = alive[row]
            if token in ends:
                continue
            written[number].append(token)
            if encoder.chat or not _stopped(encoder, written[number]):
                going.append(row)
        if not going or step + 1 == limit:
            break
        if len(going) < len(alive):
            kept = torch.tensor(going)
            cache.batch_select_indices(kept)
            on = kept.to(device)
            mask, places, tokens = mask[on], places[on], tokens[on]
            alive = [alive[row] for row in going]
        mask = torch.cat([mask, mask.new_ones((len(alive), 1))], dim=1)
        with torch.inference_mode():
            output = model(
                input_ids=tokens[:, None],
                attention_mask=mask,
                position_ids=places[:, None],
                cache=cache,
                use_cache=True,
            )
        logits = output.logits[:, -1].float()
        places = places + 1
    texts = [encoder.decode(ids) for ids in written]
    return texts if encoder.chat else [text.lstrip().partition(STOP)[0] for text in texts]


def _stopped(encoder: Encoder, ids: Sequence[int]) -> bool:
    return STOP in encoder.decode(ids).lstrip()
