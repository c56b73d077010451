"""The table of the kinds of analysis: the fields of each, and what reads them.

A new kind is one record here, its file beside this one, and its computation in
``sorites_eval.analyses``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.contrast import Contrast, read_contrast
from sorites_eval.contract.analyses.curve import LearningCurve, read_curve
from sorites_eval.contract.analyses.distribution import Distribution, read_distribution
from sorites_eval.contract.analyses.heat import Heat, read_heat
from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.analyses.paired_tests import PairedTests, read_paired_tests
from sorites_eval.contract.analyses.reference import Beside, read_beside
from sorites_eval.contract.analyses.table import Table, read_table
from sorites_eval.contract.analyses.trend import Trend, read_trend
from sorites_eval.contract.values import Node

__all__ = ["KINDS", "Design", "Kind"]

Design = Table | Trend | Contrast | Distribution | Heat | PairedTests | LearningCurve | Beside
"""What an analysis of some kind computes."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of analysis: the fields that it must have, those that it may, and their reader."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    read: Callable[[Mapping[str, Node], Names], Design]


KINDS: Mapping[str, Kind] = {
    "table": Kind(
        ("rows", "metrics"), ("columns", "totals", "difference", "validation"), read_table
    ),
    "trend": Kind(("x", "metric"), ("within", "pooled"), read_trend),
    "contrast": Kind(("between", "levels", "lines", "metrics"), ("panels",), read_contrast),
    "distribution": Kind(("of", "bars"), ("panels",), read_distribution),
    "heat": Kind(("rows", "columns", "metric"), ("panels",), read_heat),
    "paired-tests": Kind(("unit", "metric", "families"), ("level",), read_paired_tests),
    "curve": Kind(("metric",), ("curves", "lines"), read_curve),
    "reference": Kind(("references", "rows", "metrics"), ("totals",), read_beside),
}
"""Every kind by its name. In heat, ``rows`` and ``columns`` are one dimension each."""
