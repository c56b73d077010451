from __future__ import annotations

from itertools import product

import z3
from hypothesis import given, settings
from nltk.sem.evaluate import Assignment, Model, Valuation
from nltk.sem.logic import Expression

from sorites.logic.first_order.models import FiniteModel, find_model, is_true
from sorites.logic.first_order.trees import Kind, Node, Symbol
from sorites.logic.notations.nltk_notation import NLTK
from sorites.logic.notations.writer import write_formula
from tests.compiler.logic.first_order.random_formulas import formulas

HUMAN, LIKES, RAINS = Symbol("human", 1, True), Symbol("likes", 2, True), Symbol("rains", 0, True)
ANN, BOB = Symbol("ann", 0, False), Symbol("bob", 0, False)


def models(size: int) -> list[FiniteModel]:
    """Every model of a size for human/1, likes/2 and rains/0, with ann the first individual."""
    pairs = [*product(range(size), repeat=2)]
    found = []
    for humans in product((False, True), repeat=size):
        for likes in product((False, True), repeat=len(pairs)):
            for bob, rains in product(range(size), (False, True)):
                found.append(
                    FiniteModel(
                        size,
                        {
                            HUMAN: frozenset((i,) for i in range(size) if humans[i]),
                            LIKES: frozenset(p for p, yes in zip(pairs, likes, strict=True) if yes),
                            RAINS: frozenset([()] if rains else []),
                        },
                        {ANN: {(): 0}, BOB: {(): bob}},
                    )
                )
    return found


SMALL = [*models(1), *models(2)]


def nltk_says(node: Node, model: FiniteModel) -> bool:
    """Truth in a model as NLTK works it out; a proposition is a predicate of individual 0 there."""
    valuation = Valuation(
        [
            ("human", {f"d{i}" for (i,) in model.predicates[HUMAN]}),
            ("likes", {(f"d{i}", f"d{j}") for i, j in model.predicates[LIKES]}),
            ("ann", f"d{model.functions[ANN][()]}"),
            ("bob", f"d{model.functions[BOB][()]}"),
            ("raining", {"d0"} if model.predicates[RAINS] else set()),
            ("zero", "d0"),
        ]
    )
    domain = {f"d{i}" for i in range(model.size)}
    text = write_formula(node, NLTK).replace("rains", "raining(zero)")
    found = Model(domain, valuation).satisfy(Expression.fromstring(text), Assignment(domain))
    return bool(found)


@settings(max_examples=60)
@given(formulas(depth=3, functions=False, kinds=(Kind.AND, Kind.OR, Kind.IMPLIES, Kind.IFF)))
def test_truth_is_what_nltk_says(node: Node) -> None:
    for model in SMALL[:: max(1, len(SMALL) // 9)]:
        assert is_true(node, model) == nltk_says(node, model)


@settings(max_examples=40)
@given(formulas(depth=3, functions=False))
def test_a_model_is_found_where_there_is_one(node: Node) -> None:
    for size in (1, 2):
        found = find_model(
            [node], size, inhabited=(), resource_limit=2_000_000, context=z3.Context()
        )
        there = any(is_true(node, model) for model in SMALL if model.size == size)
        assert (found is not None) == there
        assert found is None or is_true(node, found)


def test_functions_have_a_value_for_every_individual() -> None:
    from sorites.logic.notations.folio import FOLIO
    from sorites.logic.notations.parser import read_formula

    node = read_formula("∀x (next(x) ≠ x ∧ next(next(x)) ≠ x)", FOLIO)
    sizes = [
        size
        for size in (1, 2, 3)
        if find_model([node], size, inhabited=(), resource_limit=2_000_000, context=z3.Context())
    ]
    assert sizes == [3]
