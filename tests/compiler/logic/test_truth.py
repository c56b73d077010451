from __future__ import annotations

import random

import numpy as np
import pytest
from nltk.sem import Assignment, Valuation
from nltk.sem import Model as NltkModel

from sorites.logic.formulas import parse
from sorites.logic.truth import Model, extension
from tests.compiler.logic.families import three, two_with_individuals
from tests.compiler.logic.texts import is_true

SIZE = 5
FORMULAS = [*three(), *two_with_individuals()]


def _random_model(source: random.Random) -> Model:
    universe = source.randrange(1, 1 << SIZE)
    inside = [1 << bit for bit in range(SIZE) if universe >> bit & 1]
    return Model(
        universe,
        {name: source.randrange(1 << SIZE) & universe for name in "FGH"},
        {name: source.choice(inside) for name in "ab"},
    )


def _as_nltk(model: Model) -> tuple[NltkModel, Assignment]:
    """The same model for NLTK's own evaluator."""
    domain = {f"i{bit}" for bit in range(SIZE) if model.universe >> bit & 1}
    valuation = Valuation(
        [
            (name, {f"i{bit}" for bit in range(SIZE) if bits >> bit & 1})
            for name, bits in model.predicates.items()
        ]
    )
    assignment = Assignment(
        domain, [(name, f"i{bits.bit_length() - 1}") for name, bits in model.individuals.items()]
    )
    return NltkModel(domain, valuation), assignment


@pytest.mark.parametrize("seed", range(4))
def test_truth_is_what_nltk_finds_by_going_through_the_domain(seed: int) -> None:
    source = random.Random(seed)
    model = _random_model(source)
    nltk_model, assignment = _as_nltk(model)
    for formula in FORMULAS:
        expected = nltk_model.satisfy(parse(formula).tree, assignment)
        assert is_true(formula, model) is expected, (formula, model)


def test_nobody_outside_the_domain_counts() -> None:
    model = Model(0b0011, {"F": 0b0001, "G": 0b0010}, {})
    assert is_true("all x.(F(x) | G(x))", model)
    assert is_true("all x.(-F(x) -> G(x))", model)
    assert not is_true("exists x.-(F(x) | G(x))", model)


def test_many_classes_at_once_have_the_extensions_of_each() -> None:
    source = np.random.default_rng(3)
    rows = source.integers(0, 1 << 62, size=(7, 3), dtype=np.uint64)
    fixed = source.integers(0, 1 << 62, size=3, dtype=np.uint64)
    universe = np.full(3, (1 << 62) - 1, dtype=np.uint64)
    for text in ("F(x) & -G(x)", "F(x) -> G(x)", "-(F(x) <-> G(x))", "-F(x) | (G(x) & F(x))"):
        body = parse(text).tree
        together = extension(body, {"F": rows, "G": fixed}, universe)
        for row, found in zip(rows, together, strict=True):
            for word in range(3):
                alone = extension(
                    body, {"F": int(row[word]), "G": int(fixed[word])}, int(universe[word])
                )
                assert int(found[word]) == alone


def test_a_predicate_without_an_extension_is_an_error() -> None:
    with pytest.raises(KeyError):
        is_true("all x.(F(x) -> K(x))", Model(1, {"F": 1}, {}))


@pytest.mark.parametrize(
    "formula", ["all x.exists y.(F(x) & G(y))", "exists x.(F(x) & all y.(G(y) -> F(y)))"]
)
def test_nested_quantifiers_are_refused(formula: str) -> None:
    with pytest.raises(TypeError):
        is_true(formula, Model(0b11, {"F": 0b01, "G": 0b10}, {}))


def test_a_named_individual_under_a_quantifier_is_refused_or_itself() -> None:
    # G(a) is false here, so not every F is such that G(a).
    model = Model(0b11, {"F": 0b01, "G": 0b01}, {"a": 0b10})
    try:
        found = is_true("all x.(F(x) -> G(a))", model)
    except TypeError:
        return
    assert found is False
