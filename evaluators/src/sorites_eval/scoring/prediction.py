"""An answer beside the right one: what scores are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.tasks import Scalar, Score
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.responses import Response

__all__ = ["Prediction", "cluster_of", "is_right"]


@dataclass(frozen=True, slots=True)
class Prediction:
    """An answer beside the right one. ``label`` is None where there was no answer.

    ``unmatched`` tells that the views of an item did not agree; ``right_selection`` is None
    where the task asks for none, and ``selection`` is what was selected, in order. ``repeat``
    counts from 0 where an item was asked several times. ``probability`` is that of the positive
    label of two, None where it is not known. ``response`` is what kind of text was written, None
    where none was because labels were scored.
    """

    id: str
    view: str
    gold: str
    label: str | None
    outcome: Outcome
    facts: Mapping[str, Scalar]
    right_selection: bool | None = None
    unmatched: bool = False
    selection: tuple[int, ...] | None = None
    repeat: int = 0
    probability: float | None = None
    response: Response | None = None

    @property
    def right(self) -> bool:
        """Whether the label is the gold label."""
        return self.label == self.gold


def is_right(prediction: Prediction) -> bool:
    """Whether label and, if one was asked for, selection are right."""
    return prediction.right and prediction.right_selection is not False


def cluster_of(score: Score, prediction: Prediction) -> Scalar:
    """What the item is not independent of: the task's cluster, or else the item itself."""
    return prediction.id if score.clusters is None else prediction.facts[score.clusters]
