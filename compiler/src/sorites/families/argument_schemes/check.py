"""Everything wrong with a spec of this kind that its schema cannot see."""

from __future__ import annotations

from sorites.errors import Problem
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme, read_plan
from sorites.families.argument_schemes.search.conditions import ConditionsError, conditions
from sorites.logic.formulas import Formula, contradictory, is_monadic
from sorites.logic.prover import Prover, Verdict
from sorites.sources.ontologies.sparql import query_fault
from sorites.specfile.model import Spec
from sorites.specfile.reader import Document

__all__ = ["check"]


def check(spec: Spec) -> list[Problem]:
    """Every problem of the schemes, templates, queries and names of a spec; needs no sources."""
    plan, problems = read_plan(spec)
    for role in plan.ontology.format.query_fields:
        if fault := query_fault(role, str(plan.ontology.section[role])):
            problems.append(
                spec.document.problem(
                    ("ontology", role), fault, "see the SPARQL 1.1 query language"
                )
            )
    return [*problems, *_soundness_problems(plan, spec.document)]


def _soundness_problems(plan: ArgumentPlan, document: Document) -> list[Problem]:
    """Every scheme whose conclusion does not follow, that says too much, or cannot be said."""
    prover = Prover(existential_import=plan.existential_import, resource_limit=plan.resource_limit)
    problems: list[Problem] = []
    for scheme in plan.schemes:
        problems += _proof_problems(scheme, prover, document)
        problems += _template_problems(scheme, plan, document)
        problems += _symbol_problems(scheme, document)
        try:
            conditions(scheme.premises, prover)
        except ConditionsError as error:
            problems.append(document.problem(("schemes", scheme.position, "premises"), str(error)))
    return problems


def _proof_problems(scheme: Scheme, prover: Prover, document: Document) -> list[Problem]:
    place = ("schemes", scheme.position, "conclusion")
    match prover.verdict(scheme.premises, scheme.conclusion):
        case Verdict.ENTAILED:
            return [
                document.problem(
                    ("schemes", scheme.position, "premises", position),
                    f"the premise {scheme.premises[position]} is redundant: {scheme.conclusion}"
                    " follows without it",
                    "take the premise out, for no model could be asked to select it",
                )
                for position in prover.redundant(scheme.premises, scheme.conclusion)
            ]
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
            "mend the premises or the conclusion",
        )
    ]


def _symbol_problems(scheme: Scheme, document: Document) -> list[Problem]:
    """Symbols that no search could bind: of several individuals, or in the conclusion alone."""
    place = ("schemes", scheme.position)
    problems = [
        document.problem(
            place,
            f"the formula {formula} has a predicate of several individuals",
            "a predicate stands for a class: it is said of one individual",
        )
        for formula in (*scheme.premises, scheme.conclusion)
        if not is_monadic(formula)
    ]
    bound: set[str] = set()
    for premise in scheme.premises:
        bound.update(premise.symbols.predicates, premise.symbols.individuals)
    said = scheme.conclusion.symbols
    for name in (*said.predicates, *said.individuals):
        if name not in bound:
            problems.append(
                document.problem(
                    (*place, "conclusion"),
                    f"the conclusion speaks of {name}, and no premise does",
                    "nothing says what it could stand for: give it a premise or take it out",
                )
            )
    return problems


def _template_problems(scheme: Scheme, plan: ArgumentPlan, document: Document) -> list[Problem]:
    problems = []
    for position, premise in enumerate(scheme.premises):
        place = ("schemes", scheme.position, "premises", position)
        if not plan.templates.covers(premise):
            problems.append(_missing(document, place, premise, "this premise"))
    opposite = contradictory(scheme.conclusion)
    for formula, what in ((scheme.conclusion, "this conclusion"), (opposite, "its opposite")):
        if not plan.templates.covers(formula):
            end = ("schemes", scheme.position, "conclusion")
            problems.append(_missing(document, end, formula, what))
    return problems


def _missing(
    document: Document, place: tuple[str | int, ...], formula: Formula, what: str
) -> Problem:
    return document.problem(
        place,
        f"no template has the shape of {formula}, which is {what}",
        f"add to templates: {{formula: {formula}, text: …}}",
    )
