"""An answer beside the right one: what scores are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.tasks import Scalar
from sorites_eval.scoring.answers import Outcome

__all__ = ["Prediction"]


@dataclass(frozen=True, slots=True)
class Prediction:
    """An answer beside the right one. ``label`` is None where there was no answer.

    ``unmatched`` tells that the views of an item did not agree; ``right_selection`` is None
    where the task asks for none.
    """

    id: str
    view: str
    gold: str
    label: str | None
    outcome: Outcome
    facts: Mapping[str, Scalar]
    right_selection: bool | None = None
    unmatched: bool = False

    @property
    def right(self) -> bool:
        """Whether the label is the gold label."""
        return self.label == self.gold
