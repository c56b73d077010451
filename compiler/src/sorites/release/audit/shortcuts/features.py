"""What a reader sees of each item: integers, one row of them for each item."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Features", "Ids", "Integers", "keys", "tokens"]

Integers = NDArray[np.int64]

Ids = NDArray[np.int32]
"""Half as large: there are millions of them, of few kinds."""


@dataclass(frozen=True, slots=True)
class Features:
    """The features of items: ``ids[starts[i]:starts[i + 1]]`` are those of item i, of ``size``.

    An id may stand in a row more than once.
    """

    ids: Ids
    starts: Integers
    size: int

    def __len__(self) -> int:
        return len(self.starts) - 1

    def take(self, rows: Integers) -> Features:
        """The features of some items, by position."""
        lengths = np.diff(self.starts)[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        # In place: these arrays are the largest that there are.
        places = np.repeat(self.starts[rows] - starts[:-1], lengths)
        places += np.arange(starts[-1])
        return Features(self.ids[places], starts, self.size)

    def grouped(self, starts: Integers) -> Features:
        """The features of runs of items put together: run i begins at item ``starts[i]``."""
        return Features(self.ids, self.starts[starts], self.size)

    def beside(self, other: Features) -> Features:
        """The features of both for each item, with ids of their own."""
        owners = [np.repeat(np.arange(len(part)), np.diff(part.starts)) for part in (self, other)]
        order = np.argsort(np.concatenate(owners), kind="stable")
        ids = np.concatenate([self.ids, other.ids + np.int32(self.size)])[order]
        return Features(ids, self.starts + other.starts, self.size + other.size)


def keys(values: Iterable[Hashable]) -> Features:
    """One key for each item, whatever it is made of.

    >>> keys(["all", "some", "all"]).ids.tolist()
    [0, 1, 0]
    """
    known: dict[Hashable, int] = {}
    ids = np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int32)
    return Features(ids, np.arange(len(ids) + 1, dtype=np.int64), len(known))


def tokens(rows: Iterable[Sequence[Hashable]]) -> Features:
    """Any number of tokens for each item.

    >>> tokens([["a", "b"], [], ["b"]]).starts.tolist()
    [0, 2, 2, 3]
    """
    known: dict[Hashable, int] = {}
    ids: list[int] = []
    starts = [0]
    for row in rows:
        ids += [known.setdefault(token, len(known)) for token in row]
        starts.append(len(ids))
    return Features(np.array(ids, dtype=np.int32), np.array(starts, dtype=np.int64), len(known))
