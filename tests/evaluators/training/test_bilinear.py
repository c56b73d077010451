from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from sorites_eval.contract.tasks import Answer, Score, Table, Task, View
from sorites_eval.errors import RunError
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import Prediction
from sorites_eval.training.bilinear import (
    Columns,
    Dataset,
    Settings,
    cross_validate,
    f1_by_label,
    read_dataset,
)

COLUMNS = Columns(("gloss_1", "gloss_2"), ("ili_1", "ili_2"), "pair_id")
VIEWS = (
    View("forward"),
    View("reversed", (("gloss_1", "gloss_2"), ("language_1", "language_2")), {"1": "2", "2": "1"}),
)
TASK = Task(
    name="relation",
    title="",
    description="",
    data=Table("pairs", "test"),
    id="id",
    views=VIEWS,
    answer=Answer("choice", {"1": "HYP", "2": "HPO", "3": "ANT"}, "label", 1),
    prompts={},
    score=Score(("accuracy",), groups=(("language_1", "language_2"),), combine="bidirectional"),
)
SMALL = Settings(hidden=16, epochs=40, batch=128, repetitions=2, learning_rate=0.02)


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Networks this small lose more by waiting for threads than they gain."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Rows:
    """The one thing that a dataset needs of a release: its rows."""

    def __init__(self, rows: list[dict[str, object]]) -> None:
        self._rows = rows

    def rows(self, table: Table, columns: list[str]) -> list[dict[str, object]]:
        return [{name: row[name] for name in columns} for row in self._rows]


def made(count: int = 60) -> tuple[Dataset, np.ndarray]:
    """Senses at a height: one above another is its hypernym, one at minus its height its antonym.

    Each sense has a text in two languages, whose vectors differ by a little noise.
    """
    generator = random.Random(3)
    rows: list[dict[str, object]] = []
    heights: dict[str, float] = {}
    for number in range(count):
        label = "HYP" if number % 3 else "ANT"
        low = generator.uniform(0.5, 1.5)
        high = low + 1.0 if label == "HYP" else -low
        for end, height in ((f"a{number}", low), (f"b{number}", high)):
            for language in ("en", "el"):
                heights[f"{end} in {language}"] = height
        for one, two in product(("en", "el"), repeat=2):
            rows.append(
                {
                    "id": f"{number}-{one}-{two}",
                    "pair_id": str(number),
                    "label": label,
                    "ili_1": f"a{number}",
                    "ili_2": f"b{number}",
                    "language_1": one,
                    "language_2": two,
                    "gloss_1": f"a{number} in {one}",
                    "gloss_2": f"b{number} in {two}",
                }
            )
    dataset = read_dataset(Rows(rows), TASK, COLUMNS)  # type: ignore[arg-type]
    noise = np.random.default_rng(1)
    vectors = np.array(
        [[heights[text], heights[text] ** 2, *noise.normal(0, 0.05, 4)] for text in dataset.texts],
        dtype=np.float32,
    )
    return dataset, vectors


def test_rows_become_arrays() -> None:
    dataset, _ = made(3)
    assert dataset.labels == ("1", "2", "3")
    assert len(dataset.ids) == 12
    assert dataset.pairs == (("a0", "b0"), ("a1", "b1"), ("a2", "b2"))
    assert dataset.pair_of.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert dataset.gold.tolist() == [2] * 4 + [0] * 8
    assert dataset.turned.tolist() == [2] * 4 + [1] * 8
    assert dataset.turning == "reversed"
    assert [dataset.texts[index] for index in dataset.sides[1]] == ["a0 in en", "b0 in el"]
    assert dataset.facts[1] == {"language_1": "en", "language_2": "el"}


def test_a_relation_that_the_vectors_show_is_learnt_with_its_direction() -> None:
    dataset, vectors = made()
    done: list[int] = []
    repetitions = cross_validate(dataset, vectors, SMALL, done.append)
    assert sum(done) == SMALL.repetitions * SMALL.folds
    for predictions in repetitions:
        asked = [(each.id, each.view) for each in predictions]
        assert sorted(asked) == sorted(product(dataset.ids, ("forward", "reversed")))
        golds = {(each.view, each.gold) for each in predictions}
        assert golds == {("forward", "1"), ("forward", "3"), ("reversed", "2"), ("reversed", "3")}
    scores = f1_by_label(TASK, repetitions)
    assert set(scores) == {"1", "3"}
    assert scores["1"][0] > 0.8
    assert scores["3"][0] > 0.8


def test_what_the_vectors_do_not_show_is_not_learnt() -> None:
    dataset, vectors = made()
    shuffled = np.random.default_rng(2).permutation(vectors)
    scores = f1_by_label(TASK, cross_validate(dataset, shuffled, SMALL))
    assert scores["3"][0] < 0.6


def test_equal_settings_give_equal_predictions() -> None:
    dataset, vectors = made(30)
    once = replace(SMALL, epochs=3, repetitions=1)
    assert cross_validate(dataset, vectors, once) == cross_validate(dataset, vectors, once)
    other = cross_validate(dataset, vectors, replace(once, seed=1))
    assert other != cross_validate(dataset, vectors, once)


def test_an_unmatched_item_counts_against_its_label() -> None:
    def said(item: str, view: str, gold: str, label: str) -> Prediction:
        return Prediction(item, view, gold, label, Outcome.ANSWER, {})

    predictions = [
        said("a", "forward", "1", "1"), said("a", "reversed", "2", "2"),
        said("b", "forward", "1", "1"), said("b", "reversed", "2", "1"),
        said("c", "forward", "3", "1"), said("c", "reversed", "3", "2"),
        said("d", "forward", "3", "3"), said("d", "reversed", "3", "3"),
    ]  # fmt: skip
    assert f1_by_label(TASK, [predictions]) == {"1": (0.5, 0.0), "3": (2 / 3, 0.0)}


def test_a_task_without_a_turning_view_is_refused() -> None:
    with pytest.raises(RunError) as caught:
        read_dataset(Rows([]), replace(TASK, views=VIEWS[:1]), COLUMNS)  # type: ignore[arg-type]
    assert str(caught.value) == (
        "relation: 0 views exchange gloss_1 and gloss_2; the bilinear classifier needs exactly "
        "one that does"
    )


def test_pairs_that_all_share_a_member_cannot_be_split() -> None:
    dataset, vectors = made(6)
    joined = replace(dataset, pairs=tuple(("hub", end) for _, end in dataset.pairs))
    with pytest.raises(RunError, match="no pair is left to train on"):
        cross_validate(joined, vectors, SMALL)


def test_torch_is_loaded_only_when_a_network_is_trained() -> None:
    script = "import sys, sorites_eval.training.bilinear; print('torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
