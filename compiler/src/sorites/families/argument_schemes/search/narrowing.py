"""Which classes each unbound predicate may still be bound to, while others are bound one by one.

A set of classes is a Python integer: bit r stands for row r of the domain.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sorites.families.argument_schemes.search.conditions import Condition, Conditions, Literal
from sorites.families.argument_schemes.search.world import (
    BoolMatrix,
    Positions,
    Space,
    packed_rows,
    positions,
    unpacked_rows,
)
from sorites.logic.truth import BitRows, extension

__all__ = ["Narrowing", "OpenRows"]

MAX_PAIRS = 40_000
"""Pairs of classes, times words to compare, beyond which looking at all pairs does not pay."""

MAX_TABLES = 4_096
"""Tables of pairs that a small domain remembers."""

OpenRows = dict[str, int]
"""The rows that each unbound predicate may still be bound to, as bits."""


@dataclass(frozen=True, slots=True)
class _Checks:
    """What can be checked of an unbound predicate as soon as one more is bound.

    ``rows`` are those that will do for what is said of the predicate alone; ``tables`` hold, for
    a bound predicate, the rows beside which somebody is as a condition describes, and whether
    somebody should be; ``others`` are the conditions that no table answers.
    """

    twin: bool
    rows: int
    tables: tuple[tuple[str, Sequence[int], bool], ...]
    others: tuple[Condition, ...]


class Narrowing:
    """The conditions of a search in one domain, checked as early as they can be."""

    def __init__(self, space: Space, wanted: Conditions) -> None:
        self._space = space
        self._wanted = wanted
        self._everything = (1 << len(space)) - 1
        self._twins = {name for pair in wanted.same for name in pair}
        self._several = sum(1 << row for row, names in enumerate(space.names) if len(names) > 1)
        self._needs = {condition: condition.predicates for condition in wanted.conditions}
        self._clauses = [
            condition
            for condition in wanted.conditions
            if not condition.wanted and len(condition.literals) > 2
        ]
        self._small = len(space) ** 2 * len(space.universe_row) <= MAX_PAIRS
        self._of_two: dict[tuple[str, str], list[tuple[tuple[bool, bool], bool]]] = {}
        self._checks: dict[tuple[frozenset[str], str, str | None], _Checks] = {}
        self._started: tuple[tuple[int, frozenset[str]], OpenRows | None] | None = None

    def start(self, barred: Collection[int], fixed: Collection[str]) -> OpenRows | None:
        """What is left for each predicate before any is bound; None if nothing for one of them.

        No predicate may be bound to a row that is barred, save those that are ``fixed``.
        """
        left_out = sum(1 << row for row in barred)
        key = left_out, frozenset(fixed)
        # Draw after draw leaves out the same.
        if self._started is None or self._started[0] != key:
            mask = self._everything & ~left_out
            free = {
                name: self._everything
                if name in fixed
                else mask & self._several
                if name in self._twins
                else mask
                for name in self._wanted.predicates
            }
            self._started = key, self.narrowed(free, {}, None)
        found = self._started[1]
        return None if found is None else dict(found)

    def narrowed(
        self, open_rows: Mapping[str, int], rows: Mapping[str, int], latest: str | None
    ) -> OpenRows | None:
        """What is left for each unbound predicate now that one more is bound; None if nothing."""
        bound = frozenset(rows)
        narrowed: OpenRows = {}
        for name, mask in open_rows.items():
            checks = self._checkable(bound, name, latest)
            left = mask & checks.rows
            if latest is not None and not checks.twin:
                left &= ~(1 << rows[latest])
            for other, table, wanted in checks.tables:
                left &= table[rows[other]] if wanted else ~table[rows[other]]
            for condition in checks.others if left else ():
                somebody = self._somebody(condition, name, rows)
                left &= somebody if condition.wanted else ~somebody
            if not left:
                return None
            narrowed[name] = left
        for clause in self._clauses:
            if latest is not None and latest not in self._needs[clause]:
                continue
            unbound = [literal for literal in clause.literals if literal[0] in narrowed]
            if len(unbound) < 2:
                continue
            region = self._region(clause, rows)
            if len(unbound) == 2 and self._small:
                self._narrow_by_table(region, unbound, narrowed)
                continue
            self._narrow_by_counting(region, unbound, narrowed)
            if len(unbound) == 2:
                self._narrow_by_pairs(region, unbound, narrowed)
        return narrowed if all(narrowed.values()) else None

    def _narrow_by_pairs(
        self, region: BitRows, unbound: Sequence[Literal], narrowed: OpenRows
    ) -> None:
        """Drop, for two unbound predicates, every class for which no class of the other will do.

        Two will do if they leave nobody of the region as the literals describe, and are as the
        conditions on the two of them want it.
        """
        (first, _), (second, _) = unbound
        first_rows = positions(narrowed[first], len(self._space))
        second_rows = positions(narrowed[second], len(self._space))
        if first_rows.size * second_rows.size * np.count_nonzero(region) > MAX_PAIRS:
            return
        pairs = self._apart(region, unbound, first_rows, second_rows)
        for said, wanted in self._between(first, second):
            table = self._space.packed_some[said][first_rows]
            pairs &= unpacked_rows(table, len(self._space))[:, second_rows] == wanted
        narrowed[first] = self._as_bits(first_rows[pairs.any(axis=1)])
        narrowed[second] = self._as_bits(second_rows[pairs.any(axis=0)])

    def _narrow_by_table(
        self, region: BitRows, unbound: Sequence[Literal], narrowed: OpenRows
    ) -> None:
        """The same in a small domain, where all pairs of its classes are looked at once."""
        (first, first_said), (second, second_said) = unbound
        key = region.tobytes(), first_said, second_said
        table = self._space.apart.get(key)
        if table is None:
            if len(self._space.apart) >= MAX_TABLES:
                self._space.apart.clear()
            everything = np.arange(len(self._space))
            table = packed_rows(self._apart(region, unbound, everything, everything))
            self._space.apart[key] = table
        between = [
            (self._space.some[said], wanted) for said, wanted in self._between(first, second)
        ]
        kept = beside = 0
        left, others = narrowed[first], narrowed[second]
        while left:
            lowest = left & -left
            row = lowest.bit_length() - 1
            fitting = table[row] & others
            for some, wanted in between:
                fitting &= some[row] if wanted else ~some[row]
            if fitting:
                kept |= lowest
                beside |= fitting
            left ^= lowest
        narrowed[first], narrowed[second] = kept, beside

    def _between(self, first: str, second: str) -> list[tuple[tuple[bool, bool], bool]]:
        """The conditions on two predicates alone: how they are said, and what is wanted."""
        found = self._of_two.get((first, second))
        if found is None:
            found = []
            for condition in self._wanted.conditions:
                if len(condition.literals) == 2 and self._needs[condition] == {first, second}:
                    said = dict(condition.literals)
                    found.append(((said[first], said[second]), condition.wanted))
            self._of_two[first, second] = found
        return found

    def _apart(
        self,
        region: BitRows,
        unbound: Sequence[Literal],
        first_rows: Positions,
        second_rows: Positions,
    ) -> BoolMatrix:
        """Whether two rows leave nobody of a region as the two literals describe."""
        (_, first_said), (_, second_said) = unbound
        columns = region.nonzero()[0]
        if not columns.size:
            return np.ones((first_rows.size, second_rows.size), dtype=np.bool_)
        words = region[columns, None]
        one = self._within(words, columns, first_rows, first_said)
        other = self._within(words, columns, second_rows, second_said)
        both = np.bitwise_or.reduce(one[:, :, None] & other[:, None, :], axis=0)
        return np.asarray(both == 0)

    def _within(self, words: BitRows, columns: Positions, rows: Positions, said: bool) -> BitRows:
        """Who of a region is in each of some classes (or, denied, outside it), word by word."""
        described = self._space.by_word[columns[:, None], rows]
        return words & (described if said else ~described)

    def _narrow_by_counting(
        self, region: BitRows, unbound: Sequence[Literal], narrowed: OpenRows
    ) -> None:
        """Drop classes too small to cover, with the largest of the others, what must be covered.

        Nobody in the region may be as the literals describe: each of their predicates keeps some
        of them out, and together they must keep out all.
        """
        size = int(np.bitwise_count(region).sum())
        columns = region.nonzero()[0]
        inside = np.bitwise_count(self._space.by_word[columns] & region[columns, None])
        within = inside.sum(axis=0, dtype=np.int64)
        kept_out = [within if not said else size - within for _, said in unbound]
        largest = [
            int(counts[positions(narrowed[name], len(self._space))].max(initial=0))
            for (name, _), counts in zip(unbound, kept_out, strict=True)
        ]
        for (name, _), counts, own in zip(unbound, kept_out, largest, strict=True):
            enough = counts + (sum(largest) - own) >= size
            narrowed[name] &= packed_rows(enough[None, :])[0]

    def _checkable(self, bound: frozenset[str], name: str, latest: str | None) -> _Checks:
        """The conditions that binding ``latest`` has made checkable for an unbound predicate."""
        key = bound, name, latest
        found = self._checks.get(key)
        if found is None:
            open_to = bound | {name}
            found = self._sorted_out(
                [
                    condition
                    for condition, needs in self._needs.items()
                    if name in needs and needs <= open_to and (latest is None or latest in needs)
                ],
                name,
                twin=frozenset((latest, name)) in self._wanted.same,
            )
            self._checks[key] = found
        return found

    def _sorted_out(self, conditions: Sequence[Condition], name: str, *, twin: bool) -> _Checks:
        rows = self._everything
        tables = []
        others = []
        for condition in conditions:
            said = dict(condition.literals)
            if condition.body is None and len(said) == 1:
                somebody = self._meets(self._space.universe_row, said[name])
                rows &= somebody if condition.wanted else ~somebody
            elif condition.body is None and len(said) == 2:
                (other,) = said.keys() - {name}
                table = self._space.some[said[other], said[name]]
                tables.append((other, table, condition.wanted))
            else:
                others.append(condition)
        others.sort(key=lambda condition: (condition.body is not None, len(condition.literals)))
        return _Checks(twin, rows, tuple(tables), tuple(others))

    def _somebody(self, condition: Condition, name: str, rows: Mapping[str, int]) -> int:
        """The classes which, as the predicate, leave somebody as the condition describes."""
        space = self._space
        if condition.body is None:
            return self._meets(self._region(condition, rows), dict(condition.literals)[name])
        extensions: dict[str, BitRows] = {other: space.rows[row] for other, row in rows.items()}
        extensions[name] = space.rows
        bits = extension(condition.body, extensions, space.universe_row)
        # What is true of somebody whatever the class has one row for all of them.
        some = (bits != 0).any(axis=-1) & np.ones(len(space), dtype=np.bool_)
        return packed_rows(some[None, :])[0]

    def _region(self, condition: Condition, rows: Mapping[str, int]) -> BitRows:
        """Who fits those literals of a condition whose predicates are bound."""
        region = self._space.universe_row
        for name, said in condition.literals:
            if name in rows:
                bits = self._space.rows[rows[name]]
                region = region & bits if said else region & ~bits
        return region

    def _meets(self, region: BitRows, asserted: bool) -> int:
        """The classes in which somebody in the region is (or, denied, outside of which)."""
        columns = region.nonzero()[0]
        words = region[columns, None]
        inside = self._space.by_word[columns] & words
        return packed_rows((inside != (0 if asserted else words)).any(axis=0)[None, :])[0]

    def _as_bits(self, positions: Positions) -> int:
        chosen = np.zeros((1, len(self._space)), dtype=np.bool_)
        chosen[0, positions] = True
        return packed_rows(chosen)[0]
