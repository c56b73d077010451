"""Units of work: pure functions of a plan and a key, done by an engine and kept in a spool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TypeVar, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.engines.spool import Spool
from sorites.progress import Advance

__all__ = ["Made", "Slice", "Slices", "do_units", "slices_of", "unpacked"]

Unit = TypeVar("Unit")
Shared = TypeVar("Shared")


@dataclass(frozen=True, slots=True)
class Made:
    """What a unit makes: rows by the name of their table, and a tally, which is JSON."""

    tables: Mapping[str, pa.Table] = field(default_factory=dict)
    tally: Json = None


def do_units(
    engine: Engine,
    step: Callable[[Shared, Unit], Made],
    units: Sequence[Unit],
    *,
    shared: Shared,
    spool: Spool,
    advance: Advance,
) -> list[Json]:
    """Do the units that a spool lacks, append what each makes, and return the tallies of all.

    The spool has been opened for these very units: those in it are the first of them. ``advance``
    is told of each unit. What a step raises is raised in the place of its result; the units
    before it are kept.
    """
    done = len(spool.tallies)
    advance(done)
    for made in engine.map(step, units[done:], shared=shared):
        spool.append(made.tables, made.tally)
        advance(1)
    return spool.tallies


@dataclass(frozen=True, slots=True)
class Slice:
    """Some rows of a table, from the one at ``start`` on, and what the table is called."""

    name: str
    table: pa.Table
    start: int
    rows: int

    def packed(self) -> tuple[str, bytes]:
        """The name, and the rows alone as bytes: a pickled slice would bring the whole table."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self.table.schema) as stream:
            stream.write_table(self.table.slice(self.start, self.rows))
        return self.name, sink.getvalue().to_pybytes()


class Slices(Sequence[tuple[str, bytes]]):
    """Slices of tables, each packed when it is asked for: never are all of them at one time."""

    def __init__(self, slices: Sequence[Slice]) -> None:
        self._slices = slices

    def __len__(self) -> int:
        return len(self._slices)

    @overload
    def __getitem__(self, at: int) -> tuple[str, bytes]: ...
    @overload
    def __getitem__(self, at: slice) -> Slices: ...

    def __getitem__(self, at: int | slice) -> tuple[str, bytes] | Slices:
        if isinstance(at, slice):
            return Slices(self._slices[at])
        return self._slices[at].packed()


def slices_of(name: str, table: pa.Table, rows: int, *, together: str | None = None) -> list[Slice]:
    """A table cut into slices of so many rows.

    They are longer where rows would be parted that stand one after another with one value in the
    column ``together``.

    >>> letters = pa.table({"a": ["x", "x", "x", "y", "z"]})
    >>> [(s.start, s.rows) for s in slices_of("", letters, 2, together="a")]
    [(0, 3), (3, 2)]
    """
    bounds = [0]
    allowed = np.arange(1, table.num_rows) if together is None else _changes(table[together])
    while bounds[-1] + rows < table.num_rows:
        place = int(np.searchsorted(allowed, bounds[-1] + rows))
        if place == len(allowed):
            break
        bounds.append(int(allowed[place]))
    bounds.append(table.num_rows)
    return [
        Slice(name, table, start, end - start) for start, end in pairwise(bounds) if end > start
    ]


def _changes(column: pa.ChunkedArray) -> NDArray[np.int64]:
    """The positions of values that are not the one before."""
    if len(column) < 2:
        return np.zeros(0, dtype=np.int64)
    differ = pc.not_equal(column.slice(1), column.slice(0, len(column) - 1))
    return np.flatnonzero(differ.to_numpy()) + 1


def unpacked(packed: bytes) -> pa.Table:
    """The rows of a slice that was packed."""
    return pa.ipc.open_stream(packed).read_all()
