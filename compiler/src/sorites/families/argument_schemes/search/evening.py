"""How often each of few bindings is used, so that no class stands in more arguments than it must.

Where an ontology holds fewer bindings than are asked for, taking each once lets the classes of a
crowded domain stand in most arguments. A binding can be used again under other names: those of
other classes that have the same members in its domain. How often is an integer programme, solved
exactly: the most frequent class stands in as few arguments as can be; of all such choices, one
that uses as many bindings as can be; of those, the one whose weights, drawn at random, sum to
least, so that the answer does not depend on the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, product
from random import Random

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array, hstack, vstack

from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.space import Space

__all__ = ["Evened", "even_out", "largest_share", "named_otherwise"]

MAX_NAMED = 150
"""Ways to name the classes of one binding that are looked at."""

MAX_VARIABLES = 5_000
"""Ways to name those of all bindings, beyond which each is used once, as it is."""

MAX_NODES = 20_000
"""Nodes of one search of the solver, after which each binding is used once, as it is."""

MAX_WEIGHT = 10_000

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Evened:
    """Bindings, of which some may say the same under other names.

    ``least`` is the smallest number of them that the most frequent class can stand in.
    """

    bindings: tuple[Binding, ...]
    least: int


def largest_share(bindings: Sequence[Binding]) -> float:
    """The share of bindings that the most frequent class stands in."""
    uses = Counter(index for binding in bindings for index in {*binding.classes.values()})
    return max(uses.values(), default=0) / max(len(bindings), 1)


def named_otherwise(binding: Binding, space: Space) -> list[Binding]:
    """A binding under all names that its sets of members have in its domain, at most MAX_NAMED."""
    rows = [space.row_of[index] for index in binding.classes.values()]
    ways = (
        named
        for named in product(*(space.names[row] for row in rows))
        if len({*named}) == len(named)
    )
    return [
        Binding(dict(zip(binding.classes, named, strict=True)), binding.individuals, binding.domain)
        for named in islice(ways, MAX_NAMED)
    ]


def even_out(named: Sequence[Sequence[Binding]], count: int, random: Random) -> Evened | None:
    """So many bindings, each from one of the groups, which hold what says the same.

    None where there are not so many, or too many to find the best choice among them.
    """
    ways = [binding for group in named for binding in group]
    if not count <= len(ways) <= MAX_VARIABLES:
        return None
    group_of = np.repeat(np.arange(len(named)), [len(group) for group in named])
    programme = _Programme(ways, group_of, count)
    least = programme.fewest_uses()
    if least is None:
        return None
    most = programme.most_groups(least)
    if most is None:
        return None
    weights = np.array([random.randint(1, MAX_WEIGHT) for _ in ways], dtype=np.float64)
    chosen = programme.lightest(least, most, weights)
    if chosen is None:
        return None
    return Evened(tuple(ways[position] for position in chosen), least)


class _Programme:
    """Variables: for each way to name a binding whether it is used, then one for each group."""

    def __init__(self, ways: Sequence[Binding], group_of: NDArray[np.int64], count: int) -> None:
        classes = sorted({index for binding in ways for index in binding.classes.values()})
        row_of = {index: row for row, index in enumerate(classes)}
        self._ways, self._groups, self._count = len(ways), int(group_of[-1]) + 1, count
        cells = [
            (row_of[index], column)
            for column, binding in enumerate(ways)
            for index in binding.classes.values()
        ]
        self._uses = _matrix(cells, len(classes), self._ways)
        self._grouped = _matrix(
            [*zip(group_of.tolist(), range(self._ways), strict=True)], self._groups, self._ways
        )
        self._classes = len(classes)

    def fewest_uses(self) -> int | None:
        """The smallest number of choices that the most frequent class can stand in."""
        # The last variable bounds the uses of every class.
        bounded = hstack([self._uses, csr_array(-np.ones((self._classes, 1)))])
        total = hstack([csr_array(np.ones((1, self._ways))), csr_array((1, 1))])
        solved = _solve(
            np.append(np.zeros(self._ways), 1.0),
            [
                LinearConstraint(bounded, -np.inf, 0),
                LinearConstraint(total, self._count, self._count),
            ],
            np.append(np.ones(self._ways), float(self._count)),
        )
        return None if solved is None else round(solved[-1])

    def most_groups(self, least: int) -> int | None:
        """How many groups can be used while no class stands in more choices than so many."""
        solved = _solve(
            np.append(np.zeros(self._ways), -np.ones(self._groups)),
            self._held(least, 0),
            np.ones(self._ways + self._groups),
        )
        return None if solved is None else round(solved[self._ways :].sum())

    def lightest(self, least: int, groups: int, weights: Floats) -> list[int] | None:
        """The positions of the choice of least weight that uses so many groups."""
        solved = _solve(
            np.append(weights, np.zeros(self._groups)),
            self._held(least, groups),
            np.ones(self._ways + self._groups),
        )
        return None if solved is None else np.flatnonzero(solved[: self._ways] > 0.5).tolist()

    def _held(self, least: int, groups: int) -> list[LinearConstraint]:
        none = csr_array((self._classes, self._groups))
        one = csr_array(np.ones((1, self._ways)))
        each = csr_array(np.ones((1, self._groups)))
        identity = csr_array(np.eye(self._groups))
        return [
            LinearConstraint(hstack([self._uses, none]), -np.inf, least),
            # A group counts where one of its ways is used.
            LinearConstraint(hstack([self._grouped, -identity]), 0, np.inf),
            LinearConstraint(
                vstack(
                    [
                        hstack([one, csr_array((1, self._groups))]),
                        hstack([csr_array((1, self._ways)), each]),
                    ]
                ),
                [self._count, groups],
                [self._count, self._groups],
            ),
        ]


def _solve(cost: Floats, constraints: list[LinearConstraint], upper: Floats) -> Floats | None:
    """The best whole numbers from 0 up to ``upper``; None where the solver gave up."""
    found = milp(
        cost,
        constraints=constraints,
        integrality=np.ones_like(cost),
        bounds=Bounds(0, upper),
        options={"mip_rel_gap": 0.0, "node_limit": MAX_NODES},
    )
    return np.asarray(found.x, dtype=np.float64) if found.status == 0 else None


def _matrix(cells: Sequence[tuple[int, int]], rows: int, columns: int) -> csr_array:
    at = np.array(cells, dtype=np.int64)
    return csr_array((np.ones(len(at)), (at[:, 0], at[:, 1])), shape=(rows, columns))
