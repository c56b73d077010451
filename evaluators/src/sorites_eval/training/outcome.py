"""The result of training one model, and its progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sorites_eval.training.examples import TrainingData

__all__ = ["Advance", "Outcome", "Trainer", "accuracy", "unwatched"]

Advance = Callable[[int], None]
"""Told after each epoch: 1."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The label predicted for each row to test on, by the model that validated best.

    ``validated`` is what that model predicts for each row to validate with. ``epochs`` were
    trained, ``best`` (from 1) is the one whose model was kept. ``dropout`` is the share that was
    dropped from the output, None where a model's own setting was left as it is.
    """

    predicted: tuple[int, ...]
    validated: tuple[int, ...]
    validation_accuracy: float | None
    epochs: int
    best: int
    dropout: float | None = None


def unwatched(_: int) -> None:
    """An ``Advance`` that shows nothing."""


Trainer = Callable[[TrainingData, int, Advance], Outcome]
"""Trains a model on data from a seed."""


def accuracy(predicted: Sequence[int], gold: Sequence[int]) -> float | None:
    """The share of right predictions; None if there are none."""
    if not gold:
        return None
    return sum(p == g for p, g in zip(predicted, gold, strict=True)) / len(gold)
