from __future__ import annotations

from itertools import product

import pytest

from sorites.logic.formulas import parse
from sorites.logic.grammar.function_words import CLASS, INDIVIDUAL, MEMBER, readings
from sorites.logic.prover import Answer, Prover

PROVER = Prover()


def says(sentence: str, formula: str) -> bool:
    """Whether every reading of a sentence, with C, A and N for its tokens, is a formula."""
    tokens = {"C": CLASS, "A": INDIVIDUAL, "N": MEMBER}
    found = readings(" ".join(tokens.get(word, word) for word in sentence.split()))
    wanted = parse(formula)
    return bool(found) and all(
        {PROVER.entails([one], wanted), PROVER.entails([wanted], one)} == {Answer.YES}
        for one in found
    )


@pytest.mark.parametrize(
    ("sentence", "formula"),
    [
        ("Every N in C is also in C", "all x.(C1(x) -> C2(x))"),
        ("all N outside C lie outside C", "all x.(-C1(x) -> -C2(x))"),
        ("no N that is not in C is in C", "all x.(-C1(x) -> -C2(x))"),
        ("only N in C are in C", "all x.(C2(x) -> C1(x))"),
        ("only N outside C are in C", "all x.(C2(x) -> -C1(x))"),
        ("at least one N in both C and C is not in C", "exists x.(C1(x) & C2(x) & -C3(x))"),
        ("some thing is in C", "exists x.C1(x)"),
        ("everything", ""),
        ("A is in neither C nor C", "-C1(a1) & -C2(a1)"),
        ("A is outside C or outside C", "-C1(a1) | -C2(a1)"),
        ("A is not in C", "-C1(a1)"),
        ("every N in C , in C or in C is in C", "all x.((C1(x) | C2(x) | C3(x)) -> C4(x))"),
        ("every N in either C or C is in C", "all x.((C1(x) | C2(x)) -> C3(x))"),
        ("each N neither in C nor in C is in C", "all x.((-C1(x) & -C2(x)) -> C3(x))"),
        ("it is true that no N in C is in C", "-exists x.(C1(x) & C2(x))"),
        ("it is false that no N in C is in C", "exists x.(C1(x) & C2(x))"),
        ("it is not the case that A is in C", "-C1(a1)"),
        ("it is not false that A is in C", "C1(a1)"),
    ],
)
def test_function_words_have_their_usual_meaning(sentence: str, formula: str) -> None:
    if not formula:
        assert readings(sentence) == ()
        return
    assert says(sentence, formula)


@pytest.mark.parametrize(
    "sentence",
    [
        "every N in C is not in C",
        "A is outside C or C",
        "A is not in C or in C",
        "every N in C and in C or in C is in C",
    ],
)
def test_what_english_leaves_open_has_several_readings_or_none(sentence: str) -> None:
    tokens = {"C": CLASS, "A": INDIVIDUAL, "N": MEMBER}
    found = readings(" ".join(tokens.get(word, word) for word in sentence.split()))
    alike = [
        {PROVER.entails([one], other), PROVER.entails([other], one)} == {Answer.YES}
        for one, other in product(found, repeat=2)
    ]
    assert not found or not all(alike)


def test_a_quantifier_that_is_exchanged_is_another_meaning() -> None:
    assert not says("every N in C is in C", "exists x.(C1(x) & C2(x))")
    assert not says("some N in C is in C", "all x.(C1(x) -> C2(x))")
    assert not says("only N in C are in C", "all x.(C1(x) -> C2(x))")


def test_a_full_stop_and_capitals_make_no_difference() -> None:
    assert readings(f"No thing in {CLASS} is in {CLASS}.") == readings(
        f"no thing in {CLASS} is in {CLASS}"
    )


@pytest.mark.parametrize("sentence", ["", "N", "gibberish", "in C every N", "A is"])
def test_what_is_no_sentence_has_no_reading(sentence: str) -> None:
    assert not says(sentence, "C1(a1)") if sentence else readings("") == ()
