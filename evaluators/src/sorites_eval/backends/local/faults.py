"""What a forward pass can raise, and what is said of it."""

from __future__ import annotations

import torch
from transformers import PreTrainedModel

from sorites_eval.backends.local.precision import compute_dtype

__all__ = ["FAULTS", "first_line", "no_numbers"]

FAULTS = (
    AssertionError,
    AttributeError,
    IndexError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What a model's own code raises where it cannot do what it is asked."""


def first_line(error: Exception) -> str:
    """The first line of an error's text, or its name if it has none."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__


def no_numbers(model: PreTrainedModel) -> str:
    """Why a model's scores are no numbers, as far as can be told, and what to do."""
    dtype = compute_dtype(model)
    name = str(dtype).removeprefix("torch.")
    for parameter, values in model.named_parameters():
        if not bool(values.isfinite().all()):
            broken = f"its weight {parameter} holds values that are no numbers in {name}"
            break
    else:
        broken = f"they overflow in {name}"
    others = {torch.float16: "bfloat16 or float32", torch.bfloat16: "float32"}.get(dtype)
    advice = (
        f"Try --dtype {others.replace(' or ', ' or --dtype ')}."
        if others
        else ("The files may be damaged: fetch them again.")
    )
    return f"the model's scores are no numbers (NaN): {broken}. {advice}"
