"""How a metric goes with a number, by rank correlation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.values import Node, optional

__all__ = ["Trend", "read_trend"]


@dataclass(frozen=True, slots=True)
class Trend:
    """Spearman's correlation of a metric with the numeric column ``x``.

    Each run has one for each combination of values of ``within``. Its points are the levels of
    ``x``, or of ``x`` in each combination of values of ``pooled``.
    """

    x: str
    metric: str
    within: tuple[str, ...] = ()
    pooled: tuple[str, ...] = ()


def read_trend(fields: Mapping[str, Node], names: Names) -> Trend:
    """Its fields are ``x``, ``metric``, ``within`` and ``pooled``."""
    found = Trend(
        names.column(fields["x"]),
        names.metric(fields["metric"]),
        optional(fields, "within", names.column_list) or (),
        optional(fields, "pooled", names.column_list) or (),
    )
    for key, columns in (("within", found.within), ("pooled", found.pooled)):
        if found.x in columns or (key == "pooled" and set(columns) & set(found.within)):
            raise fields[key].fail("a column can be only one of x, within and pooled.")
    return found
