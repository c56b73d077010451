"""A domain of discourse and what a search asks of it: who is in a class, and how two are related.

A set of rows is a Python integer: bit r stands for row r. A set of individuals is bits packed into
words, over the individuals of the domain alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sorites.families.argument_schemes.search.memberships import Integers, Memberships, Positions
from sorites.logic.truth import BitRows

__all__ = [
    "BoolMatrix",
    "DenseSpace",
    "Said",
    "Space",
    "members_of_words",
    "packed_rows",
    "positions",
    "unpacked_rows",
    "words_of",
]

BoolMatrix = NDArray[np.bool_]
Bytes = NDArray[np.uint8]

Said = tuple[bool, bool]
"""Of two classes: whether somebody is to be in each, or outside it."""


class Space(ABC):
    """The distinct classes of a domain.

    Row ``r`` stands for the classes ``names[r]``, which have the same members in the domain;
    ``row_of`` maps a class to its row. ``individuals`` are those of the domain, rising: bit i of a
    set of individuals stands for the i-th. ``some[s, t][q]`` holds the rows r so that some
    individual is (s) or is not (not s) in row q and is (t) or is not (not t) in row r. In
    ``apart`` a search remembers which rows have nothing in common in a part of the domain.
    """

    def __init__(
        self,
        domain: int | None,
        individuals: Positions,
        names: Sequence[Sequence[int]],
        memberships: Memberships,
    ) -> None:
        self.domain = domain
        self.individuals = individuals
        self.names = tuple(tuple(group) for group in names)
        self.row_of = {index: row for row, group in enumerate(self.names) for index in group}
        self.memberships = memberships
        self.universe_row = words_of(np.arange(len(individuals)), len(individuals))
        several = np.array([[len(group) > 1 for group in self.names]], dtype=np.bool_)
        self.several = packed_rows(several.reshape(1, -1))[0]
        """The rows that stand for more than one class."""
        self.apart: dict[tuple[bytes, bool, bool], tuple[int, ...]] = {}
        self.nameable: NDArray[np.bool_] | None = None
        """Of each individual of the ontology, whether a sentence may name it; None: of all."""

    def named(self, individuals: Positions) -> Positions:
        """Those of some individuals that a sentence may name."""
        return individuals if self.nameable is None else individuals[self.nameable[individuals]]

    def __len__(self) -> int:
        return len(self.names)

    @property
    @abstractmethod
    def some(self) -> Mapping[Said, Sequence[int]]:
        """How each row is related to all others."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """About how much memory it takes."""

    @abstractmethod
    def row(self, row: int) -> BitRows:
        """The members of a row."""

    @abstractmethod
    def counts(self, region: BitRows) -> Integers:
        """How many of a set of individuals each row holds."""

    @abstractmethod
    def related(self, said: Said, first_rows: Positions, second_rows: Positions) -> BoolMatrix:
        """What ``some`` says of each of some rows and each of others: (first, second)."""

    @abstractmethod
    def within(self, region: BitRows, rows: Positions, said: bool) -> BitRows:
        """Who of a set is in each of some rows (or, denied, outside it).

        Shape (words, rows), for those words alone in which somebody of the set stands.
        """

    def meets(self, region: BitRows, said: bool) -> int:
        """The rows in which somebody of a set is (or, denied, outside of which)."""
        counts = self.counts(region)
        somebody = counts > 0 if said else counts < int(np.bitwise_count(region).sum())
        return packed_rows(somebody[None, :])[0]


class DenseSpace(Space):
    """A domain small enough to hold all its classes as bits, and all relations of two."""

    def __init__(
        self,
        domain: int | None,
        individuals: Positions,
        names: Sequence[Sequence[int]],
        memberships: Memberships,
    ) -> None:
        super().__init__(domain, individuals, names, memberships)
        dense = np.zeros((len(memberships), len(individuals)), dtype=np.bool_)
        dense[np.repeat(np.arange(len(memberships)), memberships.sizes), memberships.columns] = True
        self._rows = _words(dense)
        self._by_word = np.ascontiguousarray(self._rows.T)
        # Counts up to 2^24 are exact in float32, and what is denser than that is not held so.
        numbers = dense.astype(np.float32)
        both = numbers @ numbers.T
        size, total = both.diagonal(), len(individuals)
        matrices = {
            (True, True): both > 0,
            (True, False): (size[:, None] - both) > 0,
            (False, True): (size[None, :] - both) > 0,
            (False, False): (total - size[:, None] - size[None, :] + both) > 0,
        }
        self._some = {said: packed_rows(matrix) for said, matrix in matrices.items()}
        self._packed = {
            said: np.packbits(matrix, axis=1, bitorder="little")
            for said, matrix in matrices.items()
        }

    @property
    def some(self) -> Mapping[Said, Sequence[int]]:
        """How each row is related to all others."""
        return self._some

    @property
    def nbytes(self) -> int:
        """About how much memory it takes."""
        relations = sum(packed.nbytes for packed in self._packed.values())
        return 2 * self._rows.nbytes + 2 * relations + self.memberships.nbytes + 400 * len(self)

    def row(self, row: int) -> BitRows:
        """The members of a row."""
        found: BitRows = self._rows[row]
        return found

    def counts(self, region: BitRows) -> Integers:
        """How many of a set of individuals each row holds."""
        columns = region.nonzero()[0]
        inside = np.bitwise_count(self._by_word[columns] & region[columns, None])
        found: Integers = inside.sum(axis=0, dtype=np.int64)
        return found

    def related(self, said: Said, first_rows: Positions, second_rows: Positions) -> BoolMatrix:
        """What ``some`` says of each of some rows and each of others: (first, second)."""
        return unpacked_rows(self._packed[said][first_rows], len(self))[:, second_rows]

    def within(self, region: BitRows, rows: Positions, said: bool) -> BitRows:
        """Who of a set is in each of some rows (or, denied, outside it)."""
        columns = region.nonzero()[0]
        described = self._by_word[columns[:, None], rows]
        return region[columns, None] & (described if said else ~described)

    def meets(self, region: BitRows, said: bool) -> int:
        """The rows in which somebody of a set is (or, denied, outside of which)."""
        columns = region.nonzero()[0]
        words = region[columns, None]
        inside = self._by_word[columns] & words
        return packed_rows((inside != (0 if said else words)).any(axis=0)[None, :])[0]


def packed_rows(matrix: BoolMatrix) -> tuple[int, ...]:
    """The rows of a matrix as Python integers: bit r of an integer is column r."""
    packed = np.packbits(matrix, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def unpacked_rows(packed: Bytes, columns: int) -> BoolMatrix:
    """The rows of a matrix of so many columns that was packed into bytes."""
    return np.unpackbits(packed, axis=1, count=columns, bitorder="little").view(np.bool_)


def positions(bits: int, size: int) -> Positions:
    """The positions, rising from 0, of the bits that are set; they stand below ``size``."""
    data = np.frombuffer(bits.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    found: Positions = unpacked_rows(data[None, :], size)[0].nonzero()[0]
    return found


def members_of_words(words: BitRows) -> Positions:
    """The positions, rising, of the bits that are set in words."""
    filled = words.nonzero()[0]
    bits = (
        np.unpackbits(words[filled].view(np.uint8), bitorder="little").view(np.bool_).nonzero()[0]
    )
    found: Positions = filled[bits >> 6] * 64 + (bits & 63)
    return found


def words_of(members: Positions, size: int) -> BitRows:
    """Members of a domain of so many, as bits of words, least significant first."""
    matrix = np.zeros((1, size), dtype=np.bool_)
    matrix[0, members] = True
    words: BitRows = _words(matrix)[0]
    return words


def _words(matrix: BoolMatrix) -> BitRows:
    """The rows of a matrix packed into 64-bit words, least significant word first."""
    packed = np.packbits(matrix, axis=1, bitorder="little")
    words = (packed.shape[1] + 7) // 8
    filled = np.zeros((len(packed), words * 8), dtype=np.uint8)
    filled[:, : packed.shape[1]] = packed
    return filled.view("<u8")
