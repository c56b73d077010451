"""The fragment against a second, independent interpreter of its English, written below."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import product

import pytest
from nltk.sem.logic import (
    AndExpression,
    ApplicationExpression,
    Expression,
    NegatedExpression,
    OrExpression,
)

from sorites.logic.formulas import parse
from sorites.logic.grammar.fragment import Fragment, Sentence, Shape, capitalised

Facts = Mapping[tuple[str, ...], bool]


def filled(fragment: Fragment, shape: Shape) -> Sentence:
    """The shape with the first words of each category, a different one in each place."""
    used: list[str] = []
    for category in shape.categories:
        used.append(next(s for s in fragment.vocabulary[category] if s not in used))
    return Sentence(shape, tuple(used))


def truth(term: Expression, facts: Facts) -> bool:
    """The truth of a formula, by the truth tables."""
    match term:
        case NegatedExpression():
            return not truth(term.term, facts)
        case AndExpression():
            return truth(term.first, facts) and truth(term.second, facts)
        case OrExpression():
            return truth(term.first, facts) or truth(term.second, facts)
        case ApplicationExpression():
            return facts[str(term.pred), *(str(argument) for argument in term.args)]
    raise AssertionError(term)


def english(words: str, verbs: Mapping[str, str]) -> Callable[[Facts], bool]:
    """What a sentence in the past says, read from its words without any grammar.

    ``verbs`` maps each form to its base form.
    """
    denied = words.startswith("it was not the case that ")
    tokens = re.findall(r"\w+", words.removeprefix("it was not the case that "))
    at = next(i for i, token in enumerate(tokens) if token in verbs or token == "did")
    refused = tokens[at] == "did"
    verb = verbs[tokens[at + 2 if refused else at]]
    subject, of_subject = names(tokens[:at])
    rest, of_rest = names(tokens[at + 3 if refused else at + 1 :])

    def says(facts: Facts) -> bool:
        def done(who: str) -> bool:
            found = of_rest([facts[verb, who, whom] for whom in rest]) if rest else facts[verb, who]
            return not found if refused else found

        found = of_subject([done(who) for who in subject])
        return not found if denied else found

    return says


def names(tokens: list[str]) -> tuple[list[str], Callable[[list[bool]], bool]]:
    found = [token.lower() for token in tokens if token not in ("and", "or")]
    return found, any if "or" in tokens else all


def every_fact(sentence: Sentence) -> Iterator[Facts]:
    atoms = list(dict.fromkeys(re.findall(r"(\w+)\(([^)]*)\)", sentence.formula.text)))
    keys = [(verb, *arguments.split(",")) for verb, arguments in atoms]
    for values in product([False, True], repeat=len(keys)):
        yield dict(zip(keys, values, strict=True))


def test_there_are_120_shapes_in_both_tenses(fragment: Fragment) -> None:
    assert len(fragment.shapes) == 120
    assert len({shape.name for shape in fragment.shapes}) == 120
    assert fragment.tenses == ("past", "present")
    assert sum(shape.connectives <= 6 for shape in fragment.shapes) == 88
    assert {category: len(words) for category, words in fragment.vocabulary.items()} == {
        "PN": 10,
        "IV": 10,
        "TV": 10,
    }


def test_every_shape_says_what_its_words_say(fragment: Fragment) -> None:
    verbs = {
        word: symbol
        for shape in fragment.shapes
        for slots in shape.slots.values()
        for slot in slots
        if slot.category != "PN"
        for symbol, word in slot.words.items()
    }
    tried = 0
    for shape in fragment.shapes:
        sentence = filled(fragment, shape)
        says = english(sentence.words("past"), verbs)
        term = sentence.formula.tree
        for facts in every_fact(sentence):
            assert truth(term, facts) == says(facts), sentence.words("past")
            tried += 1
    assert tried > 10_000


@pytest.mark.parametrize(
    ("name", "past", "present", "formula", "connectives", "depth"),
    [
        ("PN IV", "Ann swam", "Ann swims", "swim(ann)", 0, 0),
        (
            "PN and PN TV PN or PN",
            "Ann and Bob saw Clara or David",
            "Ann and Bob see Clara or David",
            "((see(ann,clara) | see(ann,david)) & (see(bob,clara) | see(bob,david)))",
            3,
            2,
        ),
        (
            "PN, PN or PN did not IV",
            "Ann, Bob or Clara did not swim",
            "Ann, Bob or Clara does not swim",
            "(-swim(ann) | -swim(bob) | -swim(clara))",
            5,
            2,
        ),
        (
            "it was not the case that PN and PN did not TV PN, PN and PN",
            "it was not the case that Ann and Bob did not see Clara, David and Emma",
            "it is not the case that Ann and Bob do not see Clara, David and Emma",
            "-(-(see(ann,clara) & see(ann,david) & see(ann,emma)) & "
            "-(see(bob,clara) & see(bob,david) & see(bob,emma)))",
            8,
            4,
        ),
    ],
)
def test_words_and_formula_are_composed_together(
    fragment: Fragment,
    name: str,
    past: str,
    present: str,
    formula: str,
    connectives: int,
    depth: int,
) -> None:
    shape = next(shape for shape in fragment.shapes if shape.name == name)
    sentence = filled(fragment, shape)
    assert sentence.words("past") == past
    assert sentence.words("present") == present
    assert sentence.formula.text == formula
    assert (shape.connectives, shape.depth) == (connectives, depth)


@pytest.mark.parametrize(
    ("literal", "past", "present"),
    [
        ("swim(iris)", "Iris swam", "Iris swims"),
        ("-swim(iris)", "Iris did not swim", "Iris does not swim"),
        ("see(bob,ann)", "Bob saw Ann", "Bob sees Ann"),
        ("-see(bob,ann)", "Bob did not see Ann", "Bob does not see Ann"),
    ],
)
def test_the_shortest_sentence_for_a_literal(
    fragment: Fragment, literal: str, past: str, present: str
) -> None:
    sentence = fragment.says(parse(literal))
    assert sentence is not None
    assert sentence.formula.text == literal
    assert (sentence.words("past"), sentence.words("present")) == (past, present)


def test_what_is_no_literal_has_no_sentence(fragment: Fragment) -> None:
    assert fragment.says(parse("(swim(ann) & swim(bob))")) is None
    assert fragment.says(parse("see(ann,bob,clara)")) is None


def test_a_capital_and_no_full_stop() -> None:
    assert capitalised("it was not the case that Ann swam") == "It was not the case that Ann swam"
