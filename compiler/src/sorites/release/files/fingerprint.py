"""A hash of a table's rows that depends on nothing but the rows.

The bytes of a Parquet file change with the version of its writer; this hash does not. It reads
the values of a table in Arrow's columnar order, in blocks of a fixed number of rows, and skips
what Arrow leaves open: how the table is chunked, sliced or padded, what lies beneath a null,
and the schema's metadata. So a release that was rebuilt elsewhere can be compared with the
published one.

For each block and each column: the number of values, then for each value one bit (1 = not
null), then, by type, the numbers (little endian), the bits of booleans, the lengths and UTF-8
of strings, the lengths and then the elements of lists, the fields of structs; a null counts as
zero, as empty, or as a struct of nulls. Lengths are signed 64-bit integers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sorites.canonical import json_line
from sorites.release.files.features import type_name

__all__ = ["content_sha256"]

_BLOCK = 65_536


def content_sha256(table: pa.Table) -> str:
    """SHA-256, in hexadecimal, of a table's column names, types and rows in their order.

    Raises SoritesError for a column type that releases do not use.
    """
    schema = [[field.name, type_name(field.type)] for field in table.schema]
    digest = hashlib.sha256(json_line(schema).encode())
    for start in range(0, table.num_rows, _BLOCK):
        for column in table.slice(start, _BLOCK).columns:
            _feed(digest.update, _one_array(column))
    return digest.hexdigest()


def _one_array(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks)


def _feed(update: Callable[[bytes], None], array: pa.Array) -> None:
    kind = array.type
    update(_lengths([len(array)]))
    update(_bits(array.is_valid()))
    if pa.types.is_struct(kind):
        for field in array.flatten():
            _feed(update, field)
    elif pa.types.is_list(kind):
        update(_lengths(pc.fill_null(pc.list_value_length(array), 0).to_numpy()))
        _feed(update, array.flatten())
    elif pa.types.is_string(kind):
        update(_lengths(pc.fill_null(pc.binary_length(array), 0).to_numpy()))
        update(_text(pc.fill_null(array, "")))
    elif pa.types.is_boolean(kind):
        update(_bits(pc.fill_null(array, False)))
    else:
        numbers = pc.fill_null(array, pa.scalar(0, kind)).to_numpy(zero_copy_only=False)
        update(numbers.astype(numbers.dtype.newbyteorder("<")).tobytes())


def _lengths(lengths: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.integer]]) -> bytes:
    return np.asarray(lengths, dtype="<i8").tobytes()


def _bits(booleans: pa.BooleanArray) -> bytes:
    values = booleans.to_numpy(zero_copy_only=False).astype(bool)
    return np.packbits(values, bitorder="little").tobytes()


def _text(strings: pa.StringArray) -> bytes:
    _, offsets, data = strings.buffers()
    if data is None or len(strings) == 0:
        return b""
    ends = np.frombuffer(offsets, dtype=np.int32)
    first, last = ends[strings.offset], ends[strings.offset + len(strings)]
    return bytes(memoryview(data)[first:last])
