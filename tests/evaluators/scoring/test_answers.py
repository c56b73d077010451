"""Text to answer: every way to say it, and every way not to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites_eval.scoring.answers import MAX_CHARACTERS, Outcome, Reader

BINARY = Reader(["True", "False"])
SELECTING = Reader(["True", "False"], marker="P")
DIGITS = Reader(["1", "2", "3", "10"])


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("True", "True"),
        (" true\n", "True"),
        ("<True>", "True"),
        ("**False**", "False"),
        ("_False_", "False"),
        ("It is True", "True"),
        ("The conclusion follows. True", "True"),
        ("The correct answer is: False.", "False"),
        ("The conclusion does not follow. False", "False"),
        ("The conclusion does not follow, so it is False", "False"),
        ("It does not follow: false", "False"),
        ("It does not follow so False", "False"),
        ("True. Yes, TRUE!", "True"),
        ("True, P1, P2", "True"),
        ("It is false that otters swim. True", "True"),
        ("It is true that otters swim: True", "True"),
        ("True because newts aren't fish", "True"),
    ],
)
def test_an_answer_in_many_words(text: str, label: str) -> None:
    reading = BINARY.read(text)
    assert (reading.outcome, reading.label) == (Outcome.ANSWER, label)


@pytest.mark.parametrize(
    "text",
    [
        "True or False",
        "true/false",
        "not true",
        "It is not True",
        "It isn't true.",
        "It isn’t true.",
        "That cannot be true",
        "It is not necessarily true",
        "never false",
        "Truely",
        "non-true",
        "TRUE_POSITIVE",
        "untrue",
        "Yes",
        "It is true that the otter is a swimmer",
        "P1: Every otter is a swimmer.",
        "The output should be True or False. The answer is True",
        "True? No, it is not true.",
        "Falsehood",
        "...",
    ],
)
def test_no_answer_is_not_a_guess(text: str) -> None:
    reading = BINARY.read(text)
    assert (reading.outcome, reading.label) == (Outcome.IRRELEVANT, None)


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_an_empty_reply_is_its_own_outcome(text: str) -> None:
    assert BINARY.read(text).outcome is Outcome.EMPTY


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("<True, P1, P2>", {1, 2}),
        ("True, P10", {10}),
        ("True, P1", {1}),
        ("true p3 and P4", {3, 4}),
        ("Because of P2 and P11, True", {2, 11}),
        ("True, P1, P1", {1}),
        ("True", set()),
        ("True, P1; P3 (both needed)", {1, 3}),
        ("True, XP1, P2x", set()),
    ],
)
def test_the_selection_is_every_marked_number(text: str, numbers: set[int]) -> None:
    reading = SELECTING.read(text)
    assert (reading.label, reading.selection) == ("True", frozenset(numbers))


@pytest.mark.parametrize(
    "text",
    [
        "True, P1-P3",
        "True, P1–P3",
        "True, P1 to 3",
        "True, P1, 2",
        "True, P1 and 2",
        "True, P1, 2,3",
        "True, P1 but not P2",
    ],
)
def test_an_unclear_selection_is_none_and_the_label_stands(text: str) -> None:
    reading = SELECTING.read(text)
    assert (reading.label, reading.selection) == ("True", None)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("1", "1"),
        ("10", "10"),
        ("Answer: 2.", "2"),
        ("3 (antonym)", "3"),
        ("1.5", None),
        ("21", None),
        ("1 or 2", None),
        ("1 = hypernym, 2 = hyponym", None),
    ],
)
def test_digits_are_whole_numbers(text: str, label: str | None) -> None:
    assert DIGITS.read(text).label == label


def test_the_longer_label_wins() -> None:
    reader = Reader(["entailed", "not entailed"])
    assert reader.read("It is not entailed").label == "not entailed"
    assert reader.read("It is entailed").label == "entailed"


def test_a_label_that_is_a_negation_denies_nothing() -> None:
    reader = Reader(["yes", "no"])
    assert reader.read("No.").label == "no"
    assert reader.read("no yes").label is None


def test_one_letter_labels_keep_their_case() -> None:
    reader = Reader(["A", "B"])
    assert reader.read("it is a B").label == "B"


@given(st.text(max_size=300))
def test_any_text_has_one_outcome(text: str) -> None:
    reading = SELECTING.read(text)
    assert (reading.outcome is Outcome.ANSWER) == (reading.label is not None)
    assert (reading.outcome is Outcome.EMPTY) == (not text.strip())


@given(
    st.lists(st.sampled_from(["True", "False", "not", "so", ",", "that", "P1", "x"]), max_size=8)
)
def test_an_answer_names_its_label_and_no_other(words: list[str]) -> None:
    """Against a direct statement of the rule on a small language."""
    named = []
    for n, word in enumerate(words):
        if word in ("True", "False") and words[n + 1 : n + 2] != ["that"]:
            before = words[max(0, n - 3) : n]
            while before and ("so" in before or "," in before):
                before = before[1:]
            named.append((word, "not" in before))
    expected = {w for w, _ in named} if not any(denied for _, denied in named) else set()
    reading = BINARY.read(" ".join(words))
    assert reading.label == (expected.pop() if len(expected) == 1 else None)


def test_a_long_text_is_read_to_a_limit() -> None:
    assert BINARY.read("x " * MAX_CHARACTERS + "True").outcome is Outcome.IRRELEVANT
