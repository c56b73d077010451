from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.logic.first_order.models import is_true
from sorites.logic.first_order.prover import Check, FirstOrderProver
from sorites.logic.first_order.trees import Node, Symbol, numbered, renamed, symbols_of
from sorites.logic.notations.folio import FOLIO
from sorites.logic.notations.parser import read_formula
from sorites.logic.prover import Verdict
from tests.compiler.logic.first_order.random_formulas import formulas
from tests.compiler.logic.first_order.test_models import SMALL


def read(*texts: str) -> tuple[list[Node], Node]:
    *premises, conclusion = [read_formula(text, FOLIO) for text in texts]
    return premises, conclusion


@pytest.mark.parametrize(
    ("texts", "verdict", "needed", "check"),
    [
        (["∀x (F(x) → G(x))", "H(b)", "F(a)", "G(a)"], "entailed", (0, 2), Check.TYPES),
        (["∀x (F(x) → ¬G(x))", "F(a)", "G(a)"], "contradicted", (0, 1), Check.TYPES),
        (["∀x (F(x) → G(x))", "G(a)", "F(a)"], "undetermined", (), Check.TYPES),
        (["F(a)", "H(b)", "¬F(a)", "G(a)"], "inconsistent", (0, 2), Check.TYPES),
        (["∀x ∃y L(x, y)", "∃y L(a, y)"], "entailed", (0,), Check.NO_SMALL_MODEL),
        (["∀x ∃y L(x, y)", "∃y ∀x L(x, y)"], "undetermined", (), Check.MODEL),
        (["a = b", "F(a)", "F(b)"], "entailed", (0, 1), Check.NO_SMALL_MODEL),
        (["F(a) ⊕ F(b) ⊕ F(c)", "F(a) ∨ F(b) ∨ F(c)"], "entailed", (0,), Check.TYPES),
        (["F(a)", "G(a) ∨ ¬G(a)"], "entailed", (), Check.TYPES),
        # Only infinite models: neither Z3 nor a finite search ends there.
        (
            ["∀x ∃y R(x,y)", "∀x ∀y ∀z (R(x,y) ∧ R(y,z) → R(x,z))", "∀x ¬R(x,x)", "F(a)"],
            "unknown",
            (),
            Check.NONE,
        ),
    ],
)
def test_verdicts(texts: list[str], verdict: str, needed: tuple[int, ...], check: Check) -> None:
    found = FirstOrderProver().judge(*read(*texts))
    assert (found.verdict.value, found.needed, found.check) == (verdict, needed, check)


def test_existential_import_is_of_predicates_of_one_individual() -> None:
    argument = read("∀x (F(x) → G(x))", "∃x (F(x) ∧ G(x))")
    assert FirstOrderProver().judge(*argument).verdict is Verdict.UNDETERMINED
    assert FirstOrderProver(existential_import=True).judge(*argument).verdict is Verdict.ENTAILED
    relation = read("∀x (L(x, x) → L(x, a))", "∃x L(x, x)")
    assert FirstOrderProver(existential_import=True).judge(*relation).verdict is (
        Verdict.UNDETERMINED
    )


@settings(max_examples=40)
@given(st.lists(formulas(depth=2, functions=False), min_size=1, max_size=2), formulas(depth=2))
def test_no_small_model_is_against_a_verdict(premises: list[Node], conclusion: Node) -> None:
    if any(symbol.arity and not symbol.is_predicate for symbol in symbols_of([conclusion])):
        return
    verdict = FirstOrderProver().judge(premises, conclusion).verdict
    there = {
        is_true(conclusion, model)
        for model in SMALL
        if all(is_true(premise, model) for premise in premises)
    }
    allowed = {
        Verdict.ENTAILED: ({True}, set()),
        Verdict.CONTRADICTED: ({False}, set()),
        Verdict.INCONSISTENT: (set(),),
        Verdict.UNDETERMINED: ({True, False}, {True}, {False}, set()),
        Verdict.UNKNOWN: ({True, False}, {True}, {False}, set()),
    }
    assert there in allowed[verdict]
    if there == {True, False}:
        assert verdict is Verdict.UNDETERMINED


@settings(max_examples=40)
@given(formulas(depth=3))
def test_names_make_no_difference(node: Node) -> None:
    names = {symbol: f"other_{symbol.name}" for symbol in symbols_of([node])}
    assert numbered([node]).key == numbered([renamed(node, names)]).key


def test_arguments_that_differ_in_who_is_who_have_two_keys() -> None:
    one, other = read("F(a) ∧ G(b)", "F(b)"), read("F(a) ∧ G(b)", "F(a)")
    assert numbered([*one[0], one[1]]).key != numbered([*other[0], other[1]]).key


def test_what_is_proved_does_not_depend_on_what_was_asked_before() -> None:
    hard = read("∀x ∃y R(x,y)", "∀x ∀y ∀z (R(x,y) ∧ R(y,z) → R(x,z))", "F(a)")
    easy = read("∀x ∃y L(x, y)", "∃y ∀x L(x, y)")
    prover = FirstOrderProver()
    prover.judge(*hard)
    assert prover.judge(*easy) == FirstOrderProver().judge(*easy)
    assert prover.model(*easy, conclusion_is=False) == FirstOrderProver().model(
        *easy, conclusion_is=False
    )


def test_redundant_premises_follow_from_the_others() -> None:
    premises, extra = read("∀x (F(x) → G(x))", "F(a)", "∀y (F(y) → G(y))", "G(a)", "H(b)")
    assert FirstOrderProver().redundant([*premises, extra]) == (2, 3)
    assert FirstOrderProver().redundant([]) == ()


def test_a_model_bears_the_names_of_the_argument() -> None:
    model = FirstOrderProver().model(*read("Bird(tweety)", "Flies(tweety)"), conclusion_is=False)
    assert model is not None
    assert model.predicates[Symbol("Bird", 1, True)] == {(0,)}
    assert model.predicates[Symbol("Flies", 1, True)] == frozenset()
    assert model.functions == {Symbol("tweety", 0, False): {(): 0}}


@pytest.mark.parametrize(
    "text",
    [
        "¬" * 500 + "P(a)",
        " ↔ ".join(f"P{n}(a)" for n in range(499)),
        " ⊕ ".join(f"P{n}" for n in range(1_000)),
        " ∧ ".join(f"P{n}(a)" for n in range(900)),
        "".join(f"∀x{n} ∃y{n} (R(x{n}, y{n}) ∧ " for n in range(20)) + "R(y0, y19)" + ")" * 20,
        "".join(f"∀x{n} " for n in range(40)) + f"R({','.join(f'x{n}' for n in range(40))})",
        "".join(f"(∃x{n} P{n}(x{n}) ↔ " for n in range(40)) + "Q(a)" + ")" * 40,
        "P(" + "f(" * 450 + "a" + ")" * 451,
    ],
    ids=["negations", "iffs", "xors", "ands", "alternation", "wide", "iff below", "functions"],
)
def test_large_formulas_are_answered_within_the_limit(text: str) -> None:
    assert len(text) <= 10_000
    prover = FirstOrderProver()
    found = prover.judge(*read(text, "Unheard(b)"))
    assert found.verdict in (Verdict.UNDETERMINED, Verdict.UNKNOWN)
