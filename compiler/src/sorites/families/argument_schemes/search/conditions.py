"""What premises demand of the classes that are bound to their predicates.

Nothing here knows a scheme. A premise that quantifies over everything is a conjunction of
clauses; each must hold in the domain, and none of its proper subclauses may (else the premise
would be trivially true: its subject empty, a disjunct idle, its predicate true of everything),
save those that the scheme's own premises entail, such as the idle disjunct of a disjunctive
syllogism. What is said of a named individual needs somebody of whom it is true.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

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
from sorites.logic.formulas import Formula, is_quantified, parse, symbols_of
from sorites.logic.prover import Answer, Prover

__all__ = [
    "Condition",
    "Conditions",
    "ConditionsError",
    "Literal",
    "conditions",
    "nontrivial_subclauses",
]

Literal = tuple[str, bool]
"""A predicate and whether it is asserted."""

Clause = frozenset[Literal]

MAX_CLAUSES = 64
"""Clauses of one premise; a formula that needs more is no sentence that anybody reads."""


class ConditionsError(SoritesError):
    """A premise that cannot be searched for in an ontology."""


@dataclass(frozen=True, slots=True)
class Condition:
    """Whether somebody in the domain is all of the literals at once: must be so, or must not.

    ``body`` stands in for ``literals`` where the condition is no conjunction of literals.
    """

    literals: tuple[Literal, ...]
    wanted: bool
    body: Expression | None = None

    @property
    def predicates(self) -> frozenset[str]:
        """The predicates that must be bound before the condition can be checked."""
        if self.body is not None:
            return frozenset(symbols_of(self.body).predicates)
        return frozenset(name for name, _ in self.literals)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Everything that premises demand: of their predicates, and of each named individual.

    ``individuals`` maps a name to what must be true of it, as formulas over that name. ``same``
    are the pairs of predicates that the premises say are true of the same individuals: they are
    bound to two classes with the same members, all others to classes with different ones.
    """

    predicates: tuple[str, ...]
    conditions: tuple[Condition, ...]
    individuals: dict[str, tuple[Expression, ...]]
    same: frozenset[frozenset[str]] = frozenset()

    def joined(self, other: Conditions) -> Conditions:
        """Everything that both demand."""
        names = dict.fromkeys([*self.individuals, *other.individuals])
        return Conditions(
            tuple(dict.fromkeys([*self.predicates, *other.predicates])),
            tuple(dict.fromkeys([*self.conditions, *other.conditions])),
            {
                name: (*self.individuals.get(name, ()), *other.individuals.get(name, ()))
                for name in names
            },
            self.same | other.same,
        )


def conditions(
    premises: Sequence[Formula],
    prover: Prover,
    *,
    trivial: bool = False,
    conclusion: Formula | None = None,
) -> Conditions:
    """The conditions under which all premises are true and, unless allowed, none trivially.

    A conclusion that the premises entail adds nothing to what is found; as a condition of its
    own it prunes the search.

    Raises ConditionsError for a premise that speaks of two named individuals, mixes named
    individuals with quantifiers, or nests quantifiers.
    """
    found: dict[Condition, None] = {}
    individuals: dict[str, list[Expression]] = {}
    for premise in premises:
        parsed = premise.tree
        named = premise.symbols.individuals
        if named:
            if len(named) > 1 or is_quantified(parsed):
                raise ConditionsError(
                    f"the premise {premise} speaks of more than one named individual, or of one"
                    " and of everything at once"
                )
            individuals.setdefault(named[0], []).append(parsed)
            continue
        match parsed:
            case AllExpression() if not is_quantified(parsed.term):
                _add_universal(parsed.term, premises, prover, trivial, found)
            case ExistsExpression() if not is_quantified(parsed.term):
                found[_somebody(parsed.term)] = None
            case _:
                raise ConditionsError(
                    f"the premise {premise} is neither of the form all x.(…) nor exists x.(…)"
                    " nor about one named individual"
                )
    match None if conclusion is None else conclusion.tree:
        case AllExpression() as universal if not is_quantified(universal.term):
            _add_universal(universal.term, premises, prover, True, found)
    for said in individuals.values():
        found[_somebody(_conjunction(said))] = None
    predicates: dict[str, None] = {}
    for premise in premises:
        predicates |= dict.fromkeys(premise.symbols.predicates)
    return Conditions(
        tuple(predicates),
        tuple(found),
        {name: tuple(said) for name, said in individuals.items()},
        frozenset(
            frozenset(pair)
            for pair in combinations(predicates, 2)
            if prover.entails(premises, parse(f"all x.({pair[0]}(x) <-> {pair[1]}(x))"))
            is Answer.YES
        ),
    )


