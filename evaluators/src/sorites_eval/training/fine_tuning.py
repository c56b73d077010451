"""Train a classifier on a release several times over and score it on the task's rows."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Reference, Scalar, Task, Training
from sorites_eval.errors import RunError
from sorites_eval.names import did_you_mean
from sorites_eval.running.references import reference_predictions
from sorites_eval.scoring.answers import Outcome as Reply
from sorites_eval.scoring.metrics import Prediction, score
from sorites_eval.training.examples import Example, TrainingData, read_set, thinned
from sorites_eval.training.outcome import Advance, Trainer, unwatched

__all__ = [
    "Figure",
    "Group",
    "Run",
    "Summary",
    "choose_set",
    "fine_tune",
    "prepare",
    "reference_summary",
    "summarise",
]


@dataclass(frozen=True, slots=True)
class Figure:
    """An accuracy over several runs; the deviation is the sample's (n - 1), None of one run."""

    mean: float
    deviation: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> Figure:
        """The mean and the deviation of one value a run."""
        deviation = statistics.stdev(values) if len(values) > 1 else None
        return cls(statistics.fmean(values), deviation)


@dataclass(frozen=True, slots=True)
class Group:
    """Test rows with the same values in some columns: their number and their accuracy."""

    values: Mapping[str, Scalar]
    n: int
    accuracy: Figure


