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
    """A metric by its name. ``needs`` is the field without which it is undefined, or empty."""

    name: str
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
    Metric("accuracy"),
    Metric("precision", "positive"),
    Metric("recall", "positive"),
    Metric("f1", "positive"),
    Metric("macro-f1"),
    Metric("f1-by-label"),
    Metric("reasoning-accuracy", "selection"),
    Metric("faithfulness", "pairs"),
    Metric("spearman", "graded"),
    Metric("responses"),
)
METRICS: Mapping[str, Metric] = {metric.name: metric for metric in _ALL}
"""Every metric by its name, in the order in which tables show them."""
