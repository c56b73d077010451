"""How often each item of a run was answered rightly, and what it is not independent of."""

from __future__ import annotations

from collections.abc import Sequence

from sorites_eval.contract.tasks import Scalar
from sorites_eval.running.finished import Run
from sorites_eval.scoring.prediction import cluster_of, is_right

__all__ = ["Key", "clusters", "mean", "shares"]

Key = tuple[str, str]
"""An item in a view."""


def shares(run: Run) -> dict[Key, float]:
    """For each item in each view the share of its answers that are right: 0 or 1 for one answer."""
    answers: dict[Key, list[bool]] = {}
    for prediction in run.predictions:
        answers.setdefault((prediction.id, prediction.view), []).append(is_right(prediction))
    return {key: mean(rights) for key, rights in answers.items()}


def clusters(run: Run) -> dict[Key, Scalar]:
    """For each item in each view the cluster to which it belongs, at least itself."""
    return {(p.id, p.view): cluster_of(run.task.score, p) for p in run.predictions}


def mean(values: Sequence[float]) -> float:
    """The mean; of rights and wrongs the share of rights."""
    return sum(values) / len(values)
