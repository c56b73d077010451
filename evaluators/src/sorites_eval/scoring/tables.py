"""Rows of plain values as tables: of Arrow, and of pandas where it is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sorites_eval.errors import SoritesError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["arrow_table", "data_frame"]


def arrow_table(rows: Sequence[Mapping[str, object]], first: Sequence[str]) -> pa.Table:
    """A table of rows that need not have the same columns; what a row lacks is null.

    ``first`` are the columns that stand first; the others follow in the order in which they
    occur, those of the items (``item.COLUMN``) before the rest.
    """
    import pyarrow as pa

    occurring = dict.fromkeys(name for row in rows for name in row)
    rest = [name for name in occurring if name not in first]
    names = [*first, *sorted(rest, key=lambda name: not name.startswith("item."))]
    columns = {name: pa.array([row.get(name) for row in rows]) for name in names}
    # Only a measure can be undefined everywhere; its column is of numbers all the same.
    return pa.table(
        {
            name: column.cast(pa.float64()) if column.type == pa.null() else column
            for name, column in columns.items()
        }
    )


def data_frame(table: pa.Table) -> pd.DataFrame:
    """An Arrow table as a data frame; SoritesError if pandas is not installed."""
    try:
        import pandas  # noqa: F401 - Arrow's own message says nothing of what to install
    except ModuleNotFoundError as error:
        raise SoritesError(
            "a data frame needs pandas: pip install pandas. to_arrow() gives the same without it."
        ) from error
    frame: pd.DataFrame = table.to_pandas()
    return frame
