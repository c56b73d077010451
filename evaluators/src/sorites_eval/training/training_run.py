"""One call that trains on a release: on a training set, several times, or on a growing set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Task, Training
from sorites_eval.errors import RunError
from sorites_eval.training.classifier import ClassifierSettings, classifier_trainer
from sorites_eval.training.examples import TrainingData
from sorites_eval.training.fine_tuning import (
    Summary,
    choose_set,
    fine_tune,
    prepare,
    reference_summary,
)
from sorites_eval.training.growth import Growth, choose_curve, grow, steps_of
from sorites_eval.training.lstm import LstmSettings, lstm_trainer
from sorites_eval.training.other_inferences import read_inferences
from sorites_eval.training.outcome import Advance, Trainer, unwatched
from sorites_eval.training.results import write_growth, write_summary

__all__ = ["LSTM", "Request", "Trained", "train", "write"]

LSTM = "lstm"
"""The name by which the LSTM is asked for; any other is that of a pretrained model."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to train, and how.

    ``model`` is ``lstm``, or a folder or a name on the Hub of a pretrained model. ``others`` is
    another data set of inferences to mix in (see ``read_inferences``), at most ``others_limit``
    of its rows; ``only_others`` trains on it alone. ``limit`` is the most rows of the release to
    train on; ``epochs`` overrides the model's own number.
    """

    model: str
    training_set: str | None = None
    runs: int = 5
    seed: int = 0
    epochs: int | None = None
    limit: int | None = None
    others: str | None = None
    others_limit: int | None = None
    only_others: bool = False
    curve: str | None = None
    lstm: LstmSettings = field(default_factory=LstmSettings)
    classifier: ClassifierSettings = field(default_factory=ClassifierSettings)


@dataclass(frozen=True, slots=True)
class Trained:
    """The results: the model's summary, then those of the task's references; or a curve.

    ``by`` are the columns of the first breakdown of the task's scores.
    """

    task: str
    by: tuple[str, ...]
    summaries: tuple[Summary, ...]
    growth: Growth | None = None


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
    trainer, epochs = _trainer(request)
    if request.curve is not None:
        return _grow(release, task, training, request, trainer, epochs, by, started)
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
    advance = started(epochs * request.runs) if started is not None else unwatched
    summary = _tune(task, trainer, request, advance, data, _named(name, request))
    references = (
        reference_summary(release, task, key, reference)
        for key, reference in task.references.items()
    )
    return Trained(task.name, by, (summary, *references))


def write(trained: Trained, folder: Path) -> None:
    """Write the tables, the figures as JSON and, of a curve, the plot to a folder."""
    if trained.growth is not None:
        write_growth(trained.growth, trained.by, folder)
    else:
        write_summary(trained.summaries, trained.by, folder)


def _trainer(request: Request) -> tuple[Trainer, int]:
    """The trainer, and how many epochs it trains at most."""
    if request.model == LSTM:
        lstm = request.lstm
        if request.epochs is not None:
            lstm = replace(lstm, epochs=request.epochs)
        return lstm_trainer(lstm), lstm.epochs
    if request.lstm.vectors is not None:
        raise RunError(f"word vectors are for the model {LSTM}; {request.model} has its own")
    classifier = request.classifier
    if request.epochs is not None:
        classifier = replace(classifier, epochs=request.epochs)
    return classifier_trainer(request.model, classifier), classifier.epochs


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
    curve = choose_curve(training, task, request.curve or "")
    points = len(steps_of(release, curve))
    advance = started(epochs * request.runs * points) if started is not None else unwatched
    tune = partial(_tune, task, trainer, request, advance)
    growth = grow(
        release,
        task,
        training,
        curve,
        lambda data, step: tune(data, f"{curve.base} + {step}"),
        limit=request.limit,
        seed=request.seed,
    )
    return Trained(task.name, by, tuple(point.summary for point in growth.points), growth)


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
        model=request.model,
        training_set=name,
        runs=request.runs,
        seed=request.seed,
        advance=advance,
    )


def _named(training_set: str, request: Request) -> str:
    if request.others is None:
        return training_set
    return request.others if request.only_others else f"{training_set} + {request.others}"
