"""Which rows of a split were added, removed or changed from one version to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sorites.canonical import json_line
from sorites.release.audit.row_hashes import Hashes, hashes_of

__all__ = ["RowChanges", "row_changes"]

Counts: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RowChanges:
    """Rows of a split by their id: how many, and the first ids of each kind as examples.

    ``relabelled`` are rows whose gold column differs, ``altered`` rows where only others do.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    reordered: bool = False


def row_changes(old: pa.Table, new: pa.Table, golds: frozenset[str]) -> RowChanges:
    """Compare the rows of two tables in the columns that both have; ``golds`` hold labels."""
    shared = [name for name in old.column_names if name in new.column_names]
    labels = [name for name in shared if name in golds]
    before, after = _Rows(old, shared, labels), _Rows(new, shared, labels)
    _, here, there = np.intersect1d(before.keys, after.keys, return_indices=True)
    order = np.argsort(here)
    here, there = here[order], there[order]
    differ = before.whole[here] != after.whole[there]
    labelled = before.labels[here] != after.labels[there]
    return RowChanges(
        added=after.named(_without(len(after.keys), there)),
        removed=before.named(_without(len(before.keys), here)),
        relabelled=before.named(here[differ & labelled]),
        altered=before.named(here[differ & ~labelled]),
        reordered=bool(np.any(np.diff(there) < 0)),
    )


class _Rows:
    """The rows of a table as hashes: of what names each, of its labels, of all of it.

    A row is named by its id; without one by all of it and how many like it stood before.
    """

    def __init__(self, table: pa.Table, columns: Sequence[str], labels: Sequence[str]) -> None:
        self._table = table
        self._columns = list(columns)
        self.whole = hashes_of(table, columns)
        self.labels = hashes_of(table, labels)
        self._times: Counts | None = None
        if "id" in columns:
            self.keys = hashes_of(table, ["id"])
        else:
            self._times = _occurrences(self.whole)
            keys = np.empty(len(self.whole), dtype=[("row", self.whole.dtype), ("time", "<i8")])
            keys["row"], keys["time"] = self.whole, self._times
            self.keys = keys.view(f"V{keys.dtype.itemsize}")

    def named(self, positions: Counts) -> tuple[str, ...]:
        """What the rows at some positions are called, in their order."""
        rows = self._table.select(["id"] if self._times is None else self._columns)
        found = rows.take(pa.array(positions)).to_pylist()
        if self._times is None:
            return tuple(str(row["id"]) for row in found)
        times = self._times[positions].tolist()
        return tuple(
            f"{json_line([*row.values()])} #{time}" for row, time in zip(found, times, strict=True)
        )


def _occurrences(hashes: Hashes) -> Counts:
    """For each row how many equal it among those up to it, itself too."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    lengths = np.diff(np.append(first, len(ordered)))
    times = np.empty(len(hashes), dtype=np.int64)
    times[order] = np.arange(len(ordered)) - np.repeat(first, lengths) + 1
    return times


def _without(rows: int, positions: Counts) -> Counts:
    left = np.ones(rows, dtype=np.bool_)
    left[positions] = False
    return np.flatnonzero(left)
