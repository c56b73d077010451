"""A search over drop-out: several shares are tried, and the one that validates best is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sorites_eval.errors import RunError
from sorites_eval.training.examples import TrainingData
from sorites_eval.training.outcome import Advance, Outcome, Trainer

__all__ = ["searching"]


def searching(shares: Sequence[float], trainer_of: Callable[[float], Trainer]) -> Trainer:
    """A trainer that trains with each share from the same seed and keeps the best.

    ``trainer_of`` makes the trainer of a share. Of equals the first is kept; the rows to test on
    play no part. With more than one share the trainer raises RunError for data without rows to
    validate with.
    """
    trainers = [trainer_of(share) for share in dict.fromkeys(shares)]

    def train(data: TrainingData, seed: int, advance: Advance) -> Outcome:
        if len(trainers) > 1 and not data.validation:
            raise RunError(
                "a search over drop-out chooses by validation: there are no rows to validate with"
            )
        found = [trainer(data, seed, advance) for trainer in trainers]
        return max(found, key=lambda outcome: outcome.validation_accuracy or 0.0)

    return train
