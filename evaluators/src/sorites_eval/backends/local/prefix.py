"""Compute once what all prompts begin with, and let every batch go on from there."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Sequence

import torch
from transformers import DynamicCache, PreTrainedModel
from transformers.cache_utils import Cache, DynamicLayer, DynamicSlidingWindowLayer

__all__ = ["SharedPrefix", "can_share", "is_sliding", "takes"]


def takes(model: PreTrainedModel, name: str) -> bool:
    """Whether a model's forward pass knows an argument; old architectures lack some."""
    return name in inspect.signature(model.forward).parameters


def can_share(model: PreTrainedModel) -> bool:
    """Whether the model's cache is of keys and values alone, which many rows can share."""
    if not takes(model, "cache"):
        return False
    layers = DynamicCache(config=model.config).layers
    return all(type(layer) in (DynamicLayer, DynamicSlidingWindowLayer) for layer in layers)


def is_sliding(model: PreTrainedModel) -> bool:
    """Whether some layer sees only a window, so that padding inside a row would narrow it."""
    return any(DynamicCache(config=model.config).is_sliding)


class SharedPrefix:
    """The keys and values of some first tokens, for any number of rows.

    ``length`` is in tokens; an empty prefix gives empty caches.
    """

    def __init__(self, model: PreTrainedModel, ids: Sequence[int]) -> None:
        self.length = len(ids)
        self._config = model.config
        self._cache: Cache | None = None
        if ids:
            tokens = torch.tensor([list(ids)], device=model.device)
            cache = DynamicCache(config=model.config)
            with torch.inference_mode():
                model(
                    input_ids=tokens,
                    attention_mask=torch.ones_like(tokens),
                    position_ids=torch.arange(len(ids), device=model.device)[None],
                    cache=cache,
                    use_cache=True,
                    **({"logits_to_keep": 1} if takes(model, "logits_to_keep") else {}),
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
