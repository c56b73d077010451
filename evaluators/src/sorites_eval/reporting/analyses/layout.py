"""A found table laid out in rows and columns, as a page or a paper shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.reporting.analyses.found import DEVIATION, Found, Key, Line, Value

__all__ = ["Layout", "column_name", "laid_out", "shown", "text_of"]

UNDEFINED = "–"
_TESTED = ("p", "p approximate", "p adjusted")


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows by keys, columns by keys and a measure each; a cell that is not there is undefined.

    ``measures`` are those of ``columns``, without their deviations, which stand in their cells.
    """

    rows: tuple[Key, ...]
    columns: tuple[tuple[Key, str], ...]
    cells: Mapping[tuple[Key, Key], Mapping[str, Value]]

    def cell(self, row: Key, column: tuple[Key, str]) -> str:
        """A cell as text, with its deviation if there is one."""
        values = self.cells.get((row, column[0]), {})
        measure = column[1]
        text = shown(measure, values.get(measure))
        deviation = values.get(measure + DEVIATION)
        return text if deviation is None else f"{text} ± {shown(measure, deviation)}"


def laid_out(found: Found) -> Layout:
    """Rows and columns in the order in which the lines name them."""
    rows: dict[Key, None] = {}
    across: dict[Key, None] = {}
    cells: dict[tuple[Key, Key], Mapping[str, Value]] = {}
    for line in found.lines:
        row, column = _part(line, found.rows), _part(line, found.columns)
        rows[row] = None
        across[column] = None
        cells[row, column] = line.values
    measures = [name for name in found.measures if not name.endswith(DEVIATION)]
    if found.columns and len(measures) > 1:
        measures = [name for name in measures if name != "n"]
    there = {
        (column, name)
        for (_, column), values in cells.items()
        for name in measures
        if values.get(name) is not None
    }
    columns = [
        (column, name)
        for column in across
        for name in measures
        if (column, name) in there or not found.columns
    ]
    return Layout(tuple(rows), tuple(columns), cells)


def _part(line: Line, dimensions: tuple[str, ...]) -> Key:
    return tuple(line.key[dimension] for dimension in dimensions)


def text_of(value: object) -> str:
    """The value of a dimension as text."""
    return UNDEFINED if value is None or value == "" else str(value)


def column_name(key: Key, measure: str, *, alone: bool) -> str:
    """A column's heading; a measure that stands ``alone`` need not be named under each key."""
    parts = [text_of(value) for value in key]
    return " · ".join(parts if alone and parts else [*parts, measure])


def shown(measure: str, value: Value) -> str:
    """A value for reading: three decimals, differences with their sign, small p as a bound."""
    if value is None:
        return UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, str):
        return value
    if measure in _TESTED:
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    signed = measure.startswith("Δ") or "difference" in measure
    return f"{value:+.3f}" if signed else f"{value:.3f}"
