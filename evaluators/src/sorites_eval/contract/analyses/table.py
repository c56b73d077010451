"""A table of metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.tasks import Scalar
from sorites_eval.contract.values import Node, optional

__all__ = ["Difference", "Table", "read_table"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How two levels of a dimension differ: ``second`` minus ``first``."""

    dimension: str
    first: Scalar
    second: Scalar


@dataclass(frozen=True, slots=True)
class Table:
    """Metrics by the dimensions of the rows and of the columns.

    Runs that agree in all of them are averaged. ``totals`` are dimensions over which there is one
    more row or column for all their values together. With a ``difference`` the table shows its
    second level and by how much that differs from the first. With ``validation`` trained models
    have rows for their accuracy on what they were chosen by.
    """

    rows: tuple[str, ...]
    metrics: tuple[str, ...]
    columns: tuple[str, ...] = ()
    totals: tuple[str, ...] = ()
    difference: Difference | None = None
    validation: bool = False


def read_table(fields: Mapping[str, Node], names: Names) -> Table:
    """Its fields are ``rows``, ``columns``, ``metrics`` and those of ``Table`` with a default."""
    rows = names.dimensions(fields["rows"])
    columns = optional(fields, "columns", names.dimensions) or ()
    if twice := [dimension for dimension in columns if dimension in rows]:
        raise fields["columns"].fail(f'"{twice[0]}" is a dimension of the rows already.')
    totals = optional(fields, "totals", names.dimensions) or ()
    if lost := [dimension for dimension in totals if dimension not in (*rows, *columns)]:
        raise fields["totals"].fail(f'"{lost[0]}" is a dimension neither of rows nor of columns.')
    difference = optional(fields, "difference", lambda node: _difference(node, names))
    if difference is not None and difference.dimension in (*rows, *columns):
        raise fields["difference"].fail(
            f'"{difference.dimension}" is a dimension of the rows or columns already.'
        )
    validation = optional(fields, "validation", Node.truth) or False
    metrics = names.metrics(fields["metrics"])
    return Table(rows, metrics, columns, totals, difference, validation)


def _difference(node: Node, names: Names) -> Difference:
    found = node.fields(("of", "levels"))
    dimension = names.dimension(found["of"])
    return Difference(dimension, *names.levels(dimension, found["levels"]))
