"""Classes and individuals for the symbols of an argument, under which its premises are true.

One search serves every scheme. For each predicate it keeps the classes that it may still be
bound to; binding one predicate checks, over all classes of the domain at once, every condition
that has become checkable for another. The predicate with the fewest classes left is bound next,
to a class drawn with rarely used ones first. At a dead end the search steps back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from sorites.families.argument_schemes.search.conditions import Condition, Conditions, Literal
from sorites.families.argument_schemes.search.world import Space
from sorites.logic.truth import BitRows, extension

__all__ = ["Binding", "BindingSearch", "Usage", "draw_weight"]

STEPS_OF_A_DRAW = 60
"""Partial bindings that one draw may visit: enough to try each class in the place where a
scheme is tight, too few to stay for long with a start that leads nowhere."""

MAX_STEPS = 60_000
"""Partial bindings of one domain that the exhaustive search visits before it settles for what
it has found."""

MAX_PAIRS = 40_000
"""Pairs of classes, times words to compare, beyond which looking at all pairs does not pay."""

FRUITLESS_DRAWS = 40
"""Draws in a row without a new binding after which a search goes through all there are."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Binding:
    """Class numbers of the predicates, individual numbers of the names, and the domain."""

    classes: Mapping[str, int]
    individuals: Mapping[str, int]
    domain: int | None = None


@dataclass(slots=True)
class Usage:
    """How often each class and individual was bound so far; what is rare is drawn first."""

    classes: Counter[int] = field(default_factory=Counter)
    individuals: Counter[int] = field(default_factory=Counter)

    def count(self, binding: Binding) -> None:
        """Take note of a binding that was kept."""
        self.classes.update(binding.classes.values())
        self.individuals.update(binding.individuals.values())


@dataclass(slots=True)
class _Steps:
    left: int


