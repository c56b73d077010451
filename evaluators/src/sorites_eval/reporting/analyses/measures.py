"""The measures of some answers, under names that do not depend on how labels are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sorites_eval.contract.analyses.names import lacks
from sorites_eval.contract.tasks import Task
from sorites_eval.scoring.metrics import Prediction, measure
from sorites_eval.scoring.scores import Number

__all__ = ["COUNTS", "Measures", "measures_of", "wanted"]

Measures = Mapping[str, Number]

COUNTS = ("n", "pairs", "rated")
"""Measures that say of how many something is, not how good."""

_BY_LABEL = "f1-by-label"


def measures_of(
    task: Task, predictions: Sequence[Prediction], metrics: Sequence[str]
) -> dict[str, Number]:
    """The measures that the task can have, with ``n``; the F1 of a label by what it stands for."""
    able = tuple(metric for metric in metrics if lacks(task, metric) is None)
    asked = replace(task, score=replace(task.score, metrics=able, combine=None))
    names = {f"f1 {text}": f"f1 {value}" for text, value in task.answer.labels.items()}
    return {names.get(name, name): value for name, value in measure(asked, predictions).items()}


def wanted(measures: Measures, metrics: Sequence[str]) -> dict[str, Number]:
    """Those of some measures, named alike, that belong to metrics, with ``n``."""
    return {
        name: value
        for name, value in measures.items()
        if name in (*metrics, "n") or (_BY_LABEL in metrics and name.startswith("f1 "))
    }
