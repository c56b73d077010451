"""Call a model with those arguments that it takes, and make sure that scores come back."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import lru_cache

import torch
from transformers import PreTrainedModel

__all__ = ["NotANumber", "call", "takes"]


class NotANumber(ArithmeticError):
    """The scores of a pass hold NaN."""


def takes(model: PreTrainedModel, name: str) -> bool:
    """Whether a model's forward pass knows an argument; architectures differ in it."""
    return name in _arguments(type(model).forward)


def call(model: PreTrainedModel, **arguments: object) -> torch.Tensor:
    """Logits, shape [rows, places, vocabulary] in float32, of a pass with those of the arguments
    that the model takes. Raises NotANumber.
    """
    known = _arguments(type(model).forward)
    given = {key: value for key, value in arguments.items() if key in known or "**" in known}
    with torch.inference_mode():
        logits: torch.Tensor = model(**given).logits.float()
    if bool(logits.isnan().any()):
        raise NotANumber
    return logits


@lru_cache(maxsize=32)
def _arguments(method: Callable[..., object]) -> frozenset[str]:
    """The names of the arguments; ``**`` among them where any other is taken too."""
    parameters = inspect.signature(method).parameters.values()
    names = {parameter.name for parameter in parameters}
    return frozenset(names | {"**" for p in parameters if p.kind is p.VAR_KEYWORD})
