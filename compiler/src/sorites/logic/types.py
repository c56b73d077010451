"""What follows from what, decided exactly over types, for formulas whose predicates are unary.

A type is a set of predicates: those that an individual satisfies. Formulas whose quantifiers do
not nest cannot tell two individuals of one type apart, so a model is a set of types with a type
for each named individual (the monadic class; Boolos, Burgess and Jeffrey, Computability and
Logic, chapter 21). With k predicates there are 2^k types, and one Python integer of 2^k bits
holds those of which a formula is true. A universal strikes types out; what is left must hold a
type for each existential and each named individual.

A predicate that stands in one formula alone, and is said there of one individual at a time, is
projected away beforehand: whatever is left is satisfiable with it exactly where it is without.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Literal

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

from sorites.logic.formulas import Formula, Symbols, is_quantified, parse, symbols_of
from sorites.logic.prover import Answer, Prover, Verdict

__all__ = ["MAX_PREDICATES", "Judgement", "TypeProver", "judge", "meaning"]

MAX_PREDICATES = 16
"""Predicates, after projection, up to which types are listed: 65,536 bits for each formula."""

MAX_CASES = 64
"""Ways in which the formulas of one question may be true together that are gone through."""

SMALL = 10
"""Predicates up to which the types of a formula are remembered."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict and, where it is ENTAILED, the premises (from 0) that cannot be left out.

    A set of premises that is enough holds them all, so the needed ones are the only minimal set
    exactly if they are enough themselves.
    """

    verdict: Verdict
    needed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class _Fact:
    """A body without quantifiers, said of all, of some, or of the named individual at a slot."""

    kind: Literal["all", "exists", "named"]
    body: _Body
    individual: int = -1


@dataclass(frozen=True, slots=True)
class _Body:
    """A Boolean combination of predicates: ``slot`` for an atom, else an operator over parts."""

    operator: Literal["atom", "not", "and", "or", "iff"]
    parts: tuple[_Body, ...] = ()
    slot: int = -1


_Case = tuple[_Fact, ...]


class _Undecided(Exception):
    """The question is outside the fragment, or too large to list its types."""


class TypeProver(Prover):
    """A prover that answers over types, and asks Z3 where types cannot answer.

    ``decided`` counts the questions that types have answered.
    """

    decided = 0

    def _possible(
        self, premises: Sequence[Formula], conclusion: Formula, *, denied: bool
    ) -> Answer:
        """Whether some model makes the premises true and the conclusion true, or false."""
        try:
            question = _Question([*premises, conclusion], self.existential_import)
            ways = [question.ways(index) for index in range(len(premises))]
            found = question.possible([*ways, question.ways(len(premises), sign=not denied)])
        except _Undecided:
            return super()._possible(premises, conclusion, denied=denied)
        self.decided += 1
        return Answer.YES if found else Answer.NO


def judge(
    premises: Sequence[Formula], conclusion: Formula, *, existential_import: bool = False
) -> Judgement | None:
    """How a conclusion stands to premises, and which it needs; None where types cannot tell.

    They cannot for nested quantifiers, for a named individual under a quantifier, for a predicate
    of several individuals, and beyond MAX_PREDICATES.
    """
    try:
        question = _Question([*premises, conclusion], existential_import)
        shown = [question.ways(index) for index in range(len(premises))]
        asserted = question.ways(len(premises))
        denied = question.ways(len(premises), sign=False)
        possible = question.possible([*shown, asserted])
        if question.possible([*shown, denied]):
            return Judgement(Verdict.UNDETERMINED if possible else Verdict.CONTRADICTED)
        if not possible:
            return Judgement(Verdict.INCONSISTENT)
        needed = [
            index
            for index in range(len(shown))
            if question.possible([*shown[:index], *shown[index + 1 :], denied])
        ]
        return Judgement(Verdict.ENTAILED, frozenset(needed))
    except _Undecided:
        return None


_Masked = tuple[int, tuple[int, ...], tuple[tuple[str, int], ...]]
"""A case as masks: types allowed, types of which some must occur, types of named individuals."""


class _Question:
    """Formulas that are put together, over the types of the predicates that they share."""

    def __init__(self, formulas: Sequence[Formula], existential_import: bool) -> None:
        self._formulas = formulas
        uses = Counter(name for formula in formulas for name in formula.symbols.predicates)
        alone = {
            name
            for formula in formulas
            if _is_simple(formula.shape)
            for name in formula.symbols.predicates
            if uses[name] == 1
        }
        shared = [name for name in uses if name not in alone]
        if len(shared) > MAX_PREDICATES:
            raise _Undecided
        self._place = {name: place for place, name in enumerate(shared)}
        self._size = len(shared)
        self.everything = (1 << (1 << self._size)) - 1
        self._import = existential_import
        # Under existential import each predicate is true of somebody.
        self._inhabited = (
            tuple(_column(place, self._size) for place in range(self._size))
            if existential_import
            else ()
        )

    def ways(self, index: int, *, sign: bool = True) -> list[_Masked]:
        """The ways in which a formula of the question can be true (or, denied, false)."""
        formula = self._formulas[index]
        places = tuple(self._place.get(name, -1) for name in formula.symbols.predicates)
        named = formula.symbols.individuals
        found = []
        for case in _ways(formula.shape, sign):
            allowed = self.everything
            some: list[int] = []
            said: list[tuple[str, int]] = []
            for fact in case:
                mask = _mask(fact.body, places, self._size)
                if fact.kind == "all":
                    allowed &= mask
                    if self._import:
                        some += [
                            _mask(fact.body, places, self._size, slot)
                            for slot, place in enumerate(places)
                            if place < 0
                        ]
                elif fact.kind == "exists":
                    some.append(mask)
                else:
                    said.append((named[fact.individual], mask))
            found.append((allowed, tuple(some), tuple(said)))
        return found

    def possible(self, formulas: Sequence[Sequence[_Masked]]) -> bool:
        """Whether there is a model in which each formula is true in one of its ways."""
        ways = 1
        for cases in formulas:
            ways *= len(cases)
        if ways > MAX_CASES:
            raise _Undecided
        return any(self._possible(chosen) for chosen in product(*formulas))

    def _possible(self, chosen: Sequence[_Masked]) -> bool:
        allowed = self.everything
        for mask, _, _ in chosen:
            allowed &= mask
        if not allowed:
            return False
        individuals: dict[str, int] = {}
        for _, some, said in chosen:
            for mask in some:
                if not mask & allowed:
                    return False
            for name, mask in said:
                left = individuals.get(name, allowed) & mask
                if not left:
                    return False
                individuals[name] = left
        return all(mask & allowed for mask in self._inhabited)


@lru_cache(maxsize=4_096)
def _is_simple(shape: str) -> bool:
    """Whether it and its negation say one thing each, of all, of some, or of one individual."""
    return all(
        len(cases) == 1 and len(cases[0]) == 1
        for cases in (_ways(shape, True), _ways(shape, False))
    )


@lru_cache(maxsize=8_192)
def _ways(shape: str, sign: bool) -> tuple[_Case, ...]:
    """The ways in which formulas of a shape can be true (or false), in the slots of its symbols."""
    formula = parse(shape)
    return tuple(_cases(formula.tree, sign, formula.symbols))


def _cases(tree: Expression, sign: bool, known: Symbols) -> Iterator[_Case]:
    match tree:
        case AllExpression() | ExistsExpression():
            if is_quantified(tree.term):
                raise _Undecided
            universal = isinstance(tree, AllExpression) == sign
            body = _body(tree.term, known, str(tree.variable))
            yield (_Fact("all" if universal else "exists", body if sign else _not(body)),)
            return
    if not is_quantified(tree):
        individuals = symbols_of(tree).individuals
        if len(individuals) == 1:
            body = _body(tree, known, individuals[0])
            slot = known.individuals.index(individuals[0])
            yield (_Fact("named", body if sign else _not(body), slot),)
            return
    match tree:
        case NegatedExpression():
            yield from _cases(tree.term, not sign, known)
        case AndExpression():
            yield from _both(tree.first, tree.second, sign, sign, known, joined=sign)
        case OrExpression():
            yield from _both(tree.first, tree.second, sign, sign, known, joined=not sign)
        case ImpExpression():
            yield from _both(tree.first, tree.second, not sign, sign, known, joined=not sign)
        case IffExpression():
            yield from _both(tree.first, tree.second, True, sign, known, joined=True)
            yield from _both(tree.first, tree.second, False, not sign, known, joined=True)
        case _:
            raise _Undecided


def _both(
    first: Expression,
    second: Expression,
    first_sign: bool,
    second_sign: bool,
    known: Symbols,
    *,
    joined: bool,
) -> Iterator[_Case]:
    """Both parts as their signs say (joined), or either."""
    ones = list(_cases(first, first_sign, known))
    others = list(_cases(second, second_sign, known))
    if not joined:
        yield from (*ones, *others)
        return
    if len(ones) * len(others) > MAX_CASES:
        raise _Undecided
    for one, other in product(ones, others):
        yield (*one, *other)


def _body(tree: Expression, known: Symbols, about: str) -> _Body:
    match tree:
        case ApplicationExpression():
            if [str(argument) for argument in tree.args] != [about]:
                raise _Undecided
            return _Body("atom", slot=known.predicates.index(str(tree.pred)))
        case NegatedExpression():
            return _not(_body(tree.term, known, about))
        case AndExpression():
            parts = _body(tree.first, known, about), _body(tree.second, known, about)
            return _Body("and", parts)
        case OrExpression():
            parts = _body(tree.first, known, about), _body(tree.second, known, about)
            return _Body("or", parts)
        case ImpExpression():
            parts = _not(_body(tree.first, known, about)), _body(tree.second, known, about)
            return _Body("or", parts)
        case IffExpression():
            parts = _body(tree.first, known, about), _body(tree.second, known, about)
            return _Body("iff", parts)
    raise _Undecided


def _not(body: _Body) -> _Body:
    return _Body("not", (body,))


def _mask(body: _Body, places: tuple[int, ...], size: int, inhabited: int = -1) -> int:
    """The types of which a body is true of somebody, as bits.

    ``places`` gives the place of each slot's predicate among the shared ones, -1 for one that
    stands here alone: it may be true or false. At the slot ``inhabited`` it is true.
    """
    if size <= SMALL:
        return _small_mask(body, places, size, inhabited)
    return _projected(body, places, size, inhabited)


def _projected(body: _Body, places: tuple[int, ...], size: int, inhabited: int) -> int:
    everything = (1 << (1 << size)) - 1
    columns = [0 if place < 0 else _column(place, size) for place in places]
    free = [slot for slot, place in enumerate(places) if place < 0 and slot != inhabited]
    if inhabited >= 0:
        columns[inhabited] = everything
    found = 0
    for chosen in product((0, everything), repeat=len(free)):
        for slot, column in zip(free, chosen, strict=True):
            columns[slot] = column
        found |= _types(body, columns, everything)
    return found


_small_mask = lru_cache(maxsize=65_536)(_projected)


def _types(body: _Body, columns: Sequence[int], everything: int) -> int:
    match body.operator:
        case "atom":
            return columns[body.slot]
        case "not":
            return everything ^ _types(body.parts[0], columns, everything)
    first, second = (_types(part, columns, everything) for part in body.parts)
    match body.operator:
        case "and":
            return first & second
        case "or":
            return first | second
    return everything ^ first ^ second


@cache
def _column(place: int, size: int) -> int:
    """The types, of 2^size, that hold the predicate at a place."""
    half = 1 << place
    block = ((1 << half) - 1) << half
    found = block
    width = 2 * half
    while width < 1 << size:
        found |= found << width
        width *= 2
    return found


def meaning(formula: Formula, predicates: Sequence[str]) -> tuple[object, ...]:
    """What a formula says, over predicates that hold all of its own: equal if equivalent.

    Formulas that say one thing of all, of some, or of one individual are equal exactly if they
    are equivalent; of others, those with one text.

    >>> one, other = parse("all x.(F(x) -> -G(x))"), parse("all x.(G(x) -> -F(x))")
    >>> meaning(one, "FG") == meaning(other, "FG")
    True
    """
    try:
        simple = _is_simple(formula.shape)
    except _Undecided:
        simple = False
    if not simple:
        return (formula.text,)
    ((fact,),) = _ways(formula.shape, True)
    places = tuple(predicates.index(name) for name in formula.symbols.predicates)
    about = formula.symbols.individuals[fact.individual] if fact.kind == "named" else ""
    return fact.kind, about, _mask(fact.body, places, len(predicates))
