"""Graded gold: ranks of probabilities against ranks of ratings, worked out apart from SciPy."""

from __future__ import annotations

import math
from itertools import permutations

import pytest

from sorites_eval.contract.tasks import Answer, Score, Table, Task, View
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.graded import positive_probability, spearman
from sorites_eval.scoring.prediction import Prediction

TASK = Task(
    name="t",
    title="t",
    description="",
    data=Table("human", "veridical"),
    id="id",
    views=(View("only"),),
    answer=Answer("choice", {"Yes": "yes", "No": "unk"}, "label", 2),
    prompts={},
    score=Score(("spearman",), "Yes", graded="mean"),
)


def rated(rating: float | None, probability: float | None) -> Prediction:
    facts = {"mean": rating}
    return Prediction("i", "only", "Yes", "Yes", Outcome.ANSWER, facts, probability=probability)


def by_hand(ratings: tuple[float, ...], probabilities: tuple[float, ...]) -> float:
    """1 - 6 sum d² / n (n² - 1), which holds where no two values are equal."""
    ranks = [
        [sorted(values).index(value) for value in values] for values in (ratings, probabilities)
    ]
    squares = sum((one - other) ** 2 for one, other in zip(*ranks, strict=True))
    n = len(ratings)
    return 1 - 6 * squares / (n * (n * n - 1))


def test_every_order_of_five_ratings() -> None:
    probabilities = (0.1, 0.2, 0.5, 0.7, 0.95)
    for ratings in permutations((1.0, 2.2, 3.0, 4.4, 5.0)):
        predictions = [rated(*pair) for pair in zip(ratings, probabilities, strict=True)]
        found = spearman(TASK, predictions)
        assert found["spearman"] == pytest.approx(by_hand(ratings, probabilities))
        assert found["rated"] == 5


def test_items_without_an_answer_or_a_rating_are_left_out_and_counted() -> None:
    predictions = [rated(1, 0.1), rated(3, 0.4), rated(5, 0.9), rated(5, None), rated(None, 0.1)]
    assert spearman(TASK, predictions) == {"spearman": pytest.approx(1.0), "rated": 3}


@pytest.mark.parametrize(
    "pairs",
    [
        [(1, 0.1), (2, 0.2)],
        [(3, 0.1), (3, 0.5), (3, 0.9)],
        [(1, 0.5), (3, 0.5), (5, 0.5)],
        [],
    ],
)
def test_it_is_undefined_where_nothing_is_ordered(pairs: list[tuple[float, float]]) -> None:
    found = spearman(TASK, [rated(*pair) for pair in pairs])
    assert found == {"spearman": None, "rated": len(pairs)}


@pytest.mark.parametrize(
    ("label", "constrained", "margin", "expected"),
    [
        ("Yes", "Yes", math.log(3), 0.75),
        ("No", "No", math.log(3), 0.25),
        # What the model would write freely is no label: the two are compared all the same.
        (None, "No", 0.0, 0.5),
        (None, "Yes", 5_000.0, 1.0),
        ("Yes", None, float("nan"), 1.0),
        ("No", None, None, 0.0),
        (None, None, None, None),
    ],
)
def test_the_probability_of_the_positive_label(
    label: str | None, constrained: str | None, margin: float | None, expected: float | None
) -> None:
    found = positive_probability(TASK, label, constrained, margin)
    assert found == (None if expected is None else pytest.approx(expected))
