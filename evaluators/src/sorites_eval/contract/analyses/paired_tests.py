"""Many paired tests under one correction."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.names import RUN_DIMENSIONS, Names
from sorites_eval.contract.tasks import Scalar
from sorites_eval.contract.values import Node, entries, optional

__all__ = ["MEASURES", "Family", "PairedTests", "read_paired_tests"]

MEASURES = ("each", "pooled", "both")
"""Whether a metric with several measures gives a test for each, one over all of them, or both."""

LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Family:
    """Comparisons of one sort: of every two values of ``between``, or of two levels of it.

    Runs are compared that are alike in all else of model, setting and task. A model that reads no
    prompt stands in every setting, and is not compared with itself in another.
    """

    between: str
    levels: tuple[Scalar, Scalar] | None = None
    measures: str = "each"


@dataclass(frozen=True, slots=True)
class PairedTests:
    """Wilcoxon's signed-rank test over the values of a metric in the groups of ``unit``.

    All families share one correction by Benjamini and Yekutieli; ``level`` is the level under
    which an adjusted p counts as significant.
    """

    unit: tuple[str, ...]
    metric: str
    families: Mapping[str, Family]
    level: float = LEVEL


def read_paired_tests(fields: Mapping[str, Node], names: Names) -> PairedTests:
    """Its fields are ``unit``, ``metric``, ``families`` and ``level``."""
    unit = names.column_list(fields["unit"])
    families = entries(fields["families"], lambda _, node: _family(node, names))
    if not families:
        raise fields["families"].fail("declares no family.")
    metric = names.metric(fields["metric"])
    return PairedTests(unit, metric, families, optional(fields, "level", _level) or LEVEL)


def _family(node: Node, names: Names) -> Family:
    found = node.fields(("between",), ("levels", "measures"))
    between = found["between"].one_of(RUN_DIMENSIONS)
    levels = optional(found, "levels", lambda n: names.levels(between, n))
    measures = optional(found, "measures", lambda n: n.one_of(MEASURES)) or "each"
    return Family(between, levels, measures)


def _level(node: Node) -> float:
    value = node.value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise node.fail("expected a number between 0 and 1.")
    return float(value)
