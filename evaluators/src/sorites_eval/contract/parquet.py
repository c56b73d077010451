"""Parquet files of strangers, decoded in portions whose size their own record bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["FloodError", "is_plain", "portions", "whole_table"]

_ROWS_AT_ONCE = 4_096
_PORTION = 256 << 20


class FloodError(Exception):
    """A file that would be more once decoded than is read; the message says of what."""


def is_plain(kind: pa.DataType) -> bool:
    """Whether values are text, numbers, true or false, or lists and structures of them."""
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return is_plain(kind.value_type)
    if pa.types.is_struct(kind):
        return all(is_plain(kind.field(i).type) for i in range(kind.num_fields))
    checks = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_boolean,
        pa.types.is_integer,
        pa.types.is_floating,
        pa.types.is_null,
    )
    return any(check(kind) for check in checks)


def portions(
    file: pq.ParquetFile, columns: Sequence[str], *, most_rows: int, most_bytes: int
) -> Iterator[pa.RecordBatch]:
    """The rows of some columns, in portions of at most a few thousand.

    A value that repeats is stored once, so that a small file can be endless when decoded: no value
    is longer than the column's part of a row group, which bounds the rows of a portion; and what
    the portions hold is added up. Nested values are bounded by their number.

    Raises FloodError for more than ``most_rows`` rows or values of a row group, or more than
    ``most_bytes`` bytes, before or after decoding, and whatever pyarrow raises.
    """
    record = file.metadata
    _refuse("rows", record.num_rows, most_rows)
    wanted = set(columns)
    longest, whole = 1, 0
    for index in range(record.num_row_groups):
        group = record.row_group(index)
        for place in range(group.num_columns):
            chunk = group.column(place)
            if chunk.path_in_schema.partition(".")[0] in wanted:
                _refuse("values in a row group", chunk.num_values, most_rows)
                longest = max(longest, chunk.total_uncompressed_size)
                whole += chunk.total_uncompressed_size
    _refuse("bytes", whole, most_bytes)
    rows = max(1, min(_ROWS_AT_ONCE, _PORTION // longest))
    decoded = 0
    names = [*dict.fromkeys(columns)]
    # Without threads, for whoever reads in a process that was forked.
    for batch in file.iter_batches(batch_size=rows, columns=names, use_threads=False):
        decoded += batch.nbytes
        _refuse("bytes", decoded, most_bytes)
        yield batch


def whole_table(file: pq.ParquetFile, *, most_rows: int, most_bytes: int) -> pa.Table:
    """All columns of a file, read in portions; raises what ``portions`` does."""
    schema = file.schema_arrow
    batches = portions(file, schema.names, most_rows=most_rows, most_bytes=most_bytes)
    return pa.Table.from_batches(batches, schema)


def _refuse(what: str, found: int, most: int) -> None:
    if found > most:
        raise FloodError(f"{found:,} {what} once decoded; at most {most:,} are read")
