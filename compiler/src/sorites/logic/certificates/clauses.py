"""Formulas grounded to clauses: over the names in them and a number for each existential.

Complete for formulas in which no existential stands below a universal: the models of such formulas
that have nobody but the named and the witnesses are enough (Bernays and Schönfinkel). So each
argument scheme has a refutation over these clauses or a model among these individuals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from nltk.sem.logic import (
    AllExpression,
    AndExpression,
    ApplicationExpression,
    ExistsExpression,
    Expression,
    IffExpression,
    ImpExpression,
    NegatedExpression,
    OrExpression,
)

from sorites.errors import SoritesError
from sorites.logic.formulas import Formula, parse

__all__ = ["MAX_CLAUSES", "Ground", "NotInFragment", "ground", "inhabited"]

MAX_CLAUSES = 20_000
"""Clauses of one formula: what people can read has a handful."""

Atom = tuple[str, tuple[str, ...]]
_Literal = tuple[bool, Atom]
_Clauses = list[tuple[_Literal, ...]]


class NotInFragment(SoritesError):
    """A formula of which no complete grounding is known, or with too many clauses."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Clauses as numbers, negative for a negated atom; ``atoms[n - 1]`` is the atom n."""

    individuals: tuple[str, ...]
    atoms: tuple[Atom, ...]
    clauses: tuple[tuple[int, ...], ...]


def inhabited(formulas: Sequence[Formula]) -> list[Formula]:
    """That each predicate is true of somebody, in the order of the predicates."""
    names = dict.fromkeys(name for formula in formulas for name in formula.symbols.predicates)
    return [parse(f"exists x.{name}(x)") for name in names]


def ground(formulas: Sequence[Formula]) -> Ground:
    """The clauses of formulas; witnesses are numbered in the order of the formulas' texts.

    Raises NotInFragment for an existential below a universal, and beyond MAX_CLAUSES.
    """
    named = [*dict.fromkeys(name for formula in formulas for name in formula.symbols.individuals)]
    first = [0]
    for formula in formulas:
        first.append(first[-1] + _normal_form(formula).witnesses)
    individuals = (*named, *map(str, range(1, first[-1] + 1))) or ("1",)
    numbers: dict[Atom, int] = {}
    found = []
    for formula, before in zip(formulas, first, strict=False):
        for clause in _clauses_of(formula, before, individuals):
            found.append(
                tuple(
                    dict.fromkeys(
                        numbers.setdefault(atom, len(numbers) + 1) * (1 if sign else -1)
                        for sign, atom in clause
                    )
                )
            )
    return Ground(individuals, tuple(numbers), tuple(found))


@lru_cache(maxsize=20_000)
def _normal_form(formula: Formula) -> _NormalForm:
    witnesses = _Witnesses()
    tree = _normal(formula.tree, True, {}, witnesses)
    return _NormalForm(tree, len(witnesses.names))


# An argument is grounded several times: with each premise left out, and with either conclusion.
@lru_cache(maxsize=2_000)
def _clauses_of(formula: Formula, before: int, individuals: tuple[str, ...]) -> _Clauses:
    """The clauses of a formula, where ``before`` witnesses are those of formulas before it."""
    form = _normal_form(formula)
    known = {_witness(n): str(before + n) for n in range(1, form.witnesses + 1)}
    return _clauses(form.tree, known, individuals)


def _witness(number: int) -> str:
    """What a witness is called in a normal form: no name of a formula is like it."""
    return f"?{number}"


class _Witnesses:
    def __init__(self) -> None:
        self.names: list[str] = []

    def new(self) -> str:
        self.names.append(_witness(len(self.names) + 1))
        return self.names[-1]


@dataclass(frozen=True, slots=True)
class _Lit:
    sign: bool
    predicate: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Joined:
    """Parts all of which are true (``every``), or one of them."""

    every: bool
    parts: tuple[_Tree, ...]


@dataclass(frozen=True, slots=True)
class _Universal:
    variable: str
    body: _Tree


_Tree = _Lit | _Joined | _Universal


@dataclass(frozen=True, slots=True)
class _NormalForm:
    """A formula with its negations at the atoms; its existentials are of so many witnesses."""

    tree: _Tree
    witnesses: int


def _normal(
    term: Expression,
    sign: bool,
    known: Mapping[str, str],
    witnesses: _Witnesses,
    inside: bool = False,
) -> _Tree:
    """Negations moved to the atoms, and a witness for each existential."""

    def part(of: Expression, its_sign: bool) -> _Tree:
        return _normal(of, its_sign, known, witnesses, inside)

    match term:
        case ApplicationExpression():
            about = tuple(known.get(name, name) for name in map(str, term.args))
            return _Lit(sign, str(term.pred), about)
        case NegatedExpression():
            return part(term.term, not sign)
        case AndExpression():
            return _Joined(sign, (part(term.first, sign), part(term.second, sign)))
        case OrExpression():
            return _Joined(not sign, (part(term.first, sign), part(term.second, sign)))
        case ImpExpression():
            return _Joined(not sign, (part(term.first, not sign), part(term.second, sign)))
        case IffExpression():
            there = _Joined(not sign, (part(term.first, not sign), part(term.second, sign)))
            back = _Joined(not sign, (part(term.second, not sign), part(term.first, sign)))
            return _Joined(sign, (there, back))
        case AllExpression() | ExistsExpression():
            variable = term.variable.name
            if isinstance(term, AllExpression) == sign:
                return _Universal(variable, _normal(term.term, sign, known, witnesses, True))
            if inside:
                raise NotInFragment(f"an existential stands below a universal: {term}")
            chosen = {**known, variable: witnesses.new()}
            return _normal(term.term, sign, chosen, witnesses, inside)
    raise NotInFragment(f"not a formula that can be certified: {term}")


def _clauses(tree: _Tree, known: Mapping[str, str], individuals: Sequence[str]) -> _Clauses:
    match tree:
        case _Lit():
            about = tuple(known.get(name, name) for name in tree.about)
            return [((tree.sign, (tree.predicate, about)),)]
        case _Universal():
            return [
                clause
                for name in individuals
                for clause in _clauses(tree.body, {**known, tree.variable: name}, individuals)
            ]
    parts = [_clauses(part, known, individuals) for part in tree.parts]
    if tree.every:
        return [clause for part in parts for clause in part]
    return [*_any_of(parts)]


def _any_of(parts: Iterable[_Clauses]) -> Iterator[tuple[_Literal, ...]]:
    each = [*parts]
    number = 1
    for part in each:
        number *= len(part)
    if number > MAX_CLAUSES:
        raise NotInFragment(f"a formula has more than {MAX_CLAUSES:,} clauses")
    for chosen in product(*each):
        yield tuple(literal for clause in chosen for literal in clause)
