"""A domain that is too large to hold its classes as bits: all is derived from who is in what.

How a row is related to all others follows from the classes that its members are in, which are
few; so nothing is held of two rows that no search has asked about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sorites.families.argument_schemes.search.memberships import Integers, Memberships, Positions
from sorites.families.argument_schemes.search.recent import Recent
from sorites.families.argument_schemes.search.space import (
    BoolMatrix,
    Said,
    Space,
    members_of_words,
    packed_rows,
    words_of,
)
from sorites.logic.truth import BitRows

__all__ = ["REMEMBERED", "SparseSpace"]

REMEMBERED = 32 << 20
"""Bytes of rows, of counts and of relations, each, that a domain remembers."""

_SAID: tuple[Said, ...] = ((True, True), (True, False), (False, True), (False, False))


class SparseSpace(Space):
    """A domain as compressed rows of members, and of the rows that each individual is in."""

    def __init__(
        self,
        domain: int | None,
        individuals: Positions,
        names: Sequence[Sequence[int]],
        memberships: Memberships,
    ) -> None:
        super().__init__(domain, individuals, names, memberships)
        self._sizes = memberships.sizes
        self._rows_of = memberships.transposed()
        self._degrees = self._rows_of.sizes
        self._words: Recent[int, BitRows] = Recent(REMEMBERED)
        self._counts: Recent[bytes, Integers] = Recent(REMEMBERED)
        self._shared: Recent[int, Integers] = Recent(REMEMBERED)
        self._some = {said: _Relation(self, said) for said in _SAID}

    @property
    def some(self) -> Mapping[Said, Sequence[int]]:
        """How each row is related to all others, found when a row is asked for."""
        return self._some

    @property
    def nbytes(self) -> int:
        """About how much memory it takes, with all that it may remember."""
        return 2 * self.memberships.nbytes + 4 * REMEMBERED + 400 * len(self)

    def row(self, row: int) -> BitRows:
        """The members of a row."""
        found = self._words.get(row)
        if found is None:
            found = words_of(self.memberships[row].astype(np.intp), len(self.individuals))
            self._words.put(row, found, found.nbytes)
        return found

    def counts(self, region: BitRows) -> Integers:
        """How many of a set of individuals each row holds."""
        key = region.tobytes()
        found = self._counts.get(key)
        if found is None:
            size = int(np.bitwise_count(region).sum())
            if 2 * size <= len(self.individuals):
                found = self._rows_of.counts(members_of_words(region))
            else:
                # What is left out is less, and every row holds the rest.
                left_out = members_of_words(self.universe_row & ~region)
                found = self._sizes - self._rows_of.counts(left_out)
            self._counts.put(key, found, found.nbytes + len(key))
        return found

    def related(self, said: Said, first_rows: Positions, second_rows: Positions) -> BoolMatrix:
        """What ``some`` says of each of some rows and each of others: (first, second)."""
        if first_rows.size > second_rows.size:
            return self.related((said[1], said[0]), second_rows, first_rows).T
        found = np.zeros((first_rows.size, second_rows.size), dtype=np.bool_)
        for place, row in enumerate(first_rows.tolist()):
            found[place] = self.beside(said, row)[second_rows]
        return found

    def beside(self, said: Said, row: int) -> BoolMatrix:
        """Whether somebody is, for a row and each row of the domain, as it is said of the two."""
        own = int(self._sizes[row])
        both = self._both(row)
        match said:
            case True, True:
                return both > 0
            case True, False:
                return both < own
            case False, True:
                return both < self._sizes
            case _:
                return self._sizes - both < len(self.individuals) - own

    def within(self, region: BitRows, rows: Positions, said: bool) -> BitRows:
        """Who of a set is in each of some rows (or, denied, outside it)."""
        columns = region.nonzero()[0]
        described = np.zeros((rows.size, len(columns) * 64), dtype=np.bool_)
        place = np.full(len(self.universe_row), -1, dtype=np.intp)
        place[columns] = np.arange(len(columns))
        members = members_of_words(region)
        if self._degrees[members].sum() < self._sizes[rows].sum():
            at = np.full(len(self), -1, dtype=np.intp)
            at[rows] = np.arange(rows.size)
            who = np.repeat(members, self._degrees[members])
            which = at[self._rows_of.gathered(members)]
            who, which = who[which >= 0], which[which >= 0]
        else:
            who = self.memberships.gathered(rows).astype(np.intp)
            which = np.repeat(np.arange(rows.size), self._sizes[rows])
            kept = place[who >> 6] >= 0
            who, which = who[kept], which[kept]
        described[which, place[who >> 6] * 64 + (who & 63)] = True
        words = np.packbits(described, axis=1, bitorder="little").view("<u8").T
        found: BitRows = region[columns, None] & (words if said else ~words)
        return found

    def _both(self, row: int) -> Integers:
        """How many members a row shares with each row."""
        members = self.memberships[row]
        if 2 * len(members) > len(self.individuals):
            return self.counts(self.row(row))
        found = self._shared.get(row)
        if found is None:
            found = self._rows_of.counts(members.astype(np.intp))
            self._shared.put(row, found, found.nbytes)
        return found


class _Relation(Sequence[int]):
    """One way in which rows are related, found row by row."""

    def __init__(self, space: SparseSpace, said: Said) -> None:
        self._space = space
        self._said = said
        self._found: Recent[int, int] = Recent(REMEMBERED // len(_SAID))

    def __len__(self) -> int:
        return len(self._space)

    def __getitem__(self, row: int) -> int:  # type: ignore[override]
        found = self._found.get(row)
        if found is None:
            found = packed_rows(self._space.beside(self._said, row)[None, :])[0]
            self._found.put(row, found, len(self._space) // 8 + 100)
        return found
