from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.sem.logic import LogicParser

from sorites.logic.first_order.trees import Kind, depth, key_of, quantifiers
from sorites.logic.notations.errors import NotationError
from sorites.logic.notations.folio import FOLIO
from sorites.logic.notations.known import NOTATIONS
from sorites.logic.notations.nltk_notation import NLTK
from sorites.logic.notations.notation import Notation
from sorites.logic.notations.parser import MAX_LENGTH, read_formula
from sorites.logic.notations.prover9 import PROVER9
from sorites.logic.notations.tptp import TPTP
from sorites.logic.notations.writer import write_formula
from tests.compiler.logic.first_order.random_formulas import formulas


def same(notation: Notation, one: str, other: str) -> bool:
    return key_of(read_formula(one, notation)) == key_of(read_formula(other, notation))


@pytest.mark.parametrize(
    ("notation", "text", "brackets"),
    [
        (FOLIO, "¬P(a) ∧ Q(a)", "(¬P(a)) ∧ Q(a)"),
        (FOLIO, "P(a) ∨ Q(a) ∧ R(a)", "P(a) ∨ (Q(a) ∧ R(a))"),
        (FOLIO, "P(a) ⊕ Q(a) ∨ R(a)", "P(a) ⊕ (Q(a) ∨ R(a))"),
        (FOLIO, "P(a) ⊕ Q(a) → R(a)", "(P(a) ⊕ Q(a)) → R(a)"),
        (FOLIO, "P(a) → Q(a) → R(a)", "P(a) → (Q(a) → R(a))"),
        (FOLIO, "P(a) ↔ Q(a) ↔ R(a)", "(P(a) ↔ Q(a)) ↔ R(a)"),
        (FOLIO, "P(a) ↔ Q(a) → R(a)", "P(a) ↔ (Q(a) → R(a))"),
        (FOLIO, "∀x P(x) ∧ Q(a)", "(∀x P(x)) ∧ Q(a)"),
        (FOLIO, "∀x ∀y (P(x) ⟷ P(y))", "∀x (∀y (P(x) ↔ P(y)))"),
        (FOLIO, "¬∃x P(x) → Q(a)", "(¬(∃x P(x))) → Q(a)"),
        (FOLIO, "¬a = b ∧ a ≠ c", "(¬(a = b)) ∧ ¬(a = c)"),
        (FOLIO, "∃x P(x) ∧ ∃x Q(x)", "∃y P(y) ∧ ∃z Q(z)"),
        (NLTK, "all x y.likes(x,y)", "all x.(all y.likes(x,y))"),
        (NLTK, "aa -> bb -> cc", "(aa -> bb) -> cc"),
        (NLTK, "exists x.(walk(x) and not talk(x))", "exists x.(walk(x) & -talk(x))"),
        (PROVER9, "p(a) & q(a) -> r(a).", "(p(a) & q(a)) -> r(a)"),
        (PROVER9, "p(a) <- q(a)", "q(a) -> p(a)"),
        (PROVER9, "all x p(x) | q(b)", "(all x p(x)) | q(b)"),
        (PROVER9, "p(x) -> q(x)  % of every x", "all x (p(x) -> q(x))"),
        (TPTP, "![X,Y]: (p(X) => q(Y))", "![X]: ![Y]: (p(X) => q(Y))"),
        (TPTP, "![X]: p(X) & q", "(![X]: p(X)) & q"),
        (TPTP, "p ~& q", "~(p & q)"),
        (TPTP, "fof(one, axiom, ?[X]: 'is odd'(X)).", "?[X]: 'is odd'(X)"),
    ],
)
def test_precedences(notation: Notation, text: str, brackets: str) -> None:
    assert same(notation, text, brackets)


def test_what_a_notation_has_alone() -> None:
    assert read_formula('p("New York")', PROVER9).terms[0].name == "New York"
    assert read_formula("$T", PROVER9).kind is Kind.TRUE
    assert read_formula("$false", TPTP).kind is Kind.FALSE
    assert read_formula("p <~> q", TPTP).kind is Kind.XOR


