"""Finite models of first-order formulas: truth in one, and a search for one of a given size.

A formula is worked out from its parts up. What a part says depends on its free variables, so it
is a table: one cell for each way to give them individuals. The cells are truth values where a
model is given; where one is searched, they are propositional formulas, which Z3's SAT solver
decides. The search knows nothing of how Z3 treats quantifiers, and a model found is checked by
its truth values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeVar

import z3

from sorites.logic.first_order.trees import (
    Kind,
    Node,
    Symbol,
    Term,
    fold,
    fold_term,
    symbols_of,
)

__all__ = ["MAX_CELLS", "MAX_SIZE", "FiniteModel", "TooLarge", "find_model", "is_true"]

MAX_SIZE = 4
"""Individuals of the largest models that are searched."""

MAX_CELLS = 20_000
"""Cells of all tables of a question together."""


class TooLarge(Exception):
    """The tables of a formula would have more than MAX_CELLS cells."""


@dataclass(frozen=True, slots=True)
class FiniteModel:
    """Individuals 0 to ``size`` - 1; of each predicate the rows that it is true of, and of each
    function (a constant is one of nothing) its value for each row."""

    size: int
    predicates: Mapping[Symbol, frozenset[tuple[int, ...]]]
    functions: Mapping[Symbol, Mapping[tuple[int, ...], int]]


Truth = TypeVar("Truth")


@dataclass(frozen=True, slots=True)
class _Algebra(Generic[Truth]):
    """How truth values are combined, and what an atom of individuals is."""

    constant: Callable[[bool], Truth]
    negation: Callable[[Truth], Truth]
    conjunction: Callable[[Sequence[Truth]], Truth]
    disjunction: Callable[[Sequence[Truth]], Truth]
    equivalence: Callable[[Truth, Truth], Truth]
    atom: Callable[[Symbol, tuple[int, ...]], Truth]
    value: Callable[[Symbol, tuple[int, ...], int], Truth]


@dataclass(frozen=True, slots=True)
class _Table(Generic[Truth]):
    """A cell for each way to give the variables individuals, in the order of ``product``."""

    variables: tuple[str, ...]
    cells: Sequence[Truth]


def is_true(root: Node, model: FiniteModel) -> bool:
    """Whether a formula without free variables is true in a model.

    Raises KeyError for a symbol that the model does not have, and TooLarge.
    """
    algebra: _Algebra[bool] = _Algebra(
        constant=lambda value: value,
        negation=lambda value: not value,
        conjunction=all,
        disjunction=any,
        equivalence=lambda one, other: one == other,
        atom=lambda symbol, row: row in model.predicates[symbol],
        value=lambda symbol, row, individual: model.functions[symbol][row] == individual,
    )
    return _Tables(algebra, model.size).truth(root)


def find_model(
    formulas: Sequence[Node],
    size: int,
    *,
    inhabited: Sequence[Symbol],
    resource_limit: int,
    context: z3.Context,
) -> FiniteModel | None:
    """A model with ``size`` individuals in which all formulas are true; None where none is found.

    Each predicate of ``inhabited`` is true of something in it. Raises TooLarge. None is no proof
    that there is none of this size: the solver may have met its limit.
    """
    symbols = symbols_of(formulas)
    known: dict[tuple[object, ...], z3.BoolRef] = {}

    def variable(*key: object) -> z3.BoolRef:
        if key not in known:
            known[key] = z3.Bool(f"{size}/{len(known)}", context)
        return known[key]

    algebra: _Algebra[z3.BoolRef | bool] = _Algebra(
        constant=lambda value: value,
        negation=_negation,
        conjunction=lambda parts: _junction(parts, z3.And, True),
        disjunction=lambda parts: _junction(parts, z3.Or, False),
        equivalence=_equivalence,
        atom=lambda symbol, row: variable(symbol, row),
        value=lambda symbol, row, individual: variable(symbol, row, individual),
    )
    tables = _Tables(algebra, size)
    solver = z3.SolverFor("QF_FD", ctx=context)
    solver.set("rlimit", resource_limit)
    solver.set("random_seed", 0)
    individuals = range(size)
    if sum(size**symbol.arity for symbol in symbols) > MAX_CELLS:
        raise TooLarge
    for formula in formulas:
        solver.add(tables.truth(formula))
    for symbol in symbols.functions:
        for row in product(individuals, repeat=symbol.arity):
            values = [variable(symbol, row, each) for each in individuals]
            solver.add(z3.PbEq([(value, 1) for value in values], 1, context))
    for number, symbol in enumerate(each for each in symbols.functions if each.arity == 0):
        # Individuals are numbered as constants name them: models that differ in that alone are one.
        solver.add(z3.Or([variable(symbol, (), each) for each in individuals[: number + 1]]))
    for symbol in inhabited:
        rows = product(individuals, repeat=symbol.arity)
        solver.add(z3.Or([variable(symbol, row) for row in rows]))
    if solver.check() != z3.sat:
        return None
    found = solver.model()

    def holds(*key: object) -> bool:
        return bool(z3.is_true(found.eval(variable(*key), model_completion=True)))

    return FiniteModel(
        size,
        {
            symbol: frozenset(
                row for row in product(individuals, repeat=symbol.arity) if holds(symbol, row)
            )
            for symbol in symbols.predicates
        },
        {
            symbol: {
                row: next((each for each in individuals if holds(symbol, row, each)), 0)
                for row in product(individuals, repeat=symbol.arity)
            }
            for symbol in symbols.functions
        },
    )


class _Tables(Generic[Truth]):
    """Works formulas out over a universe."""

    def __init__(self, algebra: _Algebra[Truth], size: int) -> None:
        self._algebra = algebra
        self._individuals = range(size)
        self._cells = 0

    def truth(self, root: Node) -> Truth:
        """What a formula without free variables says."""
        return fold(root, self._node).cells[0]

    def _node(self, node: Node, below: Sequence[_Table[Truth]]) -> _Table[Truth]:
        algebra = self._algebra
        match node.kind:
            case Kind.TRUE | Kind.FALSE:
                return _Table((), [algebra.constant(node.kind is Kind.TRUE)])
            case Kind.ATOM:
                symbol = Symbol(node.name, len(node.terms), True)
                return self._said(node.terms, lambda row: algebra.atom(symbol, row))
            case Kind.EQUAL:
                return self._said(node.terms, lambda row: algebra.constant(row[0] == row[1]))
            case Kind.NOT:
                return self._filled(below, lambda cells: algebra.negation(cells[0]))
            case Kind.AND:
                return self._filled(below, algebra.conjunction)
            case Kind.OR:
                return self._filled(below, algebra.disjunction)
            case Kind.IMPLIES:
                return self._filled(
                    below,
                    lambda cells: algebra.disjunction([algebra.negation(cells[0]), cells[1]]),
                )
            case Kind.IFF:
                return self._filled(below, lambda cells: algebra.equivalence(*cells))
            case Kind.XOR:
                return self._filled(below, self._odd)
        joined = algebra.conjunction if node.kind is Kind.ALL else algebra.disjunction
        return self._quantified(node.name, below[0], joined)

    def _odd(self, cells: Sequence[Truth]) -> Truth:
        found = cells[0]
        for cell in cells[1:]:
            found = self._algebra.negation(self._algebra.equivalence(found, cell))
        return found

    def _filled(
        self, below: Sequence[_Table[Truth]], combine: Callable[[Sequence[Truth]], Truth]
    ) -> _Table[Truth]:
        """A table of what is combined of the cells of others, over all of their variables."""
        variables = tuple(dict.fromkeys(name for table in below for name in table.variables))
        self._count(len(variables), len(below))
        size = len(self._individuals)
        steps = []
        for table in below:
            weights = {
                name: size ** (len(table.variables) - 1 - place)
                for place, name in enumerate(table.variables)
            }
            steps.append([weights.get(name, 0) for name in variables])
        cells = []
        for row in product(self._individuals, repeat=len(variables)):
            cells.append(
                combine(
                    [
                        table.cells[sum([each * step for each, step in zip(row, own, strict=True)])]
                        for table, own in zip(below, steps, strict=True)
                    ]
                )
            )
        return _Table(variables, cells)

    def _quantified(
        self, name: str, body: _Table[Truth], joined: Callable[[Sequence[Truth]], Truth]
    ) -> _Table[Truth]:
        if name not in body.variables:
            return body
        size = len(self._individuals)
        place = body.variables.index(name)
        step = size ** (len(body.variables) - 1 - place)
        left = body.variables[:place] + body.variables[place + 1 :]
        cells = [
            joined(
                [
                    body.cells[before * step * size + each * step + after]
                    for each in self._individuals
                ]
            )
            for before in range(size**place)
            for after in range(step)
        ]
        return _Table(left, cells)

    def _said(self, terms: Sequence[Term], of: Callable[[tuple[int, ...]], Truth]) -> _Table[Truth]:
        """What is said of terms: of each row of individuals, where the terms are that row."""
        algebra = self._algebra
        if all(term.is_variable for term in terms):
            variables = tuple(dict.fromkeys(term.name for term in terms))
            self._count(len(variables), 1)
            places = [variables.index(term.name) for term in terms]
            rows = product(self._individuals, repeat=len(variables))
            return _Table(variables, [of(tuple([row[place] for place in places])) for row in rows])
        values = [fold_term(term, self._term) for term in terms]
        cases = []
        self._count(len(terms), 1)
        for row in product(self._individuals, repeat=len(terms)):
            met = [value[each] for value, each in zip(values, row, strict=True)]
            said: _Table[Truth] = _Table((), [of(row)])
            cases.append(self._filled([*met, said], algebra.conjunction))
        return self._filled(cases, algebra.disjunction)

    def _term(
        self, term: Term, below: Sequence[Sequence[_Table[Truth]]]
    ) -> Sequence[_Table[Truth]]:
        """For each individual, when the term is that one."""
        algebra = self._algebra
        if term.is_variable:
            return [
                _Table(
                    (term.name,), [algebra.constant(each == other) for other in self._individuals]
                )
                for each in self._individuals
            ]
        symbol = Symbol(term.name, len(below), False)
        if not below:
            return [_Table((), [algebra.value(symbol, (), each)]) for each in self._individuals]
        found = []
        for each in self._individuals:
            cases = []
            self._count(len(below), 1)
            for row in product(self._individuals, repeat=len(below)):
                met = [value[at] for value, at in zip(below, row, strict=True)]
                said: _Table[Truth] = _Table((), [algebra.value(symbol, row, each)])
                cases.append(self._filled([*met, said], algebra.conjunction))
            found.append(self._filled(cases, algebra.disjunction))
        return found

    def _count(self, variables: int, parts: int) -> None:
        # The product is not worked out where it is astronomical.
        if variables > 14:
            if len(self._individuals) > 1:
                raise TooLarge
            variables = 0
        self._cells += int(len(self._individuals) ** variables) * max(parts, 1)
        if self._cells > MAX_CELLS:
            raise TooLarge


def _negation(value: z3.BoolRef | bool) -> z3.BoolRef | bool:
    return not value if isinstance(value, bool) else z3.Not(value)


def _junction(
    parts: Sequence[z3.BoolRef | bool],
    join: Callable[..., z3.BoolRef],
    neutral: bool,
) -> z3.BoolRef | bool:
    open_ = []
    for part in parts:
        if not isinstance(part, bool):
            open_.append(part)
        elif part is not neutral:
            return part
    if not open_:
        return neutral
    return join(open_) if len(open_) > 1 else open_[0]


def _equivalence(one: z3.BoolRef | bool, other: z3.BoolRef | bool) -> z3.BoolRef | bool:
    if isinstance(one, bool):
        return other if one else _negation(other)
    if isinstance(other, bool):
        return one if other else _negation(one)
    return one == other
