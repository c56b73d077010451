"""Graded gold: how a model's probability of a label follows people's mean ratings of the items.

Spearman's rank correlation, as judgements of veridicality are compared with models (White,
Rudinger, Rawlins and Van Durme 2018). It asks for the order of items alone: neither the scale of
the ratings nor a model's calibration counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sorites_eval.contract.tasks import Task
from sorites_eval.scoring.prediction import Prediction

__all__ = ["positive_probability", "spearman"]


def positive_probability(
    task: Task, label: str | None, constrained: object, margin: object
) -> float | None:
    """The probability of the positive label against the other of the two, from 0 to 1.

    ``margin`` is the distance in nats between ``constrained``, the more probable label, and the
    other. Where only a label was said it counts as certain; None where there was no answer, and
    for a task that has no positive label of two.
    """
    positive, labels = task.score.positive, task.answer.labels
    if positive is None or len(labels) != 2:
        return None
    if constrained in labels and isinstance(margin, float) and math.isfinite(margin):
        least = 1 / (1 + math.exp(min(abs(margin), 700.0)))
        return 1 - least if constrained == positive else least
    return None if label is None else float(label == positive)


def spearman(task: Task, predictions: Sequence[Prediction]) -> dict[str, float | int | None]:
    """The correlation of probabilities with the ratings in the column ``graded``.

    Undefined (None) for fewer than three items and where all ratings, or all probabilities, are
    equal. ``rated`` counts the items that have both.
    """
    from scipy import stats

    column = task.score.graded
    assert column is not None
    rated = [
        (p.probability, float(rating))
        for p in predictions
        if p.probability is not None
        and isinstance(rating := p.facts[column], int | float)
        and math.isfinite(rating)
    ]
    result: dict[str, float | int | None] = {"spearman": None, "rated": len(rated)}
    probabilities, ratings = {p for p, _ in rated}, {r for _, r in rated}
    if len(rated) > 2 and len(probabilities) > 1 and len(ratings) > 1:
        found = stats.spearmanr([p for p, _ in rated], [r for _, r in rated])
        result["spearman"] = float(found.statistic)
    return result
