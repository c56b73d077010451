"""Intervals of measures, against those of shares and against the jackknife over clusters."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sorites_eval.backends.baselines import Random
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Task
from sorites_eval.reporting.measure_intervals import intervals
from sorites_eval.running.finished import read_run
from sorites_eval.running.run import perform, plan
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.intervals import share_interval
from sorites_eval.scoring.metrics import measure
from sorites_eval.scoring.prediction import Prediction

LABELS = ("1", "2", "3")


@pytest.fixture
def task(small_release: Path) -> Task:
    found = open_release(small_release).task("relation")
    metrics = ("accuracy", "macro-f1", "f1-by-label", "responses")
    return replace(found, score=replace(found.score, metrics=metrics, combine=None))


def drawn(clusters: int, size: int, seed: int) -> list[Prediction]:
    """Predictions whose clusters differ in how hard they are."""
    draw = random.Random(seed)
    made: list[Prediction] = []
    for cluster in range(clusters):
        ease = draw.random()
        for n in range(size):
            gold = draw.choice(LABELS)
            label = gold if draw.random() < ease else draw.choice([*LABELS, None])
            outcome = Outcome.ANSWER if label else Outcome.EMPTY
            facts = {"concept": f"c{cluster}"}
            made.append(Prediction(f"{cluster}-{n}", "", gold, label, outcome, facts))
    return made


@pytest.mark.parametrize("name", ["entailment", "premise-selection", "relation"])
def test_every_measure_of_every_task_has_one(
    small_release: Path, tmp_path: Path, name: str
) -> None:
    release = open_release(small_release)
    task = release.task(name)
    perform(plan(release, task, "zero-shot"), Random(task, 0), tmp_path)
    run = read_run(tmp_path)
    found = intervals(run.task, run.predictions, run.scores.overall)
    shares = {n: v for n, v in run.scores.overall.items() if isinstance(v, float)}
    assert set(found) == set(shares)
    for measured, interval in found.items():
        assert interval.estimate == pytest.approx(shares[measured])
        assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
        assert interval.high - interval.low > 0.05


def test_accuracy_has_the_interval_of_a_share(task: Task) -> None:
    made = drawn(30, 4, 1)
    found = intervals(task, made, measure(task, made))["accuracy"]
    rights = [float(p.right) for p in made]
    assert found == share_interval(rights, [p.facts["concept"] for p in made])


@pytest.mark.parametrize("name", ["macro-f1", "f1 hypernym", "accuracy"])
def test_the_width_is_that_of_the_jackknife(task: Task, name: str) -> None:
    labels = tuple(task.answer.labels)
    name = f"f1 {labels[0]}" if name.startswith("f1 ") else name
    made = drawn(120, 5, 2)
    measures = measure(task, made)
    found = intervals(task, made, measures)[name]
    groups = {str(p.facts["concept"]) for p in made}
    left_out = [
        measure(task, [p for p in made if p.facts["concept"] != group])[name] for group in groups
    ]
    values = np.array(left_out, dtype=float)
    spread = math.sqrt((len(values) - 1) / len(values) * ((values - values.mean()) ** 2).sum())
    assert (found.high - found.low) / 2 == pytest.approx(1.98 * spread, rel=0.06)


def test_a_measure_that_is_defined_otherwise_has_none(task: Task) -> None:
    made = drawn(5, 3, 3)
    assert intervals(task, made, {"accuracy": 0.123456, "new": 0.5, "n": 15}) == {}
    assert intervals(task, [], {"accuracy": 0.5}) == {}
