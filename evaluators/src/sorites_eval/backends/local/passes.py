"""One forward pass over rows of unequal length, with logits only where they are read.

Rows are padded on the right: a causal model never sees what comes after, so with explicit
positions and mask neither the padding nor the neighbours of a row can change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from transformers import PreTrainedModel
from transformers.cache_utils import Cache

from sorites_eval.backends.local.prefix import SharedPrefix, takes

__all__ = ["Pass", "forward"]


@dataclass(frozen=True, slots=True)
class Pass:
    """What a pass leaves: logits, shape [rows, places, vocabulary] in float32, and what is
    needed to go on from it: the cache, the mask, shape [rows, tokens so far].
    """

    logits: torch.Tensor
    cache: Cache | None
    mask: torch.Tensor


def forward(
    model: PreTrainedModel,
    prefix: SharedPrefix,
    rows: Sequence[Sequence[int]],
    places: Sequence[Sequence[int]],
    *,
    keep_cache: bool = False,
) -> Pass:
    """Run rows of ids after a prefix; ``places`` are positions in each row, equally many."""
    device = model.device
    longest = max(len(row) for row in rows)
    ids = torch.zeros((len(rows), longest), dtype=torch.long)
    mask = torch.zeros((len(rows), prefix.length + longest), dtype=torch.long)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
        mask[number, : prefix.length + len(row)] = 1
    mask = mask.to(device)
    positions = torch.arange(prefix.length, prefix.length + longest, device=device)
    wanted = torch.tensor([list(row) for row in places])
    cache = prefix.rows(len(rows)) if prefix.length or keep_cache else None
    caching = {"cache": cache, "use_cache": True} if cache is not None else {"use_cache": False}
    kept = _keeping(model, wanted, longest)
    with torch.inference_mode():
        output = model(
            input_ids=ids.to(device),
            attention_mask=mask,
            position_ids=positions[None].expand(len(rows), -1),
            **caching,
            **kept,
        )
    logits = output.logits
    if not isinstance(kept.get("logits_to_keep"), torch.Tensor):
        logits = _at(logits, wanted - (longest - logits.shape[1]))
    return Pass(logits.float(), cache if keep_cache else None, mask)


def _keeping(
    model: PreTrainedModel, wanted: torch.Tensor, longest: int
) -> dict[str, torch.Tensor | int]:
    """Ask for logits at the wanted places, or for as many last ones as hold them all.

    A model that lies on several devices would look for the places on the wrong one.
    """
    if not takes(model, "logits_to_keep"):
        return {}
    if len(set(getattr(model, "hf_device_map", {}).values())) > 1:
        return {"logits_to_keep": longest - int(wanted.min())}
    return {"logits_to_keep": wanted.to(model.device)}


def _at(logits: torch.Tensor, places: torch.Tensor) -> torch.Tensor:
    index = places.to(logits.device)[..., None]
    return logits.gather(1, index.expand(-1, -1, logits.shape[-1]))
