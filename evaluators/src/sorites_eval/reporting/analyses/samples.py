"""What an analysis is made of: answers of runs, and what trained models scored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sorites_eval.contract.analyses.names import RUN_DIMENSIONS
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Scalar, Task, label_key
from sorites_eval.reporting.analyses.found import TOTAL, Key
from sorites_eval.reporting.analyses.measures import Measures, measures_of, wanted
from sorites_eval.reporting.analyses.trained import Breakdown, Trained
from sorites_eval.running.finished import Run
from sorites_eval.running.slices import part_of
from sorites_eval.scoring.metrics import Prediction

__all__ = [
    "Answers",
    "Evidence",
    "Sample",
    "Scored",
    "answers",
    "is_everywhere",
    "kept_by",
    "samples",
    "scored",
    "with_columns",
]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Finished runs, and results of training, all on one release."""

    runs: Sequence[Run]
    trained: Sequence[Trained] = ()


@dataclass(frozen=True, slots=True)
class Answers:
    """One model's answers to the items that count.

    ``facets`` has a value for each of ``RUN_DIMENSIONS``. A model that is ``everywhere`` does not
    depend on the setting in which it was run, and stands in every one.
    """

    task: Task
    facets: Mapping[str, Scalar]
    predictions: Sequence[Prediction]
    everywhere: bool = False

    def grouped(self, dimensions: Sequence[str | None]) -> dict[Key, list[Prediction]]:
        """The answers by the values of dimensions."""
        groups: dict[Key, list[Prediction]] = {}
        for p in self.predictions:
            key = tuple(TOTAL if d is None else self._value(p, d) for d in dimensions)
            groups.setdefault(key, []).append(p)
        return groups

    def measured(
        self, dimensions: Sequence[str | None], metrics: Sequence[str]
    ) -> dict[Key, Measures]:
        """The measures of each group; a dimension that is None has the value ``TOTAL``."""
        groups = self.grouped(dimensions)
        return {key: measures_of(self.task, some, metrics) for key, some in groups.items()}

    def _value(self, prediction: Prediction, dimension: str) -> Scalar:
        return self.facets.get(dimension, prediction.facts.get(dimension))


@dataclass(frozen=True, slots=True)
class Scored:
    """What a trained model scored, broken down in the ways in which that was written down.

    Of ``where`` the same holds as of the dimensions: where there is no breakdown by exactly these
    columns there are no measures.
    """

    facets: Mapping[str, Scalar]
    trained: Trained
    where: Mapping[str, tuple[Scalar, ...]] = field(default_factory=dict)
    everywhere: bool = False

    def measured(
        self, dimensions: Sequence[str | None], metrics: Sequence[str]
    ) -> dict[Key, Measures]:
        """The measures of each group of a breakdown by the same columns, if there is one."""
        own = {d for d in dimensions if d is not None and d not in RUN_DIMENSIONS}
        rows = self.trained.by(own | self.where.keys())
        found: dict[Key, Measures] = {}
        for row in filter(self._allowed, rows):
            key = tuple(
                TOTAL if d is None else self.facets.get(d, row.values.get(d)) for d in dimensions
            )
            if key in found:
                # Two groups would have to be put together, which only their items allow.
                return {}
            found[key] = wanted(row.measures, metrics)
        return found

    def validated(self, dimensions: Sequence[str]) -> Sequence[Breakdown]:
        """Accuracies on the rows that the model was chosen by, by the same columns."""
        own = {dimension for dimension in dimensions if dimension not in RUN_DIMENSIONS}
        return [row for row in self.trained.validation if row.values.keys() == own]

    def _allowed(self, row: Breakdown) -> bool:
        return all(
            label_key(row.values.get(column)) in {*map(label_key, some)}
            for column, some in self.where.items()
        )


Sample = Answers | Scored
"""One model in one setting of a task: what it answered, or what it scored."""


def answers(analysis: Analysis, evidence: Evidence) -> list[Answers]:
    """The answers of every run of the analysis, of the items that it lets through, if any."""
    found = []
    for run in evidence.runs:
        if run.task.name in analysis.tasks:
            facets = {"model": run.model, "setting": run.setting, "task": run.task.name}
            everywhere = is_everywhere(run)
            predictions = kept_by(analysis, run.predictions)
            if predictions and _meant(analysis, facets, everywhere=everywhere):
                found.append(Answers(run.task, facets, predictions, everywhere))
    return found


def samples(analysis: Analysis, evidence: Evidence) -> list[Sample]:
    """The samples of an analysis; points of a learning curve are none."""
    trained = [
        scored(analysis, told)
        for told in evidence.trained
        if told.task in analysis.tasks
        and told.curve is None
        and _meant(analysis, told.facets(), everywhere=told.everywhere)
    ]
    return [*answers(analysis, evidence), *trained]


def scored(analysis: Analysis, trained: Trained) -> Scored:
    """The sample of a trained model, of the items that the analysis lets through."""
    columns = {name: some for name, some in analysis.where.items() if name not in RUN_DIMENSIONS}
    return Scored(trained.facets(), trained, columns, trained.everywhere)


def _meant(analysis: Analysis, facets: Mapping[str, Scalar], *, everywhere: bool) -> bool:
    """Whether the analysis lets a run through."""
    return all(
        facets[name] in analysis.where[name]
        for name in RUN_DIMENSIONS
        if name in analysis.where and not (everywhere and name == "setting")
    )


def kept_by(analysis: Analysis, predictions: Iterable[Prediction]) -> list[Prediction]:
    """The predictions of the items that the analysis lets through."""
    allowed = {
        column: {*map(label_key, some)}
        for column, some in analysis.where.items()
        if column not in RUN_DIMENSIONS
    }
    return [
        p
        for p in predictions
        if all(label_key(p.facts.get(column)) in some for column, some in allowed.items())
    ]


def with_columns(run: Run, columns: Iterable[str], release: Release) -> Run:
    """The run with these columns of its items, read again from the release if it lacks one."""
    there = run.predictions[0].facts.keys() if run.predictions else set(columns)
    missing = [(column,) for column in columns if column not in there]
    return part_of(run, (), missing, release) if missing else run


def is_everywhere(run: Run) -> bool:
    """Whether the model reads no prompt, as a baseline and a classifier do not."""
    model = run.about["model"]
    return isinstance(model, Mapping) and model.get("backend") in ("baseline", "classifier")
