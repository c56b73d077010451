"""What an analysis found: values by dimensions, laid out in rows and columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sorites_eval.contract.tasks import Scalar
from sorites_eval.scoring.tables import arrow_table, data_frame

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["DEVIATION", "TOTAL", "Found", "Key", "Line", "Value"]

Key = tuple[Scalar, ...]
Value = float | int | str | bool | None

TOTAL = "all"
"""The value of a dimension that stands for all its values together."""

DEVIATION = " sd"
"""After the name of a measure: its standard deviation over the runs of a cell."""


@dataclass(frozen=True, slots=True)
class Line:
    """The value of each dimension, and of each measure there."""

    key: Mapping[str, Scalar]
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Found:
    """A table of an analysis.

    ``name`` is that of its files. ``rows`` and ``columns`` are dimensions, ``measures`` what each
    line has a value of; ``notes`` say what a reader must know.
    """

    name: str
    title: str
    source: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    measures: tuple[str, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()

    def to_arrow(self) -> pa.Table:
        """One row a line: its dimensions, then its measures, as in the CSV."""
        dimensions = (*self.rows, *self.columns)
        rows = [
            {**{d: line.key[d] for d in dimensions}, **{m: line.values[m] for m in self.measures}}
            for line in self.lines
        ]
        return arrow_table([_alike(row) for row in rows], dimensions)

    def to_pandas(self) -> pd.DataFrame:
        """As ``to_arrow``, as a data frame; SoritesError if pandas is not installed."""
        return data_frame(self.to_arrow())


def _alike(row: Mapping[str, Value]) -> dict[str, object]:
    """Values of which Arrow can make a column: a number beside "all" is text."""
    return {name: str(value) if isinstance(value, int) else value for name, value in row.items()}
