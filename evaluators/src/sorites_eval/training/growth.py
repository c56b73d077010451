"""Curves: how a model fares as rows are added to its training set, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Curve, Rows, Task, Training
from sorites_eval.errors import RunError
from sorites_eval.names import did_you_mean
from sorites_eval.training.examples import TrainingData, read_examples
from sorites_eval.training.fine_tuning import Summary, prepare

__all__ = ["Growth", "Point", "choose_curve", "grow", "steps_of"]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve: the steps whose rows were added, and the results of training."""

    step: int
    summary: Summary


@dataclass(frozen=True, slots=True)
class Growth:
    """A learning curve; its point at step 0 is the base set alone."""

    curve: Curve
    points: tuple[Point, ...]


def choose_curve(training: Training, task: Task, name: str) -> Curve:
    """The curve of that name; RunError if there is none."""
    if name not in training.curves:
        raise RunError(f'{task.name} has no curve "{name}". {did_you_mean(name, training.curves)}')
    return training.curves[name]


def steps_of(release: Release, curve: Curve) -> tuple[int, ...]:
    """0, and every step that the rows to be added have; RunError where one is no number."""
    rows = release.rows(curve.add.table, [curve.by])
    steps: set[int] = {0}
    for row in rows:
        step = row[curve.by]
        if not isinstance(step, int) or isinstance(step, bool) or step < 1:
            raise RunError(
                f"{curve.add.table.config}/{curve.add.table.split}: {curve.by} is {step!r}"
            )
        steps.add(step)
    return tuple(sorted(steps))


def grow(
    release: Release,
    task: Task,
    training: Training,
    curve: Curve,
    tune: Callable[[TrainingData, int], Summary],
    *,
    steps: Sequence[int] | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Growth:
    """Train at each step on the base set and the rows of all steps up to it.

    ``tune`` trains and scores, given the data and the step. ``steps`` are those to train at, all
    of them by default; ``limit`` caps the rows of the base set.
    """
    base = prepare(release, task, training, curve.base, limit=limit, seed=seed)
    known = steps_of(release, curve)
    points = []
    for step in known if steps is None else steps:
        values = tuple(value for value in known if 0 < value <= step)
        where = {**curve.add.where, curve.by: values}
        added = Rows(curve.add.table, where)
        rows = read_examples(release, task, training, (added,)) if values else ()
        points.append(Point(step, tune(replace(base, train=(*base.train, *rows)), step)))
    return Growth(curve, tuple(points))
