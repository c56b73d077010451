"""Curves: how a model fares as rows are added to its training set, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Curve, Rows, Scalar, Task, Training, label_key
from sorites_eval.errors import RunError
from sorites_eval.names import did_you_mean
from sorites_eval.training.examples import Example, TrainingData, read_examples, refuse_leaks
from sorites_eval.training.fine_tuning import Summary, prepare

__all__ = ["Growth", "Point", "choose_curve", "chosen_steps", "grow", "steps_of"]


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a curve: the steps whose rows were added, and the results of training.

    ``rows_added`` counts these rows. ``added`` are the values of the column that the test holds
    out which they have, in the order of the steps; None where the curve holds no column out.
    """

    step: int
    rows_added: int
    added: tuple[Scalar, ...] | None
    summary: Summary


@dataclass(frozen=True, slots=True)
class Growth:
    """A learning curve; its point at step 0, if it has one, is the base set alone."""

    name: str
    curve: Curve
    points: tuple[Point, ...]


def choose_curve(training: Training, task: Task, name: str) -> Curve:
    """The curve of that name; RunError if there is none."""
    if name not in training.curves:
        raise RunError(f'{task.name} has no curve "{name}". {did_you_mean(name, training.curves)}')
    return training.curves[name]


def steps_of(release: Release, curve: Curve) -> tuple[int, ...]:
    """Every step that the rows to be added have, and 0 before them where there is a base set.

    Raises RunError where a step is no number.
    """
    rows = release.rows(curve.add.table, [curve.by])
    steps: set[int] = set() if curve.alone else {0}
    for row in rows:
        step = row[curve.by]
        if not isinstance(step, int) or isinstance(step, bool) or step < 1:
            raise RunError(
                f"{curve.add.table.config}/{curve.add.table.split}: {curve.by} is {step!r}"
            )
        steps.add(step)
    return tuple(sorted(steps))


def chosen_steps(known: Sequence[int], wanted: Sequence[int] | None) -> tuple[int, ...]:
    """The steps asked for, each once and in order; all of them where none is asked for.

    Raises RunError for a step that the curve does not have.
    """
    if wanted is None:
        return tuple(known)
    for step in wanted:
        if step not in known:
            raise RunError(f"the curve has no step {step}; its steps are {_listed(known)}")
    return tuple(sorted(set(wanted)))


def grow(
    release: Release,
    task: Task,
    training: Training,
    name: str,
    tune: Callable[[TrainingData, int], Summary],
    *,
    steps: Sequence[int] | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Growth:
    """Train at each step on the base set and the rows of all steps up to it.

    ``name`` is the curve's. ``tune`` trains and scores, given the data and the step. ``steps``
    are those to train at, all of them by default; ``limit`` caps the rows of the base set. Every
    point is tested on the same rows. Raises RunError for an unknown curve or step, where nothing
    is left to test on, and where a row to test on is added.
    """
    curve = choose_curve(training, task, name)
    also = () if curve.held_out is None else (curve.held_out,)
    base = prepare(release, task, training, curve.base, limit=limit, seed=seed, also=also)
    known = steps_of(release, curve)
    wanted = chosen_steps(known, steps)
    values = _values(release, curve)
    if curve.held_out is not None:
        taken = {label_key(value) for of_step in values.values() for value in of_step}
        test = tuple(row for row in base.test if label_key(row.facts[curve.held_out]) not in taken)
        if not test:
            raise RunError(
                f'the curve "{name}" of {task.name} leaves nothing to test on: every '
                f"{curve.held_out} is added"
            )
        base = replace(base, test=test)
    if curve.alone:
        base = replace(base, train=())
    points = []
    for step in wanted:
        upto = tuple(value for value in known if 0 < value <= step)
        rows = _added(release, task, training, curve, upto)
        refuse_leaks(rows, base.test, f'the curve "{name}" of {task.name}')
        added = None
        if curve.held_out is not None:
            added = tuple(dict.fromkeys(value for at in upto for value in values[at]))
        data = replace(base, train=(*base.train, *rows))
        points.append(Point(step, len(rows), added, tune(data, step)))
    return Growth(name, curve, tuple(points))


def _added(
    release: Release, task: Task, training: Training, curve: Curve, steps: tuple[int, ...]
) -> tuple[Example, ...]:
    if not steps:
        return ()
    rows = Rows(curve.add.table, {**curve.add.where, curve.by: steps})
    return read_examples(release, task, training, (rows,))


def _values(release: Release, curve: Curve) -> dict[int, tuple[Scalar, ...]]:
    """The values of the column held out, by the step at which rows that have them are added."""
    if curve.held_out is None:
        return {}
    columns = {curve.held_out, curve.by, *curve.add.where}
    kept = {column: {*map(label_key, values)} for column, values in curve.add.where.items()}
    found: dict[int, dict[Scalar, None]] = {}
    for row in release.rows(curve.add.table, columns):
        facts = cast("dict[str, Scalar]", row)
        of_step = found.setdefault(cast("int", facts[curve.by]), {})
        if all(label_key(facts[column]) in keys for column, keys in kept.items()):
            of_step[facts[curve.held_out]] = None
    return {step: tuple(of_step) for step, of_step in found.items()}


def _listed(steps: Sequence[int]) -> str:
    return ", ".join(map(str, steps))
