"""Who is a member of what, in compressed rows: as much memory as there are memberships."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Integers", "Memberships", "Positions", "compressed"]

Integers = NDArray[np.int64]
Numbers = NDArray[np.int32]
Positions = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Memberships:
    """Rows of rising column numbers, one behind the other in ``columns``.

    Row r stands from ``starts[r]`` up to ``starts[r + 1]``; ``width`` is the number of columns.
    NumPy alone does what is asked here, many thousand times a second and of few rows each; a
    matrix of SciPy would check itself each time.
    """

    starts: Integers
    columns: Numbers
    width: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> Numbers:
        return self.columns[self.starts[row] : self.starts[row + 1]]

    @property
    def sizes(self) -> Integers:
        """How many columns each row has."""
        return np.diff(self.starts)

    @property
    def nbytes(self) -> int:
        """The memory that both arrays take."""
        return self.starts.nbytes + self.columns.nbytes

    def gathered(self, rows: Positions) -> Numbers:
        """The columns of some rows, row by row."""
        return self.columns[self._places(rows)]

    def counts(self, rows: Positions) -> Integers:
        """In how many of some rows each column stands."""
        found: Integers = np.bincount(self.gathered(rows), minlength=self.width)
        return found

    def transposed(self) -> Memberships:
        """The same with rows for columns."""
        rows = np.repeat(np.arange(len(self), dtype=np.int32), self.sizes)
        return compressed(self.columns, rows, self.width, len(self))

    def _places(self, rows: Positions) -> Positions:
        sizes = self.starts[rows + 1] - self.starts[rows]
        ends = sizes.cumsum()
        total = int(ends[-1]) if len(ends) else 0
        places: Positions = np.arange(total) + np.repeat(self.starts[rows] - (ends - sizes), sizes)
        return places


def compressed(rows: Numbers, columns: Numbers, height: int, width: int) -> Memberships:
    """Memberships from their rows and columns, which rise within each row, side by side."""
    order = rows.argsort(kind="stable")
    starts = np.zeros(height + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=height), out=starts[1:])
    return Memberships(starts, columns[order].astype(np.int32, copy=False), width)
