from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorites_eval.contract.release import Release, open_release
from sorites_eval.contract.tasks import Rows, Table
from sorites_eval.errors import InvalidRelease, RunError
from sorites_eval.training.examples import read_examples, read_set, thinned
from sorites_eval.training.fine_tuning import choose_set, prepare
from tests.evaluators.training.conftest import INFERENCES, tables, write


def test_a_set_is_read_with_texts_labels_and_facts(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    assert name == "both"
    data = read_set(toy, task, training, name)
    assert (len(data.train), len(data.validation), len(data.test)) == (128, 32, 40)
    first = data.test[0]
    assert first.texts == ("Someone knows that ann sings, ann waits", "ann sings")
    assert list(task.answer.labels)[first.label] == "Yes"
    assert first.facts == {"label_veridical": "yes", "label_embedded": "yes", "verb": "knows"}


def test_where_keeps_the_rows_with_one_of_the_values(toy: Release) -> None:
    task = toy.task("follows")
    training, _ = choose_set(task, None)
    table = Table("parts", "train")
    some = read_examples(toy, task, training, [Rows(table, {"verb": ("knows", "hopes")})])
    assert {example.facts["verb"] for example in some} == {"knows", "hopes"}
    assert read_examples(toy, task, training, [Rows(table, {"part": ("composite",)})]) == ()


def test_another_test_is_taken_from_the_set(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, "itself")
    assert len(read_set(toy, task, training, name).test) == 32


def test_what_is_tested_may_not_be_trained_on(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, "leaky")
    with pytest.raises(RunError) as raised:
        read_set(toy, task, training, name)
    assert str(raised.value) == 'the set "leaky" of follows trains on 40 of the rows to test on'


def test_an_unknown_set_is_refused(toy: Release) -> None:
    with pytest.raises(RunError) as raised:
        choose_set(toy.task("follows"), "bothh")
    assert str(raised.value).startswith('follows has no training set "bothh". ')


def test_a_task_without_training_is_refused(tmp_path: Path) -> None:
    task = json.loads(json.dumps(INFERENCES))
    del task["train"]
    release = open_release(write(tmp_path / "1.0.0", task, tables()))
    with pytest.raises(RunError) as raised:
        choose_set(release.task("follows"), None)
    assert str(raised.value) == "follows says nothing about training"


def test_a_label_that_the_task_does_not_have_is_refused(tmp_path: Path) -> None:
    of = tables()
    of["parts", "train"] = [{**of["parts", "train"][0], "label": "maybe"}]
    release = open_release(write(tmp_path / "1.0.0", INFERENCES, of))
    task = release.task("follows")
    training, name = choose_set(task, None)
    with pytest.raises(InvalidRelease) as raised:
        read_set(release, task, training, name)
    assert str(raised.value) == (
        "parts/train: veridical-1-knows: no label of follows stands for 'maybe'"
    )


def test_a_limit_thins_and_keeps_the_order(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    data = prepare(toy, task, training, name, limit=20, seed=1)
    full = read_set(toy, task, training, name).train
    assert len(data.train) == 20
    assert data.train == thinned(full, 20, 1) != thinned(full, 20, 2)
    places = [full.index(example) for example in data.train]
    assert places == sorted(places)
    assert thinned(full, None, 1) == full


def test_nothing_to_train_on_is_refused(toy: Release) -> None:
    task = toy.task("follows")
    training, name = choose_set(task, None)
    with pytest.raises(RunError) as raised:
        prepare(toy, task, training, name, only_others=True)
    assert str(raised.value) == (
        "there is nothing to train on: give another data set to train on alone"
    )