class BindingSearch:
    """Finds bindings for one set of conditions in one domain.

    ``exhausted`` turns true when a draw has shown that the domain holds no binding at all,
    ``cut_short`` when going through all of them took too many steps.
    """

    def __init__(self, space: Space, wanted: Conditions) -> None:
        self.space = space
        self.wanted = wanted
        self._twins = {name for pair in wanted.same for name in pair}
        self.cut_short = False
        self.exhausted = len(space) < len(wanted.predicates) - len(self._twins)
        self._in_vain: Counter[tuple[str, int]] = Counter()
        self._needs = {condition: condition.predicates for condition in wanted.conditions}
        self._clauses = [
            condition
            for condition in wanted.conditions
            if not condition.wanted and len(condition.literals) > 2
        ]
        self._checks: dict[tuple[frozenset[str], str, str | None], list[Condition]] = {}

    def draw(
        self,
        random: Random,
        usage: Usage,
        *,
        fixed: Mapping[str, int] | None = None,
        fixed_individuals: Mapping[str, int] | None = None,
        avoid: Sequence[int] = (),
        steps: int = STEPS_OF_A_DRAW,
    ) -> Binding | None:
        """One binding drawn at random, or None if none was found in so many steps.

        ``fixed`` binds some predicates to class numbers beforehand, ``fixed_individuals`` some
        names; ``avoid`` are classes that may not be bound, nor others with the same members.
        """
        barred = {self.space.row_of[index] for index in avoid if index in self.space.row_of}
        budget = _Steps(steps)
        for rows in self._walk(random, usage, fixed or {}, barred, budget):
            return self._named(rows, random, usage, fixed or {}, fixed_individuals or {})
        if not fixed and not avoid and budget.left > 0:
            self.exhausted = True
        return None

    def all(self, random: Random) -> Iterator[Binding]:
        """Every binding of rows of classes, in a random order, with one name for each row.

        Each comes with one individual for each named one. Ends early after MAX_STEPS.
        """
        steps = _Steps(MAX_STEPS)
        for rows in self._walk(random, Usage(), {}, set(), steps):
            binding = self._named(rows, random, Usage(), {}, {})
            if binding is not None:
                yield binding
        self.cut_short = steps.left <= 0

    def _walk(
        self,
        random: Random,
        usage: Usage,
        fixed: Mapping[str, int],
        barred: set[int],
        steps: _Steps,
    ) -> Iterator[dict[str, int]]:
        """Rows for all predicates, depth first, for at most so many steps."""
        mask = np.ones(len(self.space), dtype=np.bool_)
        mask[list(barred)] = False
        several = np.array([len(names) > 1 for names in self.space.names], dtype=np.bool_)
        free = {
            name: (mask & several if name in self._twins else mask) | (name in fixed)
            for name in self.wanted.predicates
        }
        open_rows = self._narrow(free, {}, None)
        rows: dict[str, int] = {}
        for name in self.wanted.predicates:
            if open_rows is not None and name in fixed:
                row = self.space.row_of.get(fixed[name])
                if row is None or not open_rows[name][row]:
                    return
                rows[name] = row
                del open_rows[name]
                open_rows = self._narrow(open_rows, rows, name)
        if open_rows is None:
            return
        if not open_rows:
            yield rows
            return
        # Starting where least is left is quick; starting anywhere reaches every class.
        start = random.choice(list(open_rows)) if random.random() < 0.5 else None
        stack = [self._frame(open_rows, usage, random, start)]
        while stack:
            name, candidates, open_rows = stack[-1]
            left = rows.pop(name, None)
            if len(stack) == 1 and left is not None:
                self._in_vain[name, left] += 1
            row = next(candidates, None)
            if row is None:
                stack.pop()
                continue
            rows[name] = row
            steps.left -= 1
            if steps.left <= 0:
                start, _, _ = stack[0]
                self._in_vain[start, rows[start]] += 1
                return
            rest = {other: mask for other, mask in open_rows.items() if other != name}
            if not rest:
                start, _, _ = stack[0]
                self._in_vain[start, rows[start]] -= 1
                yield dict(rows)
                continue
            narrowed = self._narrow(rest, rows, name)
            if narrowed is not None:
                stack.append(self._frame(narrowed, usage, random))

    def _frame(
        self,
        open_rows: dict[str, Mask],
        usage: Usage,
        random: Random,
        name: str | None = None,
    ) -> tuple[str, Iterator[int], dict[str, Mask]]:
        """The predicate with the fewest classes left, and those classes in the order to try."""
        if name is None:
            name = min(open_rows, key=lambda other: int(np.count_nonzero(open_rows[other])))
        candidates = np.flatnonzero(open_rows[name]).tolist()
        return name, self._in_order(name, candidates, usage, random), open_rows

    def _in_order(
        self, name: str, candidates: list[int], usage: Usage, random: Random
    ) -> Iterator[int]:
        """Rows drawn one after the other: first those rarely used and rarely tried in vain."""
        used = usage.classes
        names = self.space.names
        weights = [
            draw_weight(sum(used[index] for index in names[row]) + max(0, self._in_vain[name, row]))
            for row in candidates
        ]
        while candidates:
            position = random.choices(range(len(candidates)), weights)[0]
            yield candidates[position]
            candidates[position] = candidates[-1]
            weights[position] = weights[-1]
            candidates.pop()
            weights.pop()

    def _narrow(
        self, open_rows: dict[str, Mask], rows: Mapping[str, int], latest: str | None
    ) -> dict[str, Mask] | None:
        """What is left for each unbound predicate now that one more is bound; None if nothing."""
        bound = frozenset(rows)
        narrowed = {}
        for name, mask in open_rows.items():
            left = mask.copy()
            if latest is not None and frozenset((latest, name)) not in self.wanted.same:
                left[rows[latest]] = False
            for condition in self._checkable(bound, name, latest):
                somebody = self._somebody(condition, name, rows)
                left &= somebody if condition.wanted else ~somebody
                if not left.any():
                    return None
            narrowed[name] = left
        for clause in self._clauses:
            unbound = [literal for literal in clause.literals if literal[0] in narrowed]
            if latest is not None and latest not in self._needs[clause]:
                continue
            if len(unbound) == 2:
                self._narrow_by_pairs(clause, unbound, rows, narrowed)
            elif len(unbound) > 2:
                self._narrow_by_counting(clause, unbound, rows, narrowed)
        return narrowed if all(mask.any() for mask in narrowed.values()) else None

    def _narrow_by_pairs(
        self,
        clause: Condition,
        unbound: Sequence[Literal],
        rows: Mapping[str, int],
        narrowed: dict[str, Mask],
    ) -> None:
        """Drop, for two unbound predicates, every class for which no class of the other will do.

        A pair will do if it leaves nobody as the condition describes.
        """
        self._narrow_by_counting(clause, unbound, rows, narrowed)
        (first, first_said), (second, second_said) = unbound
        first_rows = np.flatnonzero(narrowed[first])
        second_rows = np.flatnonzero(narrowed[second])
        region = self._region(clause, rows)
        columns = np.flatnonzero(region)
        if first_rows.size * second_rows.size * columns.size > MAX_PAIRS:
            return
        described = self.space.by_word[columns]
        undescribed = ~described
        fits_first = (described if first_said else undescribed)[:, first_rows]
        fits_second = (described if second_said else undescribed)[:, second_rows]
        pairs = np.ones((first_rows.size, second_rows.size), dtype=np.bool_)
        for word, one, other in zip(region[columns], fits_first, fits_second, strict=True):
            pairs &= (one[:, None] & other[None, :] & word) == 0
        for condition in self.wanted.conditions:
            if dict(condition.literals).keys() == {first, second} and len(condition.literals) == 2:
                said = dict(condition.literals)
                table = self.space.some[said[first], said[second]]
                pairs &= table[np.ix_(first_rows, second_rows)] == condition.wanted
        narrowed[first][first_rows] = pairs.any(axis=1)
        narrowed[second][second_rows] = pairs.any(axis=0)

    def _region(self, condition: Condition, rows: Mapping[str, int]) -> BitRows:
        """Who fits those literals of a condition whose predicates are bound."""
        region = self.space.universe_row
        for name, said in condition.literals:
            if name in rows:
                bits = self.space.rows[rows[name]]
                region = region & bits if said else region & ~bits
        return region

    def _narrow_by_counting(
        self,
        clause: Condition,
        unbound: Sequence[Literal],
        rows: Mapping[str, int],
        narrowed: dict[str, Mask],
    ) -> None:
        """Drop classes too small to cover, with the largest of the others, what must be covered.

        Nobody may be as the condition describes. Whoever fits what is bound of it must be kept
        out by the predicates that are not bound yet, each of which keeps some of them out.
        """
        region = self._region(clause, rows)
        size = int(np.bitwise_count(region).sum())
        columns = np.flatnonzero(region)
        inside = np.bitwise_count(self.space.by_word[columns] & region[columns, None]).sum(axis=0)
        kept_out = [inside if not said else size - inside for _, said in unbound]
        largest = [
            int(counts[narrowed[name]].max(initial=0))
            for (name, _), counts in zip(unbound, kept_out, strict=True)
        ]
        for (name, _), counts, own in zip(unbound, kept_out, largest, strict=True):
            narrowed[name] &= counts + (sum(largest) - own) >= size

    def _checkable(self, bound: frozenset[str], name: str, latest: str | None) -> list[Condition]:
        """The conditions that binding ``latest`` has made checkable for an unbound predicate."""
        key = bound, name, latest
        found = self._checks.get(key)
        if found is None:
            open_to = bound | {name}
            found = [
                condition
                for condition, needs in self._needs.items()
                if name in needs and needs <= open_to and (latest is None or latest in needs)
            ]
            # Lookups in a table before walks over bits.
            found.sort(key=lambda condition: (condition.body is not None, len(condition.literals)))
            self._checks[key] = found
        return found

    def _somebody(self, condition: Condition, name: str, rows: Mapping[str, int]) -> Mask:
        """For each class as the predicate: is there somebody as the condition describes?"""
        space = self.space
        if condition.body is not None:
            extensions: dict[str, BitRows] = {other: space.rows[row] for other, row in rows.items()}
            extensions[name] = space.rows
            bits = extension(condition.body, extensions, space.universe_row)
            return np.asarray((bits != 0).any(axis=-1) & np.ones(len(space), dtype=np.bool_))
        said = dict(condition.literals)
        if len(said) == 2:
            (other,) = said.keys() - {name}
            row: Mask = space.some[said[other], said[name]][rows[other]]
            return row
        return self._meets(self._region(condition, rows), said[name])

    def _meets(self, region: BitRows, asserted: bool) -> Mask:
        """For each class: is somebody in the region in the class (or, denied, outside it)?"""
        columns = np.flatnonzero(region)
        words = region[columns, None]
        inside = self.space.by_word[columns] & words
        return np.asarray((inside != (0 if asserted else words)).any(axis=0))

    def _named(
        self,
        rows: Mapping[str, int],
        random: Random,
        usage: Usage,
        fixed: Mapping[str, int],
        fixed_individuals: Mapping[str, int],
    ) -> Binding | None:
        """A binding of rows, with one of each row's classes and with individuals."""
        individuals = self._draw_individuals(rows, usage, random, fixed_individuals)
        if individuals is None:
            return None
        classes: dict[str, int] = {}
        taken = {*fixed.values()}
        for name, row in rows.items():
            if name in fixed:
                classes[name] = fixed[name]
                continue
            names = [index for index in self.space.names[row] if index not in taken]
            if not names:
                return None
            weights = [draw_weight(usage.classes[index]) for index in names]
            classes[name] = random.choices(names, weights)[0]
            taken.add(classes[name])
        return Binding(classes, individuals, self.space.domain)

    def _draw_individuals(
        self,
        rows: Mapping[str, int],
        usage: Usage,
        random: Random,
        fixed: Mapping[str, int],
    ) -> dict[str, int] | None:
        extensions = {name: self.space.bits[row] for name, row in rows.items()}
        possible: dict[str, int] = {}
        for name, said in self.wanted.individuals.items():
            possible[name] = self.space.universe
            for body in said:
                possible[name] &= extension(body, extensions, self.space.universe)
        drawn: dict[str, int] = {}
        # Whoever has the least choice chooses first.
        for name in sorted(possible, key=lambda name: possible[name].bit_count()):
            bits = possible[name]
            if name in fixed:
                if not bits >> fixed[name] & 1:
                    return None
                drawn[name] = fixed[name]
                continue
            for taken in (*drawn.values(), *fixed.values()):
                bits &= ~(1 << taken)
            members = _positions(bits)
            if not members:
                return None
            weights = [draw_weight(usage.individuals[index]) for index in members]
            drawn[name] = random.choices(members, weights)[0]
        return drawn


def draw_weight(used: int) -> int:
    """How much a class counts in a draw: an eighth for each time it was used before."""
    return int(8 ** max(0, 12 - used))


def _positions(bits: int) -> list[int]:
    positions = []
    while bits:
        lowest = bits & -bits
        positions.append(lowest.bit_length() - 1)
        bits ^= lowest
    return positions
