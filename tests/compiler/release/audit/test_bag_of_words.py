from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites.release.audit.bag_of_words import bag_of_words_accuracy

WORDS = [f"w{number}" for number in range(200)]


def random_texts(number: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=8)) for _ in range(number)]


@given(st.integers(0, 2**32))
def test_labels_that_do_not_follow_the_words_are_not_guessed(seed: int) -> None:
    texts = random_texts(1_000, seed)
    chance = random.Random(seed + 1)
    labels = [chance.random() < 0.5 for _ in texts]
    groups = [str(row) for row in range(1_000)]
    # Six standard deviations of a fair coin tossed a thousand times.
    assert abs(bag_of_words_accuracy(texts, labels, groups) - 0.5) < 0.095


@given(st.integers(0, 2**32), st.integers(2, 4))
def test_a_word_that_is_the_label_is_always_found(seed: int, classes: int) -> None:
    chance = random.Random(seed)
    labels = [f"label{chance.randrange(classes)}" for _ in range(300)]
    texts = [f"It is {label.upper()}." for label in labels]
    groups = [str(row) for row in range(300)]
    assert bag_of_words_accuracy(texts, labels, groups) == 1.0


def test_texts_that_say_nothing_count_as_chance() -> None:
    # Four folds of one text of each label: every held-out text is a tie.
    texts = ["same words"] * 8
    labels = [True, False] * 4
    assert bag_of_words_accuracy(texts, labels, list("aabbccdd"), folds=4) == 0.5
    thirds = bag_of_words_accuracy(["same"] * 6, list("xyzxyz"), list("aaabbb"), folds=2)
    assert thirds == pytest.approx(1 / 3)


def test_the_more_frequent_label_is_the_guess_for_unknown_words() -> None:
    texts = [f"unique{row}" for row in range(100)]
    labels = [row % 4 != 0 for row in range(100)]
    groups = [str(row // 4) for row in range(100)]
    assert bag_of_words_accuracy(texts, labels, groups) == 0.75


def test_a_group_never_helps_to_guess_itself() -> None:
    # Each text stands twice with its own label: only a leak between folds could know it.
    chance = random.Random(5)
    texts = [f"word{row // 2}" for row in range(2_000)]
    tosses = [chance.random() < 0.5 for _ in range(1_000)]
    labels = [toss for toss in tosses for _ in range(2)]
    together = [str(row // 2) for row in range(2_000)]
    apart = [str(row) for row in range(2_000)]
    assert bag_of_words_accuracy(texts, labels, together) < 0.6
    assert bag_of_words_accuracy(texts, labels, apart) > 0.85


def test_order_of_rows_and_case_do_not_matter() -> None:
    texts = random_texts(200, 1)
    labels = [text.split()[0] < "w5" for text in texts]
    groups = [str(row // 2) for row in range(200)]
    forward = bag_of_words_accuracy(texts, labels, groups)
    backward = bag_of_words_accuracy(
        [text.upper() for text in texts[::-1]], labels[::-1], groups[::-1]
    )
    assert forward == backward


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], [True], []), "texts, labels and groups must have the same length"),
        (
            (["a", "b"], [True, False], ["g", "g"]),
            "cross-validation needs at least two folds and two groups",
        ),
    ],
)
def test_what_cannot_be_cross_validated(arguments, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bag_of_words_accuracy(*arguments)
