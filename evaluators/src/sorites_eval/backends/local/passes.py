"""One forward pass over rows of unequal length, with logits only where they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from transformers import PreTrainedModel
from transformers.cache_utils import Cache

from sorites_eval.backends.local.calls import call, takes
from sorites_eval.backends.local.prefix import SharedPrefix
from sorites_eval.backends.local.scaling import settle
from sorites_eval.backends.local.way import Way

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
    way: Way,
    prefix: SharedPrefix,
    rows: Sequence[Sequence[int]],
    places: Sequence[Sequence[int]],
) -> Pass:
    """Run rows of ids after a prefix; ``places`` are positions in each row, equally many.

    Where rows are padded on the right, a causal model never sees what comes after: the padding
    cannot change what is read before it.
    """
    device = model.device
    longest = max(len(row) for row in rows)
    ids = torch.zeros((len(rows), longest), dtype=torch.long)
    mask = torch.zeros((len(rows), prefix.length + longest), dtype=torch.long)
    wanted = torch.tensor([list(row) for row in places])
    for number, row in enumerate(rows):
        start = longest - len(row) if way.padding == "left" else 0
        ids[number, start : start + len(row)] = torch.tensor(row)
        mask[number, start : prefix.length + start + len(row)] = 1
        wanted[number] += start
    if way.padding == "left":
        positions = (mask.cumsum(-1) - 1).clamp(min=0)
    else:
        positions = torch.arange(prefix.length, prefix.length + longest)[None].expand(len(rows), -1)
    caches = way.caches or prefix.length > 0
    cache = prefix.rows(len(rows)) if caches else None
    caching = {"cache": cache, "use_cache": True} if caches else {"use_cache": False}
    kept = _keeping(model, wanted, longest)
    mask = mask.to(device)
    settle(model)
    logits = call(
        model,
        input_ids=ids.to(device),
        attention_mask=mask,
        **({"position_ids": positions.to(device)} if way.positions else {}),
        **caching,
        **kept,
    )
    if not isinstance(kept.get("logits_to_keep"), torch.Tensor):
        logits = _at(logits, wanted - (longest - logits.shape[1]))
    return Pass(logits, cache, mask)


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
