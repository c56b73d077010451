"""Everything wrong with a spec of this kind that its schema cannot see."""

from __future__ import annotations

from sorites.errors import Problem
from sorites.families.argument_schemes.assumptions import assumption_problems
from sorites.families.argument_schemes.plan import ArgumentPlan, read_plan
from sorites.families.argument_schemes.scheme_problems import scheme_problems
from sorites.families.argument_schemes.wording_problems import wording_problems
from sorites.logic.formulas import Formula, contradictory
from sorites.sources.ontologies.names import pattern_fault
from sorites.sources.ontologies.sparql import SUBCLASSES, query_fault
from sorites.specfile.model import Spec
from sorites.specfile.reader import Document

__all__ = ["check"]


def check(spec: Spec) -> list[Problem]:
    """Every problem of the schemes, templates, queries and names of a spec; needs no sources."""
    plan, problems = read_plan(spec)
    for role in plan.ontology.format.query_fields:
        text = str(plan.ontology.section[role])
        if (role, text) != ("members", SUBCLASSES) and (fault := query_fault(role, text)):
            problems.append(
                spec.document.problem(
                    ("ontology", role), fault, "see the SPARQL 1.1 query language"
                )
            )
    for place, fault in plan.ontology.format.faults(plan.ontology.section):
        problems.append(spec.document.problem(("ontology", *place), fault))
    for field in ("class_names", "individual_names"):
        problems += _name_rule_problems(field, plan, spec.document)
    return [
        *problems,
        *wording_problems(plan.words, spec.document),
        *assumption_problems(plan, spec.document),
        *_template_problems(plan, spec.document),
        *scheme_problems(plan, spec.document),
    ]


def _name_rule_problems(field: str, plan: ArgumentPlan, document: Document) -> list[Problem]:
    """Patterns that are no regular expressions."""
    rules = plan.ontology.name_rules(field)
    patterns: list[tuple[tuple[str | int, ...], str, str]] = [
        (("clean", position, "pattern"), pattern, replacement)
        for position, (pattern, replacement) in enumerate(rules.clean)
    ]
    if rules.keep is not None:
        patterns.append((("keep",), rules.keep, ""))
    return [
        document.problem(("ontology", field, *place), fault)
        for place, pattern, replacement in patterns
        if (fault := pattern_fault(pattern, replacement)) is not None
    ]


def _template_problems(plan: ArgumentPlan, document: Document) -> list[Problem]:
    """Formulas of the schemes that no template can say."""
    problems = []
    templates = plan.words.templates
    for scheme in plan.schemes:
        for position, premise in enumerate(scheme.premises):
            place = ("schemes", scheme.position, "premises", position)
            if not templates.covers(premise):
                problems.append(_missing(document, place, premise, "this premise"))
        opposite = contradictory(scheme.conclusion)
        for formula, what in ((scheme.conclusion, "this conclusion"), (opposite, "its opposite")):
            if not templates.covers(formula):
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
