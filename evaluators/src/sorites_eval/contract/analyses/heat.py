"""A metric over two dimensions, drawn as a grid for each of several runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.values import Node, optional

__all__ = ["Heat", "read_heat"]


@dataclass(frozen=True, slots=True)
class Heat:
    """A grid of rows and columns for each combination of values of ``panels``.

    A metric with several measures, as F1 by label, has a grid for each of them.
    """

    rows: str
    columns: str
    metric: str
    panels: tuple[str, ...] = ()


def read_heat(fields: Mapping[str, Node], names: Names) -> Heat:
    """Its fields are ``rows``, ``columns``, ``metric`` and ``panels``."""
    found = Heat(
        names.dimension(fields["rows"]),
        names.dimension(fields["columns"]),
        names.metric(fields["metric"]),
        optional(fields, "panels", names.dimensions) or (),
    )
    if len({found.rows, found.columns, *found.panels}) < 2 + len(found.panels):
        raise fields["columns"].fail("a dimension can be only one of rows, columns and panels.")
    return found
