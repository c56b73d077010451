"""Which classes each unbound predicate may still be bound to, while others are bound one by one.

A set of classes is a Python integer: bit r stands for row r of the domain.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sorites.families.argument_schemes.search.conditions import Condition, Conditions, Literal
from sorites.families.argument_schemes.search.memberships import Positions
from sorites.families.argument_schemes.search.space import (
    BoolMatrix,
    Said,
    Space,
    packed_rows,
    positions,
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
    a bound predicate, how a condition describes somebody beside its row, and whether somebody
    should be so; ``others`` are the conditions that no relation of two rows answers.
    """

    twin: bool
    rows: int
    tables: tuple[tuple[str, Said, bool], ...]
    others: tuple[Condition, ...]


class Narrowing:
    """The conditions of a search in one domain, checked as early as they can be.

    ``small`` says that the domain is one of which all pairs of classes are looked at once.
    """

    def __init__(self, of: Callable[[], Space], wanted: Conditions) -> None:
        self._of = of
        space = of()
        self._wanted = wanted
        self._everything = (1 << len(space)) - 1
        self._twins = {name for pair in wanted.same for name in pair}
        self._needs = {condition: condition.predicates for condition in wanted.conditions}
        self._clauses = [
            condition
            for condition in wanted.conditions
            if not condition.wanted and len(condition.literals) > 2
        ]
        # Nothing of the domain is kept here, so that it can be forgotten and made again.
        self.small = len(space) ** 2 * len(space.universe_row) <= MAX_PAIRS
        self._of_two: dict[tuple[str, str], list[tuple[tuple[bool, bool], bool]]] = {}
        self._checks: dict[tuple[frozenset[str], str, str | None], _Checks] = {}
        self._started: tuple[tuple[int, frozenset[str]], OpenRows | None] | None = None

    @property
    def _space(self) -> Space:
        return self._of()

    def start(self, barred: Collection[int], fixed: Collection[str]) -> OpenRows | None:
        """What is left for each predicate before any is bound; None if nothing for one of them.

        No predicate may be bound to a row that is barred, save those that are ``fixed``.
        """
        left_out = sum(1 << row for row in barred)
        key = left_out, frozenset(fixed)
        # Draw after draw leaves out the same.
        if self._started is None or self._started[0] != key:
            mask = self._everything & ~left_out
            several = self._space.several
            free = {
                name: self._everything
                if name in fixed
                else mask & several
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
        space = self._space
        narrowed: OpenRows = {}
        for name, mask in open_rows.items():
            checks = self._checkable(bound, name, latest)
            left = mask & checks.rows
            if latest is not None and not checks.twin:
                left &= ~(1 << rows[latest])
            for other, said, wanted in checks.tables:
                related = space.some[said][rows[other]]
                left &= related if wanted else ~related
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
            if len(unbound) == 2 and self.small:
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
            pairs &= self._space.related(said, first_rows, second_rows) == wanted
        narrowed[first] = self._as_bits(first_rows[pairs.any(axis=1)])
        narrowed[second] = self._as_bits(second_rows[pairs.any(axis=0)])

    def _narrow_by_table(
        self, region: BitRows, unbound: Sequence[Literal], narrowed: OpenRows
    ) -> None:
        """The same in a small domain, where all pairs of its classes are looked at once."""
        (first, first_said), (second, second_said) = unbound
        key = region.tobytes(), first_said, second_said
        space = self._space
        table = space.apart.get(key)
        if table is None:
            if len(space.apart) >= MAX_TABLES:
                space.apart.clear()
            everything = np.arange(len(space))
            table = packed_rows(self._apart(region, unbound, everything, everything))
            space.apart[key] = table
        between = [(space.some[said], wanted) for said, wanted in self._between(first, second)]
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
        space = self._space
        one = space.within(region, first_rows, first_said)
        other = space.within(region, second_rows, second_said)
        both = np.bitwise_or.reduce(one[:, :, None] & other[:, None, :], axis=0)
        return np.asarray(both == 0)

    def _narrow_by_counting(
        self, region: BitRows, unbound: Sequence[Literal], narrowed: OpenRows
    ) -> None:
        """Drop classes too small to cover, with the largest of the others, what must be covered.

        Nobody in the region may be as the literals describe: each of their predicates keeps some
        of them out, and together they must keep out all.
        """
        size = int(np.bitwise_count(region).sum())
        within = self._space.counts(region)
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
                somebody = self._space.meets(self._space.universe_row, said[name])
                rows &= somebody if condition.wanted else ~somebody
            elif condition.body is None and len(said) == 2:
                (other,) = said.keys() - {name}
                tables.append((other, (said[other], said[name]), condition.wanted))
            else:
                others.append(condition)
        others.sort(key=lambda condition: (condition.body is not None, len(condition.literals)))
        return _Checks(twin, rows, tuple(tables), tuple(others))

    def _somebody(self, condition: Condition, name: str, rows: Mapping[str, int]) -> int:
        """The classes which, as the predicate, leave somebody as the condition describes."""
        space = self._space
        if condition.body is None:
            return space.meets(self._region(condition, rows), dict(condition.literals)[name])
        extensions = {other: space.row(row) for other, row in rows.items()}
        nobody = np.zeros_like(space.universe_row)
        inside, outside = (
            extension(condition.body, {**extensions, name: of}, space.universe_row)
            for of in (space.universe_row, nobody)
        )
        # Somebody in the class is of whom it is true of members, or outside it of others.
        return space.meets(inside, True) | space.meets(outside, False)

    def _region(self, condition: Condition, rows: Mapping[str, int]) -> BitRows:
        """Who fits those literals of a condition whose predicates are bound."""
        space = self._space
        region = space.universe_row
        for name, said in condition.literals:
            if name in rows:
                bits = space.row(rows[name])
                region = region & bits if said else region & ~bits
        return region

    def _as_bits(self, positions: Positions) -> int:
        chosen = np.zeros((1, len(self._space)), dtype=np.bool_)
        chosen[0, positions] = True
        return packed_rows(chosen)[0]
