"""The rows of a stranger's Parquet file, read in a process of its own within a budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pyarrow as pa
from pyarrow import parquet

from sorites.canonical import Json
from sorites.errors import SourceError
from sorites.sources.apart import LimitReached, Limits, apart
from sorites_eval.contract.parquet import FloodError, is_plain, portions

__all__ = ["parquet_names", "parquet_rows"]

MOST_ROWS = 10_000_000
MOST_BYTES = 2 << 30

SECONDS = 600
MEMORY = 2 << 30
MEMORY_FOR_A_BYTE = 4
"""The last resort, for a file whose own record of its sizes is wrong; only an error comes of it."""


def parquet_names(path: Path) -> list[str]:
    """The names of the columns; raises SourceError for what is not Parquet."""
    with _opened(path) as file:
        return [*file.schema_arrow.names]


def parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[Mapping[str, Json]]:
    """The values of some columns, which the file has, row by row.

    Raises SourceError for what is not Parquet or is damaged, for a column of values that are
    neither text nor numbers nor lists of them, and for more than the budget.
    """
    limits = Limits(SECONDS, MEMORY + MEMORY_FOR_A_BYTE * path.stat().st_size)
    try:
        for row in apart(lambda: _rows(path, columns), limits):
            yield cast("Mapping[str, Json]", row)
    except LimitReached as error:
        raise SourceError(f"{path.name}: cannot be read: {error}") from None


def _rows(path: Path, columns: Sequence[str]) -> Iterator[Json]:
    with _opened(path) as file:
        schema = file.schema_arrow
        for column in columns:
            kind = schema.field(column).type
            if not is_plain(kind):
                raise SourceError(
                    f"{path.name}: the column {column} has the type {kind}; text, numbers, "
                    "true/false, and lists and structures of them are read"
                )
        try:
            for batch in portions(file, columns, most_rows=MOST_ROWS, most_bytes=MOST_BYTES):
                yield from batch.to_pylist()
        except FloodError as error:
            raise SourceError(f"{path.name}: {error}") from None
        except UnicodeDecodeError:
            raise SourceError(f"{path.name}: a text is not UTF-8") from None


@contextmanager
def _opened(path: Path) -> Iterator[parquet.ParquetFile]:
    try:
        # Without threads: a process that was forked has none of its parent's.
        with parquet.ParquetFile(path, pre_buffer=False, arrow_extensions_enabled=False) as file:
            yield file
    except pa.ArrowMemoryError:
        raise
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{path.name}: not Parquet: {str(error)[:200]}") from None
