"""Rows as numbers of sixteen bytes, by which millions of them are compared without their texts.

Two rows that are not equal have equal hashes with a chance of one in 10^20 among ten million.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

__all__ = ["Hashes", "distinct", "hashes_of", "in_common", "repeated"]

Hashes: TypeAlias = NDArray[np.void]
"""A hash for each row: an array of values of sixteen bytes."""

_SIZE = 16
_ROWS_AT_ONCE = 10_000


def hashes_of(table: pa.Table, columns: Sequence[str]) -> Hashes:
    """A hash for each row of a table, of its values in some columns."""
    if not columns:
        return np.zeros(table.num_rows, dtype=f"V{_SIZE}")
    whole = bytearray()
    for batch in table.select(list(columns)).to_batches(max_chunksize=_ROWS_AT_ONCE):
        for row in batch.to_pylist():
            # As JSON, with what JSON does not have: a stranger's rows may hold anything.
            text = json.dumps(row, ensure_ascii=False, separators=(",", ":"), default=str)
            whole += blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_SIZE).digest()
    return np.frombuffer(bytes(whole), dtype=f"V{_SIZE}")


def distinct(hashes: Hashes) -> int:
    """How many hashes there are, each counted once."""
    return len(np.unique(hashes))


def in_common(some: Hashes, others: Hashes) -> int:
    """How many hashes are in both, each counted once."""
    return len(np.intersect1d(some, others))


def repeated(hashes: Hashes) -> tuple[int, int] | None:
    """The position of the first row that another one equals, and how many equal it, itself too."""
    _, first, times = np.unique(hashes, return_index=True, return_counts=True)
    if not (times > 1).any():
        return None
    earliest = first[times > 1].min()
    return int(earliest), int(times[first == earliest][0])
