"""The table of metrics: their names, and what a task must declare to ask for one.

A new metric is one record here and its function in ``sorites_eval.scoring.metrics``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["METRICS", "Metric"]

_NEEDS = {
    "positive": '"positive", the label that it is about.',
    "pairs": '"pairs", the column that names the partner.',
    "selection": 'a "selection" in the answer.',
    "graded": '"graded", the column of mean ratings.',
}


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric by its name, and what it is, in words.

    ``needs`` is the field without which it is undefined, or empty.
    """

    name: str
    meaning: str
    needs: str = ""

    def missing(self, declared: Mapping[str, object]) -> str | None:
        """What the metric lacks, in words, if the field that it needs is not declared.

        ``declared`` holds ``positive``, ``pairs``, ``selection`` and ``graded`` as the task
        declares them, None where it does not.

        >>> METRICS["f1"].missing({"positive": None, "pairs": None, "selection": None})
        '"positive", the label that it is about.'
        """
        if not self.needs or declared[self.needs] is not None:
            return None
        return _NEEDS[self.needs]


_ALL = (
    Metric("accuracy", "right answers of all; no answer is a wrong one"),
    Metric(
        "precision",
        "items rightly called positive of all that were called positive; an item without an "
        "answer was not",
        "positive",
    ),
    Metric(
        "precision-unanswered-wrong",
        "as precision, but a negative item without an answer counts as called positive, as it "
        "does in the tables of some papers",
        "positive",
    ),
    Metric("recall", "items rightly called positive of all that are positive", "positive"),
    Metric("f1", "harmonic mean of precision and recall", "positive"),
    Metric(
        "f1-unanswered-wrong",
        "harmonic mean of precision-unanswered-wrong and recall",
        "positive",
    ),
    Metric("macro-f1", "mean of the F1 of each label that occurs"),
    Metric("f1-by-label", "F1 of each label that occurs"),
    Metric("reasoning-accuracy", "answers right in label and selection, of all", "selection"),
    Metric(
        "faithfulness",
        "pairs of opposite items whose two answers are labels and differ, of all pairs",
        "pairs",
    ),
    Metric(
        "spearman", "rank correlation of the positive label's probability with ratings", "graded"
    ),
    Metric("responses", "replies that are not empty, no answer at all, or an answer, of all"),
    Metric(
        "response-types",
        "replies that are not empty, that are other text than asked for, or a bare answer, of "
        "all; a chain of thought that ends in an answer is other text. Only of replies that were "
        "written, not of labels that were scored",
    ),
)
METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ALL}
"""Every metric by its name, in the order in which tables show them."""