@dataclass(frozen=True, slots=True)
class Run:
    """One model that was trained: from which seed, for how long, and how it validated.

    ``epochs``, ``best`` and ``dropout`` are those of ``Outcome``. ``validation`` has an entry for
    each combination of values that the columns of the task's first breakdown have among the rows
    to validate with.
    """

    seed: int
    epochs: int
    best: int
    dropout: float | None
    validation_accuracy: float | None
    validation: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of several runs of one training.

    ``trained_on`` and ``tested_on`` count rows. ``groups`` has an entry for each list of columns
    by which the task's scores are broken down. ``scores`` are all scores of each run, and
    ``runs`` what else is known of it; answers that are not a model's have none.
    """

    model: str
    training_set: str
    trained_on: int
    tested_on: int
    accuracy: Figure
    validation: Figure | None
    groups: Mapping[tuple[str, ...], tuple[Group, ...]]
    scores: tuple[Mapping[str, object], ...]
    runs: tuple[Run, ...] = ()


def choose_set(task: Task, name: str | None) -> tuple[Training, str]:
    """How a task trains, and the name of the set asked for or of the first by name.

    Raises RunError for a task without training, one that is not scored by single answers, and
    an unknown set.
    """
    training = task.train
    if training is None:
        raise RunError(f"{task.name} says nothing about training")
    if "accuracy" not in task.score.metrics or task.score.combine is not None:
        raise RunError(
            f"{task.name} is not scored by the accuracy of single answers, as a classifier is"
        )
    wanted = name or min(training.sets)
    if wanted not in training.sets:
        raise RunError(
            f'{task.name} has no training set "{wanted}". {did_you_mean(wanted, training.sets)}'
        )
    return training, wanted


def prepare(
    release: Release,
    task: Task,
    training: Training,
    training_set: str,
    *,
    others: Sequence[Example] = (),
    only_others: bool = False,
    limit: int | None = None,
    seed: int = 0,
    also: Sequence[str] = (),
) -> TrainingData:
    """The rows of a training set, with those of another data set beside them or instead.

    ``limit`` is the most rows of the release to train on; ``also`` is as in ``read_set``.
    Raises InvalidRelease and RunError as ``read_set`` does.
    """
    data = read_set(release, task, training, training_set, also=also)
    own = () if only_others else thinned(data.train, limit, seed)
    train = (*own, *others)
    if not train:
        raise RunError("there is nothing to train on: give another data set to train on alone")
    if any(len(row.texts) != len(training.text) for row in others):
        raise RunError(f"{task.name} reads {len(training.text)} text, not two")
    return replace(data, train=train)


def fine_tune(
    task: Task,
    data: TrainingData,
    trainer: Trainer,
    *,
    model: str,
    training_set: str,
    runs: int = 5,
    seed: int = 0,
    advance: Advance = unwatched,
) -> Summary:
    """Train ``runs`` models, from the seeds ``seed``, ``seed + 1``, …, and score each.

    ``model`` and ``training_set`` are names for the report.
    """
    if runs < 1:
        raise RunError(f"{runs} runs are none: ask for at least one")
    scores: list[Mapping[str, object]] = []
    done: list[Run] = []
    for run in range(runs):
        outcome = trainer(data, seed + run, advance)
        labels = list(task.answer.labels)
        predictions = [
            _prediction(task, row, labels[row.label], labels[predicted])
            for row, predicted in zip(data.test, outcome.predicted, strict=True)
        ]
        scores.append(score(task, predictions))
        done.append(
            Run(
                seed + run,
                outcome.epochs,
                outcome.best,
                outcome.dropout,
                outcome.validation_accuracy,
                _validated(task, data.validation, outcome.validated),
            )
        )
    validated = [r.validation_accuracy for r in done if r.validation_accuracy is not None]
    validation = Figure.of(validated) if validated else None
    found = summarise(model, training_set, len(data.train), scores, validation)
    return replace(found, runs=tuple(done))


def reference_summary(release: Release, task: Task, name: str, reference: Reference) -> Summary:
    """Answers that are not a model's, scored as one run is.

    Raises InvalidRelease for a split or a column that is not there, or a value without a label.
    """
    predictions = reference_predictions(release, task, reference)
    return summarise(name, "", 0, [score(task, predictions)], None)


def summarise(
    model: str,
    training_set: str,
    trained_on: int,
    scores: Sequence[Mapping[str, object]],
    validation: Figure | None,
) -> Summary:
    """The accuracies of runs that were scored on the same rows, combined."""
    overall = [cast("Mapping[str, float]", of["overall"]) for of in scores]
    groups: dict[tuple[str, ...], tuple[Group, ...]] = {}
    groups_of_runs = [cast("list[dict[str, object]]", of["groups"]) for of in scores]
    for entries in zip(*groups_of_runs, strict=True):
        by = tuple(cast("list[str]", entries[0]["by"]))
        rows = zip(*(cast("list[dict[str, object]]", e["rows"]) for e in entries), strict=True)
        groups[by] = tuple(
            Group(
                cast("Mapping[str, Scalar]", of_runs[0]["values"]),
                cast("int", of_runs[0]["n"]),
                Figure.of([cast("float", row["accuracy"]) for row in of_runs]),
            )
            for of_runs in rows
        )
    return Summary(
        model=model,
        training_set=training_set,
        trained_on=trained_on,
        tested_on=int(overall[0]["n"]),
        accuracy=Figure.of([of["accuracy"] for of in overall]),
        validation=validation,
        groups=groups,
        scores=tuple(scores),
    )


def _validated(task: Task, rows: Sequence[Example], predicted: Sequence[int]) -> tuple[Group, ...]:
    """The accuracy on rows to validate with, by the columns of the first breakdown."""
    by = task.score.groups[0] if task.score.groups else ()
    right: dict[tuple[Scalar, ...], list[bool]] = {}
    for row, label in zip(rows, predicted, strict=True):
        key = tuple(row.facts.get(column) for column in by)
        right.setdefault(key, []).append(row.label == label)
    return tuple(
        Group(dict(zip(by, key, strict=True)), len(found), Figure(statistics.fmean(found), None))
        for key, found in sorted(right.items(), key=lambda entry: [*map(str, entry[0])])
    )


def _prediction(task: Task, row: Example, gold: str, label: str) -> Prediction:
    # A set may test on rows of another config, which need not have every column of the task's.
    facts = {column: row.facts.get(column) for column in task.score.columns()}
    return Prediction(row.id, "", gold, label, Reply.ANSWER, facts)
