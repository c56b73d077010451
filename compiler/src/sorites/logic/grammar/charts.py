"""Charts of NLTK's parsers with a bound on their work.

NLTK bounds a parse by seconds on the clock, so that a busy machine parses less than an idle one.
Edges, and the ways to put each together, are what a parse costs, and the same everywhere.
"""

from __future__ import annotations

from typing import Any

from nltk.parse.chart import Chart
from nltk.parse.featurechart import FeatureChart

__all__ = ["MOST_STEPS", "BoundedChart", "BoundedFeatureChart", "TooAmbiguous"]

MOST_STEPS = 2_500
"""Edges of the chart of one sentence and ways to put them together; the longest sentences of the
samples take 240."""


class TooAmbiguous(Exception):
    """A grammar gives a sentence more partial readings than a chart may hold."""

    def __init__(self) -> None:
        super().__init__(f"the grammar gives it more than {MOST_STEPS:,} partial readings")


class _Bounded(Chart):  # type: ignore[misc]  # NLTK has no types
    def initialize(self) -> None:
        """Empty the chart."""
        super().initialize()
        self._steps = 0

    def insert(self, edge: Any, *child_pointer_lists: Any) -> bool:
        """Add an edge as NLTK does. Raises TooAmbiguous where the chart is full."""
        self._steps += 1 + len(child_pointer_lists)
        if self._steps > MOST_STEPS:
            raise TooAmbiguous
        return bool(super().insert(edge, *child_pointer_lists))


class BoundedChart(_Bounded):
    """A chart of plain categories."""


class BoundedFeatureChart(_Bounded, FeatureChart):  # type: ignore[misc]  # as above
    """A chart of feature structures."""
