"""Rows of a release as a classifier needs them: texts, a label, and what scores are split by."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Rows, Scalar, Task, Training, label_key
from sorites_eval.errors import InvalidRelease, RunError

__all__ = [
    "Example",
    "TrainingData",
    "read_examples",
    "read_set",
    "refuse_leaks",
    "text_of",
    "thinned",
]


@dataclass(frozen=True, slots=True)
class Example:
    """A row: its one or two texts, and the index of its label among the task's labels.

    ``facts`` are the columns by which scores are broken down; empty for rows from elsewhere.
    """

    id: str
    texts: tuple[str, ...]
    label: int
    facts: Mapping[str, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TrainingData:
    """What one model is trained on, chosen by and tested on; ``classes`` counts the labels."""

    train: tuple[Example, ...]
    validation: tuple[Example, ...]
    test: tuple[Example, ...]
    classes: int


def read_set(
    release: Release, task: Task, training: Training, name: str, *, also: Sequence[str] = ()
) -> TrainingData:
    """The rows of the training set of that name, and the rows to test on.

    ``also`` are columns that the facts of rows to test on hold beside those of the scores.
    Raises InvalidRelease for a split, a column or a label that is not there, and RunError where a
    row to be tested on is trained on too.
    """
    chosen = training.sets[name]
    train = read_examples(release, task, training, chosen.train)
    validation = read_examples(release, task, training, chosen.validation)
    own = (Rows(task.data, {}),)
    test = read_examples(release, task, training, chosen.test or own, also=also)
    for purpose, rows in (("train on", train), ("test on", test)):
        if not rows:
            raise RunError(f'the set "{name}" of {task.name} has no rows to {purpose}')
    refuse_leaks(train, test, f'the set "{name}" of {task.name}')
    return TrainingData(train, validation, test, len(task.answer.labels))


def refuse_leaks(train: Sequence[Example], test: Sequence[Example], named: str) -> None:
    """Raise RunError where a row to test on is trained on; ``named`` is what trains."""
    seen = {example.texts for example in train}
    leaked = sum(example.texts in seen for example in test)
    if leaked:
        raise RunError(f"{named} trains on {leaked:,} of the rows to test on")


def read_examples(
    release: Release,
    task: Task,
    training: Training,
    selections: Sequence[Rows],
    *,
    also: Sequence[str] = (),
) -> tuple[Example, ...]:
    """The rows of selections, in the order of the release; raises InvalidRelease.

    ``also`` are columns that their facts hold beside those of the scores.
    """
    return tuple(
        example
        for selection in selections
        for example in _selected(release, task, training, selection, also)
    )


def thinned(examples: Sequence[Example], limit: int | None, seed: int) -> tuple[Example, ...]:
    """At most ``limit`` examples, drawn evenly and kept in their order."""
    if limit is None or len(examples) <= limit:
        return tuple(examples)
    kept = sorted(random.Random(f"{seed} thin").sample(range(len(examples)), limit))
    return tuple(examples[index] for index in kept)


def _selected(
    release: Release, task: Task, training: Training, selection: Rows, also: Sequence[str]
) -> Iterator[Example]:
    table = selection.table
    there = release.columns(table)
    scored = (column for column in task.score.columns() if column in there)
    facts = [*dict.fromkeys((*scored, *also))]
    wanted = {task.id, task.answer.gold, *training.text, *selection.where, *facts}
    kept = {
        column: {label_key(value) for value in values} for column, values in selection.where.items()
    }
    labels = {label_key(value): index for index, value in enumerate(task.answer.labels.values())}
    for row in release.rows(table, wanted):
        values = cast("dict[str, Scalar]", row)
        if any(label_key(values[column]) not in keys for column, keys in kept.items()):
            continue
        label = labels.get(label_key(values[task.answer.gold]))
        if label is None:
            raise InvalidRelease(
                f"{table.config}/{table.split}: {values[task.id]}: no label of "
                f"{task.name} stands for {values[task.answer.gold]!r}"
            )
        texts = tuple(text_of(values[column]) for column in training.text)
        yield Example(
            str(values[task.id]), texts, label, {column: values[column] for column in facts}
        )


def text_of(value: object) -> str:
    """A cell as a model reads it: of a list, such as premises, one after the other."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
