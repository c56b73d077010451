"""Positions whose meaning depends on how long the whole row is.

Some rotary embeddings turn at another rate once a row is longer than a switch (longrope), or
with every token beyond it (dynamic NTK). Tokens that were read at one rate cannot be shared with,
padded to, or continued in rows of another. Which lengths go together is asked of the embeddings
themselves, which costs nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from weakref import WeakKeyDictionary

import torch
from torch import nn
from transformers import PreTrainedModel

__all__ = ["Rate", "depends_on_length", "rate", "settle"]

Rate = tuple[float, ...]
"""What the rotary embeddings make of position 1, for comparison."""

_FAR = 10_000_000
_found: WeakKeyDictionary[PreTrainedModel, tuple[nn.Module, ...]] = WeakKeyDictionary()


def depends_on_length(model: PreTrainedModel) -> bool:
    """Whether a token's position can mean something else in a longer row."""
    return bool(_changing(model))


def rate(model: PreTrainedModel, length: int) -> Rate:
    """What a row of so many tokens makes of its positions: equal for lengths that go together."""
    modules = _changing(model)
    settle(model)
    found = tuple(value for module in modules for value in _turns(module, length))
    settle(model)
    return found


def settle(model: PreTrainedModel) -> None:
    """Bring back what a longer row has changed, so that no row depends on those before it."""
    for module in _changing(model):
        _turns(module, 1)


def _changing(model: PreTrainedModel) -> tuple[nn.Module, ...]:
    if model not in _found:
        _found[model] = tuple(module for module in _rotary(model) if _changes(module))
    return _found[model]


def _rotary(model: PreTrainedModel) -> Iterable[nn.Module]:
    for module in model.modules():
        frequencies = [name for name, _ in module.named_buffers(recurse=False)]
        if any(name.endswith("inv_freq") for name in frequencies):
            parameters = inspect.signature(module.forward).parameters
            if {"x", "position_ids"} <= parameters.keys():
                yield module


def _changes(module: nn.Module) -> bool:
    try:
        short, long = _turns(module, 2), _turns(module, _FAR)
        _turns(module, 1)
    except (AttributeError, IndexError, KeyError, RuntimeError, TypeError, ValueError):
        # Something else that happens to have frequencies: rows of text are tried out anyway.
        return False
    return short != long


def _turns(module: nn.Module, length: int) -> list[float]:
    device = next(module.buffers()).device
    position_ids = torch.tensor([[min(1, length - 1), length - 1]], device=device)
    x = torch.zeros((1, 2, 1), device=device)
    kinds = getattr(module, "rope_type", None)
    named = "layer_type" in inspect.signature(module.forward).parameters
    layer_types: list[str | None] = list(kinds) if named and isinstance(kinds, dict) else [None]
    found: list[float] = []
    for layer_type in layer_types:
        more = {"layer_type": layer_type} if layer_type else {}
        with torch.inference_mode():
            turned = module(x, position_ids, **more)
        values = turned if isinstance(turned, tuple) else (turned,)
        found += [float(v) for value in values for v in _first(value)]
    return found


def _first(value: torch.Tensor) -> list[float]:
    real = torch.view_as_real(value) if value.is_complex() else value
    flat: list[float] = real.float().reshape(-1, 2, real.numel() // 2)[0, 0].tolist()
    return flat
