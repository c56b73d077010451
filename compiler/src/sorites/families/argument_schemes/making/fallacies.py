"""Arguments that look like a scheme and prove nothing: what the negatives are made of.

Each fallacy keeps the scheme's conclusion as it stands, so that the conclusion alone cannot
tell whether it follows, and changes what it is drawn from. They are made from the scheme's
formulas by a few operations that know no scheme, and kept only if the prover finds that their
premises leave the conclusion open. Terms follow the usual names of the fallacies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sorites.families.argument_schemes.plan import Scheme
from sorites.logic.formulas import (
    Formula,
    antecedent,
    converse,
    negation,
    particular,
    rename,
)
from sorites.logic.prover import Prover, Verdict
from sorites.logic.sentence_templates import Templates

__all__ = ["DENIAL", "KINDS", "Fallacy", "fallacies"]

DENIAL = "conclusion denied"

KINDS = {
    DENIAL: "an entailed conclusion, said to be false (or its opposite, said to be true)",
    "affirming the consequent": "what the conditional concludes is taken to show its condition",
    "denying the antecedent": "the condition fails, and so is taken to fail what depends on it",
    "converse premise": "a premise is turned round, subject for predicate",
    "converse conclusion": "the conclusion is turned round, subject for predicate",
    "conclusion for premise": "the conclusion is assumed and one of the premises concluded",
    "hasty generalization": "a premise says of some what the scheme needs of all",
    "another class": "a premise speaks of another class than the scheme needs",
    "another individual": "a premise speaks of another individual than the conclusion",
}
"""Every kind of negative, as it stands in the column ``negative``, and what it means."""


@dataclass(frozen=True, slots=True)
class Fallacy:
    """Premises that do not entail the conclusion.

    The symbols of the conclusion keep the meaning that they have in the scheme, save in a
    ``converse conclusion``, whose premises are the scheme's own; the others are free.
    """

    kind: str
    premises: tuple[Formula, ...]
    conclusion: Formula

    def keeps(self, scheme: Scheme) -> bool:
        """Whether the premises are the scheme's own, under the same binding."""
        return self.premises == scheme.premises


def fallacies(scheme: Scheme, templates: Templates, prover: Prover) -> list[Fallacy]:
    """The fallacies of a scheme that can be put into words, each proved to leave all open."""
    found: dict[tuple[Formula, ...], Fallacy] = {}
    for candidate in _candidates(scheme):
        key = (*sorted(candidate.premises, key=str), candidate.conclusion)
        if key in found or templates.missing([*candidate.premises, candidate.conclusion]):
            continue
        if len(set(candidate.premises)) < len(candidate.premises):
            continue
        verdict = prover.verdict(candidate.premises, candidate.conclusion)
        if verdict is Verdict.UNDETERMINED:
            found[key] = candidate
    return list(found.values())


def _candidates(scheme: Scheme) -> Iterator[Fallacy]:
    premises = list(scheme.premises)
    for position, premise in enumerate(premises):
        if exchanged := _conclusion_for_premise(scheme, position):
            yield exchanged
        for kind, other in _weaker_premises(premise, scheme):
            changed = (*premises[:position], other, *premises[position + 1 :])
            yield Fallacy(kind, changed, scheme.conclusion)
    turned = converse(scheme.conclusion)
    # The same words in another order: of another shape, the words alone would tell.
    if turned is not None and turned.shape == scheme.conclusion.shape:
        yield Fallacy("converse conclusion", scheme.premises, turned)


def _weaker_premises(premise: Formula, scheme: Scheme) -> Iterator[tuple[str, Formula]]:
    turned = converse(premise)
    if turned is not None:
        yield "converse premise", turned
    some = particular(premise)
    if some is not None:
        yield "hasty generalization", some
    taken = _taken_symbols(scheme)
    found = premise.symbols
    other_class = next(name for name in "KLMNOPQRSTUVW" if name not in taken)
    for name in found.predicates:
        if _elsewhere(name, premise, scheme):
            yield "another class", rename(premise, {name: other_class})
    other_individual = next(name for name in "bcdfghijk" if name not in taken)
    for name in found.individuals:
        yield "another individual", rename(premise, {name: other_individual})


def _conclusion_for_premise(scheme: Scheme, position: int) -> Fallacy | None:
    """Conclusion and premise change places, and symbols with them, so the conclusion stays.

    Possible where both are of one shape: from G(a) to F(a) where the scheme goes from F(a) to
    G(a).
    """
    premise = scheme.premises[position]
    if premise.shape != scheme.conclusion.shape:
        return None
    old, new = premise.symbols, scheme.conclusion.symbols
    names = dict(zip(old.predicates, new.predicates, strict=True))
    names |= dict(zip(old.individuals, new.individuals, strict=True))
    free = iter(name for name in "KLMNOPQRSTUVW" if name not in _taken_symbols(scheme))
    exchanged = [*scheme.premises]
    exchanged[position] = scheme.conclusion
    for formula in exchanged:
        for name in formula.symbols.predicates:
            names.setdefault(name, next(free))
    premises = tuple(rename(formula, names) for formula in exchanged)
    return Fallacy(_name_of_exchange(scheme, position), premises, scheme.conclusion)


def _name_of_exchange(scheme: Scheme, position: int) -> str:
    """The usual name of drawing a premise from the conclusion.

    A modus ponens asserts the antecedent of its conditional, a modus tollens denies the
    consequent; turned round, they affirm the consequent and deny the antecedent.
    """
    premise = scheme.premises[position]
    if not premise.symbols.individuals:
        return "conclusion for premise"
    others = [other for other in scheme.premises if not other.symbols.individuals]
    antecedents = {name for other in others for name in antecedent(other).predicates}
    asserted = any(name in antecedents for name in premise.symbols.predicates)
    return "affirming the consequent" if asserted else "denying the antecedent"


def _elsewhere(name: str, premise: Formula, scheme: Scheme) -> bool:
    """Whether another formula of the scheme uses the predicate, so that changing it matters."""
    others = [other for other in scheme.premises if other != premise]
    return any(name in other.symbols.predicates for other in [*others, scheme.conclusion])


def _taken_symbols(scheme: Scheme) -> set[str]:
    taken: set[str] = set()
    for formula in [*scheme.premises, scheme.conclusion, negation(scheme.conclusion)]:
        taken.update(formula.symbols.predicates, formula.symbols.individuals)
    return taken
