"""The decision over types, for first-order formulas that are of its fragment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    Variable,
    VariableExpression,
)

from sorites.logic.first_order.trees import Kind, Node, depth, fold
from sorites.logic.formulas import Formula, FormulaError, formula_of
from sorites.logic.prover import Verdict
from sorites.logic.types import judge

__all__ = ["judge_by_types"]

_MOST_NESTED = 30
"""Connectives inside one another: the trees of NLTK are read by recursion."""

_MOST_ATOMS = 60

_JOINS = {
    Kind.AND: AndExpression,
    Kind.OR: OrExpression,
    Kind.IMPLIES: ImpExpression,
    Kind.IFF: IffExpression,
}


class _Outside(Exception):
    """The formula is outside the fragment."""


def judge_by_types(
    premises: Sequence[Node], conclusion: Node, *, existential_import: bool
) -> Verdict | None:
    """The verdict over types; None where they cannot tell.

    They cannot for predicates of several individuals or of none, for equality and functions, and
    for whatever ``sorites.logic.types`` says.
    """
    try:
        shown = [_formula(premise) for premise in premises]
        found = judge(shown, _formula(conclusion), existential_import=existential_import)
    except (_Outside, FormulaError):
        return None
    return None if found is None else found.verdict


def _formula(root: Node) -> Formula:
    if depth(root) > _MOST_NESTED:
        raise _Outside
    atoms = fold(root, lambda node, below: sum(below) if node.parts else 1)
    if atoms > _MOST_ATOMS:
        raise _Outside
    # Names as NLTK has them: what a quantifier binds is x and a number there.
    bound: dict[str, Variable] = {}

    def expression(node: Node, below: Sequence[Expression]) -> Expression:
        for name in [node.name] * (node.kind in (Kind.ALL, Kind.SOME)) + [
            term.name for term in node.terms if term.is_variable
        ]:
            bound.setdefault(name, Variable(f"x{len(bound)}"))
        return _expression(node, below, bound)

    return formula_of(fold(root, expression))


def _expression(
    node: Node, below: Sequence[Expression], bound: Mapping[str, Variable]
) -> Expression:
    match node.kind:
        case Kind.ATOM if len(node.terms) == 1 and not node.terms[0].arguments:
            (term,) = node.terms
            individual = bound[term.name] if term.is_variable else Variable(term.name)
            return ApplicationExpression(
                VariableExpression(Variable(node.name)), VariableExpression(individual)
            )
        case Kind.NOT:
            return NegatedExpression(below[0])
        case Kind.ALL | Kind.SOME:
            quantifier = AllExpression if node.kind is Kind.ALL else ExistsExpression
            return quantifier(bound[node.name], below[0])
        case Kind.XOR:
            found = below[0]
            for part in below[1:]:
                found = NegatedExpression(IffExpression(found, part))
            return found
        case Kind.AND | Kind.OR | Kind.IMPLIES | Kind.IFF:
            found = below[0]
            for part in below[1:]:
                found = _JOINS[node.kind](found, part)
            return found
    raise _Outside
