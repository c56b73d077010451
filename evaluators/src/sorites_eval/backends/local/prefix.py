"""Compute once what all prompts begin with, and let every batch go on from there."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import torch
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer, DynamicSlidingWindowLayer

from sorites_eval.backends.local.calls import call, takes

__all__ = ["SharedPrefix", "can_share", "is_plain", "longest_row", "window"]


def can_share(model: PreTrainedModel) -> bool:
    """Whether the model's cache is of keys and values alone, which many rows can share."""
    try:
        return takes(model, "cache") and is_plain(DynamicCache(config=model.config))
    except (AttributeError, KeyError, TypeError, ValueError):
        # A configuration of which no such cache can be made.
        return False


def is_plain(cache: Cache) -> bool:
    """Whether a cache is of keys and values alone, row by row."""
    return all(type(layer) in (DynamicLayer, DynamicSlidingWindowLayer) for layer in cache.layers)


def window(model: PreTrainedModel) -> int | None:
    """The fewest tokens that some layer sees, padding among them, or None if all are seen."""
    layers = DynamicCache(config=model.config).layers if can_share(model) else []
    windows = [
        n for layer in layers if isinstance(n := getattr(layer, "sliding_window", None), int)
    ]
    return min(windows, default=None)


class SharedPrefix:
    """The keys and values of some first tokens, for any number of rows.

    ``length`` is in tokens; an empty prefix gives empty caches. ``positions`` tells whether the
    model is told the positions of the tokens.
    """

    def __init__(
        self, model: PreTrainedModel, ids: Sequence[int], *, positions: bool = True
    ) -> None:
        self.length = len(ids)
        self._config = model.config
        self._cache: Cache | None = None
        if ids:
            tokens = torch.tensor([list(ids)], device=model.device)
            cache = DynamicCache(config=model.config)
            places = torch.arange(len(ids), device=model.device)[None]
            call(
                model,
                input_ids=tokens,
                attention_mask=torch.ones_like(tokens),
                **({"position_ids": places} if positions else {}),
                cache=cache,
                use_cache=True,
                logits_to_keep=1,
            )
            self._cache = cache

    def rows(self, count: int) -> Cache:
        """A cache for that many rows: views of the one prefix, which growing it copies."""
        cache = DynamicCache(config=self._config)
        if self._cache is None:
            return cache
        cache.layers = [copy.copy(layer) for layer in self._cache.layers]
        for layer in cache.layers:
            assert isinstance(layer, DynamicLayer)
            if layer.keys is not None and layer.values is not None:
                layer.keys = layer.keys.expand(count, -1, -1, -1)
                layer.values = layer.values.expand(count, -1, -1, -1)
        return cache


def longest_row(model: PreTrainedModel) -> int | None:
    """The most tokens that a model takes in a row, or None if it states no limit."""
    config = model.config.get_text_config()
    names = ("max_position_embeddings", "n_positions", "max_seq_len", "max_sequence_length")
    told = [n for name in names if isinstance(n := getattr(config, name, None), int)]
    rope = getattr(config, "rope_parameters", None) or {}
    if told and rope.get("rope_type") == "dynamic":
        # There the number is the length before scaling.
        return int(told[0] * float(rope.get("factor", 1.0)))
    return told[0] if told else None
