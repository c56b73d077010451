"""Metrics against values worked out by hand, and against their plain definitions."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites_eval.contract.metrics import METRICS
from sorites_eval.contract.tasks import (
    Answer,
    Confusion,
    Score,
    Selection,
    Table,
    Task,
    View,
)
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import NO_ANSWER, UNMATCHED, Prediction, combine, measure, score

ANSWER = Answer("text", {"True": True, "False": False}, "label", 8, Selection("P", "gold"))
TASK = Task(
    name="t",
    title="t",
    description="",
    data=Table("items", "test"),
    id="id",
    views=(View("only"),),
    answer=ANSWER,
    prompts={},
    score=Score(
        tuple(m for m in METRICS if m not in ("f1-by-label", "spearman")),
        "True",
        "partner",
        (("scheme",),),
    ),
)


def predicted(
    gold: str, label: str | None, number: int = 0, partner: str | None = None, **facts: str
) -> Prediction:
    outcome = Outcome.ANSWER if label else Outcome.UNREADABLE
    return Prediction(
        f"i{number}",
        "only",
        gold,
        label,
        outcome,
        {"partner": partner, "scheme": "s", **facts},
        True,
    )


def table(counts: dict[tuple[str, str | None], int]) -> list[Prediction]:
    rows = [pair for pair, count in counts.items() for _ in range(count)]
    return [predicted(gold, label, n) for n, (gold, label) in enumerate(rows)]


def test_hand_computed_values() -> None:
    """8 true positives, 2 false positives, 4 misses of which 1 unanswered, 6 true negatives."""
    found = measure(
        TASK,
        table(
            {
                ("True", "True"): 8,
                ("True", "False"): 3,
                ("True", None): 1,
                ("False", "True"): 2,
                ("False", "False"): 6,
            }
        ),
    )
    assert found["n"] == 20
    assert found["accuracy"] == pytest.approx(14 / 20)
    assert found["precision"] == pytest.approx(8 / 10)
    assert found["recall"] == pytest.approx(8 / 12)
    assert found["f1"] == pytest.approx(16 / 22)
    assert found["macro-f1"] == pytest.approx((16 / 22 + 12 / 17) / 2)
    assert found["following-instruction"] == pytest.approx(19 / 20)
    assert found["irrelevant"] == pytest.approx(1 / 20)
    assert found["non-empty"] == 1.0


def test_precision_and_recall_are_the_right_way_round() -> None:
    """A model that always says True finds all and is right half the time."""
    always = measure(TASK, table({("True", "True"): 5, ("False", "True"): 5}))
    assert (always["precision"], always["recall"]) == (0.5, 1.0)


def test_undefined_is_null_and_not_zero() -> None:
    never = measure(TASK, table({("False", "False"): 3}))
    assert (never["precision"], never["recall"], never["f1"]) == (None, None, None)
    assert never["macro-f1"] == 1.0
    assert measure(TASK, [])["accuracy"] is None


def test_reasoning_accuracy_needs_label_and_selection() -> None:
    right = predicted("True", "True")
    rows = [right, replace(right, right_selection=False), predicted("True", "False")]
    assert measure(TASK, rows)["reasoning-accuracy"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("first", "second", "faithful"),
    [
        ("True", "False", 1.0),
        ("False", "True", 1.0),
        ("True", "True", 0.0),
        ("True", None, 0.0),
        (None, None, 0.0),
    ],
)
def test_faithfulness_of_one_pair(first: str | None, second: str | None, faithful: float) -> None:
    rows = [predicted("True", first, 0, "i1"), predicted("False", second, 1, "i0")]
    found = measure(TASK, rows)
    assert (found["faithfulness"], found["pairs"]) == (faithful, 1)


def test_a_pair_counts_once_and_only_whole() -> None:
    rows = [
        predicted("True", "True", 0, "i1"),
        predicted("False", "False", 1),
        predicted("True", "True", 2, "i99"),
    ]
    found = measure(TASK, rows)
    assert (found["faithfulness"], found["pairs"]) == (1.0, 1)


def test_an_item_that_is_its_own_partner_is_never_faithful() -> None:
    found = measure(TASK, [predicted("True", "True", 0, "i0")])
    assert (found["faithfulness"], found["pairs"]) == (0.0, 1)


def test_groups_without_a_value_come_last() -> None:
    rows = [replace(predicted("True", "True"), facts={"scheme": at}) for at in (None, "b", 2, "a")]
    (group,) = score(replace(TASK, score=replace(TASK.score, metrics=("accuracy",))), rows)[
        "groups"
    ]
    assert [row["values"]["scheme"] for row in group["rows"]] == [2, "a", "b", None]


def test_groups_add_up_and_stand_in_order() -> None:
    rows = [predicted("True", "True", n, scheme="ba"[n % 2]) for n in range(5)]
    scores = score(TASK, rows)
    (group,) = scores["groups"]
    assert group["by"] == ["scheme"]
    assert [(r["values"], r["n"]) for r in group["rows"]] == [
        ({"scheme": "a"}, 2),
        ({"scheme": "b"}, 3),
    ]
    assert scores["confusion"] == {
        "True": {"True": 5, "False": 0, NO_ANSWER: 0},
        "False": {"True": 0, "False": 0, NO_ANSWER: 0},
    }


labels = st.sampled_from(["True", "False"])


@given(st.lists(st.tuples(labels, st.one_of(st.none(), labels))))
def test_ratios_follow_their_definitions(pairs: list[tuple[str, str | None]]) -> None:
    """Precision is a share of what was said, recall a share of what is so."""
    rows = [predicted(gold, label, n) for n, (gold, label) in enumerate(pairs)]
    found = measure(TASK, rows)
    said = {n for n, (_, label) in enumerate(pairs) if label == "True"}
    so = {n for n, (gold, _) in enumerate(pairs) if gold == "True"}
    assert found["precision"] == (len(said & so) / len(said) if said else None)
    assert found["recall"] == (len(said & so) / len(so) if so else None)
    precision, recall = found["precision"], found["recall"]
    if precision and recall:
        assert found["f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    elif said or so:
        assert found["f1"] == 0


RELATION = replace(
    TASK,
    views=(View("forward"), View("reversed", labels={"1": "2", "2": "1"})),
    answer=Answer("choice", {"1": "up", "2": "down", "3": "opposite"}, "relation", 1),
    score=Score(("accuracy", "macro-f1"), combine="bidirectional"),
)


@pytest.mark.parametrize(
    ("forward", "backward", "agreed"),
    [
        ("1", "2", "1"),
        ("2", "1", "2"),
        ("3", "3", "3"),
        ("1", "1", None),
        ("1", "3", None),
        ("1", None, None),
        (None, None, None),
    ],
)
def test_views_must_agree(forward: str | None, backward: str | None, agreed: str | None) -> None:
    rows = [
        replace(predicted("1", forward), view="forward"),
        replace(predicted("2", backward), view="reversed"),
    ]
    (only,) = combine(RELATION, rows)
    assert (only.gold, only.label, only.unmatched) == ("1", agreed, agreed is None)


@pytest.mark.parametrize(("better", "worse"), [*combinations(Outcome, 2)])
def test_the_outcome_of_an_item_is_the_worst_of_its_views(better: Outcome, worse: Outcome) -> None:
    for outcomes in ((better, worse), (worse, better)):
        rows = [
            replace(predicted("1", None), view=view.name, outcome=outcome)
            for view, outcome in zip(RELATION.views, outcomes, strict=True)
        ]
        (only,) = combine(RELATION, rows)
        assert only.outcome is worse


def test_an_item_with_a_missing_view_is_left_out() -> None:
    assert combine(RELATION, [replace(predicted("1", "1"), view="forward")]) == []


def test_unmatched_is_a_column_of_its_own() -> None:
    rows = [
        replace(predicted("1", "1"), view="forward"),
        replace(predicted("2", "1"), view="reversed"),
    ]
    scores = score(RELATION, rows)
    assert scores["confusion"]["1"] == {"1": 0, "2": 0, "3": 0, NO_ANSWER: 0, UNMATCHED: 1}
    assert scores["overall"] == {"n": 1, "accuracy": 0.0, "macro-f1": 0.0, "unmatched": 1.0}


def pair(number: int, gold: str, forward: str | None, backward: str | None) -> list[Prediction]:
    """Both views of one item; gold is the item's own label."""
    turned = RELATION.views[1].labels.get(gold, gold)
    return [
        replace(predicted(gold, forward, number), view="forward"),
        replace(predicted(turned, backward, number), view="reversed"),
    ]