@pytest.mark.parametrize(
    ("notation", "text", "fault"),
    [
        (FOLIO, "", "at character 1: there is no formula"),
        (FOLIO, "P(a) ∧", "at character 7: the formula ends where a formula is expected"),
        (FOLIO, "P(a)) ∧ Q(a)", "at character 5: ) closes no bracket"),
        (FOLIO, "Q(a) ∧ (P(a)", "at character 8: the bracket is not closed"),
        (FOLIO, "P(a) Q(a)", "at character 6: Q stands where an operator is expected"),
        (
            FOLIO,
            "P(a, Q(b)",
            "at character 10: the end stands in the arguments of P: , or ) is expected",
        ),
        (FOLIO, "P()", "at character 3: ) stands where an individual is expected"),
        (FOLIO, "∀ (P(x))", "at character 3: ∀ is followed by (, which is no variable"),
        (FOLIO, "P(a) & Q(a)", "at character 6: & has no place in FOLIO's Unicode: it is ASCII"),
        (
            FOLIO,
            "∀x (x → P(x))",
            "at character 5: the variable x stands where a formula is expected",
        ),
        (FOLIO, "∀x P(x) ∧ Q(x)", "at character 13: x is bound in one place and free in another"),
        (FOLIO, "a =", "at character 4: = is followed by no individual"),
        (FOLIO, "P(a) \x07", "at character 6: U+0007 has no place in FOLIO's Unicode"),
        (NLTK, "all x (P(x))", "at character 7: after the variables of all stands ."),
        (NLTK, "\\x.P(x)", "at character 1: \\ has no place in NLTK"),
        (
            NLTK,
            "P(f(a))",
            "at character 3: f is a variable in NLTK, and stands where a predicate "
            "or function is expected",
        ),
        (NLTK, "-a = b", "at character 2: the negation of an equality needs brackets in NLTK"),
        (PROVER9, "p -> q -> r", "at character 8: -> after -> needs brackets in Prover9"),
        (
            PROVER9,
            'p("New York)',
            'at character 3: " has no place in Prover9: the quotation mark is not closed',
        ),
        (TPTP, "p & q | r", "at character 7: | after & needs brackets in TPTP FOF"),
        (TPTP, "p & q => r", "at character 7: => after & needs brackets in TPTP FOF"),
        (TPTP, "p(X)", "at character 3: the variable X is not bound"),
        (
            TPTP,
            "![X]: P(X)",
            "at character 7: P is a variable in TPTP FOF, and stands where a "
            "predicate or function is expected",
        ),
        (TPTP, "!X: p(X)", "at character 2: ! takes its variables in ["),
        (TPTP, "fof(a, axiom)", "at character 1: fof takes a name, a role and a formula"),
    ],
)
def test_what_does_not_parse_is_told_with_its_place(
    notation: Notation, text: str, fault: str
) -> None:
    with pytest.raises(NotationError) as told:
        read_formula(text, notation)
    assert str(told.value) == fault


@pytest.mark.parametrize("notation", NOTATIONS.values(), ids=lambda each: each.id)
@settings(max_examples=50)
@given(st.data())
def test_what_is_written_is_read_as_the_same(notation: Notation, data: st.DataObject) -> None:
    variables = ("X", "Y", "Z") if notation is TPTP else ("x", "y", "z")
    node = data.draw(formulas(variables=variables))
    once = read_formula(write_formula(node, notation), notation)
    again = read_formula(write_formula(once, notation), notation)
    assert key_of(once) == key_of(again)
    if notation is FOLIO:
        assert key_of(once) == key_of(node)


def test_every_short_chain_is_read_as_nltk_reads_it() -> None:
    """Four parts, each plain, negated or quantified, and every three operators between them."""
    parts = ["walk(a)", "-talk(b)", "all x.run(x)", "-exists x.sing(x)"]
    operators = ["&", "|", "->", "<->"]
    read = LogicParser()
    for chain in product(operators, repeat=3):
        for order in (parts, parts[::-1], parts[2:] + parts[:2]):
            text = order[0] + "".join(f" {o} {p}" for o, p in zip(chain, order[1:], strict=True))
            assert same(NLTK, text, str(read.parse(text))), text


def test_length_and_nesting_are_bounded() -> None:
    long = " ∧ ".join(f"P{number}(a)" for number in range(1_000))[: MAX_LENGTH - 10]
    long = long[: long.rindex(" ∧")]
    assert depth(read_formula(long, FOLIO)) == 1
    assert depth(read_formula("¬" * 500 + "P(a)", FOLIO)) == 500
    assert depth(read_formula("(" * 3_000 + "P(a)" + ")" * 3_000, FOLIO)) == 0
    assert quantifiers(read_formula("".join(f"∀x{n} " for n in range(40)) + "P(x0)", FOLIO)) == 40
    for text, fault in (
        ("P" * (MAX_LENGTH + 1), "the formula has 10,001 characters; at most 10,000 are read"),
        ("¬" * 501 + "P(a)", "more than 500 terms inside one another"),
        ("→".join("P" * 600), "more than 500 terms inside one another"),
        ("P(" + "f(" * 501 + "a" + ")" * 502, "more than 500 terms inside one another"),
    ):
        with pytest.raises(NotationError) as told:
            read_formula(text, FOLIO)
        assert told.value.reason == fault
