"""Whether the schemes of a spec are what they claim to be: valid, minimal, and each its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from sorites.errors import Problem
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.conditions import ConditionsError, conditions
from sorites.logic.formulas import (
    CanonicalArgument,
    bound_variables,
    canonical_argument,
    is_monadic,
)
from sorites.logic.prover import Answer, Prover, Verdict
from sorites.specfile.reader import Document

__all__ = ["scheme_problems"]

PERMUTED = 6
"""Premises of a scheme, at most, that are put in every order to find a scheme that equals it."""


def scheme_problems(plan: ArgumentPlan, document: Document) -> list[Problem]:
    """Every scheme whose conclusion does not follow, that says too much, or that is there twice."""
    prover = Prover(existential_import=plan.existential_import, resource_limit=plan.resource_limit)
    problems: list[Problem] = []
    for scheme in plan.schemes:
        problems += _proof_problems(scheme, prover, document)
        problems += _symbol_problems(scheme, document)
        try:
            conditions(scheme.premises, prover)
        except ConditionsError as error:
            problems.append(document.problem(("schemes", scheme.position, "premises"), str(error)))
    return [*problems, *_twice(plan.schemes, document)]


def _proof_problems(scheme: Scheme, prover: Prover, document: Document) -> list[Problem]:
    place = ("schemes", scheme.position, "conclusion")
    if scheme.conclusion in scheme.premises:
        return [
            document.problem(
                place,
                f"the conclusion {scheme.conclusion} is one of the premises",
                "an argument concludes something that it has not said already",
            )
        ]
    match prover.verdict(scheme.premises, scheme.conclusion):
        case Verdict.ENTAILED:
            return _redundancies(scheme, prover, document)
        case Verdict.INCONSISTENT:
            return [
                document.problem(
                    ("schemes", scheme.position, "premises"),
                    "the premises contradict one another: anything follows from them",
                    "no ontology can make them true together",
                )
            ]
        case Verdict.UNKNOWN:
            return [
                document.problem(
                    place,
                    "the prover met its limit and cannot say whether the conclusion follows",
                    "raise logic.resource_limit or simplify the scheme",
                )
            ]
    model = prover.counter_model(scheme.premises, scheme.conclusion)
    return [
        document.problem(
            place,
            f"the conclusion {scheme.conclusion} does not follow: all premises are true and it"
            f" is false where {model}",
            _import_hint(scheme, prover) or "mend the premises or the conclusion",
        )
    ]


def _import_hint(scheme: Scheme, prover: Prover) -> str | None:
    """What to do about a mood that holds only where every class has a member."""
    if prover.existential_import:
        return None
    with_import = Prover(existential_import=True, resource_limit=prover.resource_limit)
    if with_import.entails(scheme.premises, scheme.conclusion) is not Answer.YES:
        return None
    return (
        "it follows where every class has a member: set logic.existential_import, and let"
        " logic.assumptions tell it to readers"
    )


def _redundancies(scheme: Scheme, prover: Prover, document: Document) -> list[Problem]:
    redundant = prover.redundant(scheme.premises, scheme.conclusion)
    if not redundant:
        return []
    sets = prover.minimal_sets(scheme.premises, scheme.conclusion)
    shown = " or ".join(
        "{" + ", ".join(str(index) for index in positions) + "}" for positions in sets
    )
    return [
        document.problem(
            ("schemes", scheme.position, "premises", position),
            f"the premise {scheme.premises[position]} is redundant: {scheme.conclusion}"
            " follows without it",
            "a scheme has the premises of one minimal set, so that a model can be asked for them;"
            f" by positions from 0 the sets are {shown}",
        )
        for position in redundant
    ]


def _symbol_problems(scheme: Scheme, document: Document) -> Iterator[Problem]:
    """Symbols that no search could bind, and letters that mean two things."""
    place = ("schemes", scheme.position)
    formulas = (*scheme.premises, scheme.conclusion)
    for formula in formulas:
        if not is_monadic(formula):
            yield document.problem(
                place,
                f"the formula {formula} has a predicate of several individuals",
                "a predicate stands for a class: it is said of one individual",
            )
    quantified = {name for formula in formulas for name in bound_variables(formula.tree)}
    free = {name for formula in formulas for name in formula.symbols.individuals}
    for name in sorted(quantified & free):
        yield document.problem(
            place,
            f"{name} is bound in one formula and names an individual in another",
            "name the individual a, b or c, and bind x, y or z",
        )
    said = scheme.conclusion.symbols
    known = {
        name
        for premise in scheme.premises
        for name in (*premise.symbols.predicates, *premise.symbols.individuals)
    }
    for name in (*said.predicates, *said.individuals):
        if name not in known:
            yield document.problem(
                (*place, "conclusion"),
                f"the conclusion speaks of {name}, and no premise does",
                "nothing says what it could stand for: give it a premise or take it out",
            )


def _twice(schemes: Sequence[Scheme], document: Document) -> Iterator[Problem]:
    """Schemes that are one another in other letters or with their premises in another order."""
    seen: dict[CanonicalArgument, Scheme] = {}
    for scheme in schemes:
        orders = (
            permutations(scheme.premises) if len(scheme.premises) <= PERMUTED else [scheme.premises]
        )
        key = min(canonical_argument(order, scheme.conclusion) for order in orders)
        other = seen.setdefault(key, scheme)
        if other is not scheme:
            yield document.problem(
                ("schemes", scheme.position),
                f"the scheme is schemes[{other.position}], {other.name} in its variant"
                f" {other.variant}, in other letters",
                "keep one of the two",
            )
