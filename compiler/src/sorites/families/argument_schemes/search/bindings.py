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

from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.narrowing import Narrowing, OpenRows
from sorites.families.argument_schemes.search.world import Space, positions
from sorites.logic.truth import extension

__all__ = ["Binding", "BindingSearch", "Usage", "draw_weight"]

STEPS_OF_A_DRAW = 60
"""Partial bindings that one draw may visit: enough to try each class in the place where a
scheme is tight, too few to stay for long with a start that leads nowhere."""

MAX_STEPS = 60_000
"""Partial bindings of one domain that the exhaustive search visits before it settles for what
it has found."""

FRUITLESS_DRAWS = 40
"""Draws in a row without a new binding after which a search goes through all there are."""

Integers = NDArray[np.int64]


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
    _of_rows: dict[Space, Integers] = field(default_factory=dict)

    def count(self, binding: Binding) -> None:
        """Take note of a binding that was kept."""
        self.classes.update(binding.classes.values())
        self.individuals.update(binding.individuals.values())
        for space, uses in self._of_rows.items():
            for index in binding.classes.values():
                if (row := space.row_of.get(index)) is not None:
                    uses[row] += 1

    def of_rows(self, space: Space) -> Integers:
        """How often the classes of each row of a domain were bound."""
        if space not in self._of_rows:
            uses = np.zeros(len(space), dtype=np.int64)
            for index, times in self.classes.items():
                if (row := space.row_of.get(index)) is not None:
                    uses[row] += times
            self._of_rows[space] = uses
        return self._of_rows[space]


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
        twins = {name for pair in wanted.same for name in pair}
        self.cut_short = False
        self.exhausted = len(space) < len(wanted.predicates) - len(twins)
        self._in_vain: dict[str, Integers] = {}
        self.narrowing = Narrowing(space, wanted)

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

    def all(self, random: Random, most_steps: int = MAX_STEPS) -> Iterator[Binding]:
        """Every binding of rows of classes, in a random order, with one name for each row.

        Each comes with one individual for each named one. Ends early after so many steps.
        """
        steps = _Steps(most_steps)
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
        open_rows = self.narrowing.start(barred, fixed)
        rows: dict[str, int] = {}
        for name in self.wanted.predicates:
            if open_rows is not None and name in fixed:
                row = self.space.row_of.get(fixed[name])
                if row is None or not open_rows[name] >> row & 1:
                    return
                rows[name] = row
                del open_rows[name]
                open_rows = self.narrowing.narrowed(open_rows, rows, name)
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
                self._tried(name, left, 1)
            row = next(candidates, None)
            if row is None:
                stack.pop()
                continue
            rows[name] = row
            steps.left -= 1
            if steps.left <= 0:
                start, _, _ = stack[0]
                self._tried(start, rows[start], 1)
                return
            rest = {other: mask for other, mask in open_rows.items() if other != name}
            if not rest:
                start, _, _ = stack[0]
                self._tried(start, rows[start], -1)
                yield dict(rows)
                continue
            narrowed = self.narrowing.narrowed(rest, rows, name)
            if narrowed is not None:
                stack.append(self._frame(narrowed, usage, random))

    def _frame(
        self, open_rows: OpenRows, usage: Usage, random: Random, name: str | None = None
    ) -> tuple[str, Iterator[int], OpenRows]:
        """The predicate with the fewest classes left, and those classes in the order to try."""
        if name is None:
            name = min(open_rows, key=lambda other: open_rows[other].bit_count())
        return name, self._in_order(name, open_rows[name], usage, random), open_rows

    def _in_order(self, name: str, candidates: int, usage: Usage, random: Random) -> Iterator[int]:
        """Rows drawn one after the other: first those rarely used and rarely tried in vain."""
        rows = positions(candidates, len(self.space))
        in_vain = self._in_vain.get(name)
        counted = usage.of_rows(self.space)[rows]
        if in_vain is not None:
            counted = counted + np.maximum(in_vain[rows], 0)
        weights = _weights(counted)
        for left in range(len(rows), 0, -1):
            place = _drawn(random, weights[:left])
            yield int(rows[place])
            rows[place] = rows[left - 1]
            weights[place] = weights[left - 1]

    def _tried(self, name: str, row: int, times: int) -> None:
        """Take note that starting at a row was in vain (or, with -1 times, was not)."""
        if name not in self._in_vain:
            self._in_vain[name] = np.zeros(len(self.space), dtype=np.int64)
        self._in_vain[name][row] += times

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
            possible[name] = self.space.nameable
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
            members = positions(bits, bits.bit_length())
            if not members.size:
                return None
            uses = [usage.individuals.get(index, 0) for index in members.tolist()]
            drawn[name] = int(members[_drawn(random, _weights(np.array(uses, dtype=np.int64)))])
        return drawn


def draw_weight(used: int) -> int:
    """How much a class counts in a draw: an eighth for each time it was used before."""
    return int(8 ** max(0, _RARELY - used))


_RARELY = 12
"""Uses above which one more makes no difference."""

_WEIGHT = np.array([draw_weight(used) for used in range(_RARELY + 1)], dtype=np.int64)


def _weights(uses: Integers) -> Integers:
    return _WEIGHT[np.minimum(uses, _RARELY)]


def _drawn(random: Random, weights: Integers) -> int:
    """A position drawn as ``Random.choices`` draws it: sums of these weights are exact."""
    upto = weights.cumsum()
    return int(upto[:-1].searchsorted(random.random() * float(upto[-1]), side="right"))