def test_f1_by_label_and_its_mean_are_over_the_gold_labels() -> None:
    """Label 2 is never gold: it has no F1 of its own, and costs those that are."""
    task = replace(RELATION, score=replace(RELATION.score, metrics=("macro-f1", "f1-by-label")))
    rows = pair(0, "1", "1", "2") + pair(1, "1", "2", "1") + pair(2, "3", "3", "3")
    found = score(task, rows)["overall"]
    assert found["f1 1"] == pytest.approx(2 / 3)
    assert found["f1 3"] == 1.0
    assert "f1 2" not in found
    assert found["macro-f1"] == pytest.approx((2 / 3 + 1) / 2)


def test_half_right_and_wrong_as() -> None:
    look = replace(
        RELATION.score,
        half_right={"up": ("1",)},
        wrong_as={"up as down": Confusion(("1",), ("2",))},
    )
    rows = (
        pair(0, "1", "1", "1")  # one view right, the same label twice
        + pair(1, "1", "1", "3")  # one view right, another label
        + pair(2, "1", "2", "1")  # both wrong, agreeing on 2
        + pair(3, "1", "3", "3")  # both wrong, agreeing on 3
        + pair(4, "1", "1", "2")  # both right
        + pair(5, "3", "3", "1")  # another gold label
    )
    scores = score(replace(RELATION, score=look), rows)
    assert scores["half_right"] == {"up": {"share": 0.5, "n": 2}}
    assert scores["wrong_as"] == {"up as down": {"share": 0.5, "n": 2}}