def nontrivial_subclauses(
    clause: Clause, premises: Sequence[Formula], prover: Prover
) -> list[Clause]:
    """The proper subclauses that must not hold: all but those that the premises entail."""
    kept = []
    for size in range(1, len(clause)):
        for literals in combinations(sorted(clause), size):
            formula = "all x.(" + " | ".join(_literal_text(literal) for literal in literals) + ")"
            if prover.entails(premises, parse(formula)) is not Answer.YES:
                kept.append(frozenset(literals))
    return kept


def _add_universal(
    body: Expression,
    premises: Sequence[Formula],
    prover: Prover,
    trivial: bool,
    found: dict[Condition, None],
) -> None:
    for clause in _clauses(body):
        # A clause holds where nobody is the opposite of all its literals.
        found[_nobody_outside(clause, wanted=False)] = None
        if trivial:
            continue
        subclauses = nontrivial_subclauses(clause, premises, prover)
        for subclause in subclauses:
            found[_nobody_outside(subclause, wanted=True)] = None
        for literal in sorted(clause):
            if clause - {literal} in subclauses:
                # Somebody satisfies the clause by this literal alone. That implies a condition
                # on each pair of predicates, which prunes the search before all are bound.
                for other in sorted(clause - {literal}):
                    pair = (literal, _opposite(other))
                    found[Condition(tuple(sorted(pair)), wanted=True)] = None


def _nobody_outside(clause: Clause, *, wanted: bool) -> Condition:
    return Condition(tuple(sorted(_opposite(literal) for literal in clause)), wanted)


def _somebody(body: Expression) -> Condition:
    clauses = _clauses(body)
    if all(len(clause) == 1 for clause in clauses):
        literals = tuple(sorted(literal for clause in clauses for literal in clause))
        return Condition(literals, wanted=True)
    return Condition((), wanted=True, body=body)


def _conjunction(parts: Iterable[Expression]) -> Expression:
    whole, *rest = parts
    for part in rest:
        whole = AndExpression(whole, part)
    return whole


def _opposite(literal: Literal) -> Literal:
    return literal[0], not literal[1]


def _literal_text(literal: Literal) -> str:
    return f"{literal[0]}(x)" if literal[1] else f"-{literal[0]}(x)"


def _clauses(body: Expression, asserted: bool = True) -> list[Clause]:
    """The conjunctive normal form of a formula without quantifiers; tautologies are left out."""
    match body:
        case ApplicationExpression():
            return [frozenset({(str(body.pred), asserted)})]
        case NegatedExpression():
            return _clauses(body.term, not asserted)
        case ImpExpression():
            return _join(
                _clauses(body.first, not asserted), _clauses(body.second, asserted), not asserted
            )
        case AndExpression():
            return _join(_clauses(body.first, asserted), _clauses(body.second, asserted), asserted)
        case OrExpression():
            return _join(
                _clauses(body.first, asserted), _clauses(body.second, asserted), not asserted
            )
        case IffExpression():
            forward = ImpExpression(body.first, body.second)
            backward = ImpExpression(body.second, body.first)
            return _clauses(AndExpression(forward, backward), asserted)
    raise ConditionsError(f"the formula {body} cannot be searched for in an ontology")


def _join(first: list[Clause], second: list[Clause], both: bool) -> list[Clause]:
    if both:
        return [*first, *second]
    if len(first) * len(second) > MAX_CLAUSES:
        raise ConditionsError(f"a premise falls into more than {MAX_CLAUSES} clauses")
    joined = [one | other for one in first for other in second]
    return [clause for clause in joined if not any(_opposite(lit) in clause for lit in clause)]
