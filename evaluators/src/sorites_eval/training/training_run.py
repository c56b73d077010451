"""One call that trains on a release: on a training set, several times, or on a growing set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Task, Training
from sorites_eval.errors import RunError
from sorites_eval.training.differences import Differences, differences, read_main
from sorites_eval.training.examples import TrainingData
from sorites_eval.training.fine_tuning import (
    Summary,
    choose_set,
    fine_tune,
    prepare,
    reference_summary,
)
from sorites_eval.training.growth import Growth, choose_curve, chosen_steps, grow, steps_of
from sorites_eval.training.other_inferences import read_inferences
from sorites_eval.training.outcome import Advance, Trainer, unwatched
from sorites_eval.training.request import LSTM, Request
from sorites_eval.training.results import write_growths, write_summary
from sorites_eval.training.run_records import (
    Record,
    growth_records,
    summary_records,
    write_records,
)
from sorites_eval.training.trainers import trainer_of

__all__ = ["LSTM", "Request", "Trained", "train", "write"]


@dataclass(frozen=True, slots=True)
class Trained:
    """The results: the model's summary, then those of the task's references; or curves.

    ``by`` are the columns of the first breakdown of the task's scores. ``records`` are the lines
    of ``training-runs.jsonl``. ``main`` are the differences from another training.
    """

    task: str
    by: tuple[str, ...]
    summaries: tuple[Summary, ...]
    records: tuple[Record, ...]
    growths: tuple[Growth, ...] = ()
    main: Differences | None = None


def train(
    release: Release,
    task: Task,
    request: Request,
    started: Callable[[int], Advance] | None = None,
) -> Trained:
    """Train and score as asked.

    ``started`` is called with the largest number of epochs; what it returns is called after each.
    Raises RunError, ModelError and InvalidRelease for whatever cannot be trained on or with.
    """
    training, name = choose_set(task, request.training_set)
    by = task.score.groups[0] if task.score.groups else ()
    trainer, epochs = trainer_of(request)
    if request.curves:
        return _grow(release, task, training, request, trainer, epochs, by, started)
    if request.steps is not None:
        raise RunError("steps are those of a curve: name one")
    others = (
        read_inferences(request.others, task, limit=request.others_limit)
        if request.others is not None
        else ()
    )
    data = prepare(
        release,
        task,
        training,
        name,
        others=others,
        only_others=request.only_others,
        limit=request.limit,
        seed=request.seed,
    )
    # Whatever can be wrong with the main training is told before hours are spent on this one.
    known = read_main(request.main, by, data.test) if request.main is not None else None
    advance = started(epochs * request.runs) if started is not None else unwatched
    summary = _tune(task, trainer, request, advance, data, _named(name, request))
    main = differences(summary, by, known) if known is not None else None
    references = (
        reference_summary(release, task, key, reference)
        for key, reference in task.references.items()
    )
    summaries = (summary, *references)
    records = tuple(summary_records(release, task, summaries))
    return Trained(task.name, by, summaries, records, main=main)


def write(trained: Trained, folder: Path) -> None:
    """Write the tables, what each model scored and, of curves, the plot to a folder."""
    write_records(trained.records, folder)
    if trained.growths:
        write_growths(trained.growths, trained.by, folder)
    else:
        write_summary(trained.summaries, trained.by, folder, trained.main)


def _grow(
    release: Release,
    task: Task,
    training: Training,
    request: Request,
    trainer: Trainer,
    epochs: int,
    by: tuple[str, ...],
    started: Callable[[int], Advance] | None,
) -> Trained:
    if request.others is not None:
        raise RunError("a curve is trained on the release alone: leave the other data set out")
    if request.training_set is not None:
        raise RunError("a curve says which set it starts from: leave the training set out")
    if request.main is not None:
        raise RunError("differences are those of a training set: leave the curve out")
    curves = [(name, choose_curve(training, task, name)) for name in dict.fromkeys(request.curves)]
    points = sum(len(chosen_steps(steps_of(release, c), request.steps)) for _, c in curves)
    advance = started(epochs * request.runs * points) if started is not None else unwatched
    tune = partial(_tune, task, trainer, request, advance)
    growths = tuple(
        grow(
            release,
            task,
            training,
            name,
            partial(_at_step, tune, name),
            steps=request.steps,
            limit=request.limit,
            seed=request.seed,
        )
        for name, _ in curves
    )
    summaries = tuple(point.summary for growth in growths for point in growth.points)
    records = tuple(growth_records(release, task, growths))
    return Trained(task.name, by, summaries, records, growths)


def _at_step(
    tune: Callable[[TrainingData, str], Summary], curve: str, data: TrainingData, step: int
) -> Summary:
    return tune(data, f"{curve} + {step}")


def _tune(
    task: Task,
    trainer: Trainer,
    request: Request,
    advance: Advance,
    data: TrainingData,
    name: str,
) -> Summary:
    return fine_tune(
        task,
        data,
        trainer,
        model=_called(request.model),
        training_set=name,
        runs=request.runs,
        seed=request.seed,
        advance=advance,
    )


def _named(training_set: str, request: Request) -> str:
    if request.others is None:
        return training_set
    others = _called(request.others)
    return others if request.only_others else f"{training_set} + {others}"


def _called(where: str) -> str:
    """The name of a folder or file, without where it lies on this machine; else what was given."""
    return Path(where).name if Path(where).exists() else where
