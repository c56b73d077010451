"""Two runs side by side: every test is paired, over what both answered.

What is paired is the unit of the test: items where they are independent of each other, else
their clusters; and the groups of some columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import RunError
from sorites_eval.names import did_you_mean
from sorites_eval.reporting.findings import Finding
from sorites_eval.reporting.rightness import Key, clusters, mean, shares
from sorites_eval.running.finished import Run
from sorites_eval.scoring.intervals import difference_interval
from sorites_eval.scoring.metrics import measure
from sorites_eval.scoring.prediction import Prediction, is_right
from sorites_eval.scoring.statistics import Test, mcnemar, wilcoxon

__all__ = ["between"]


def between(
    first: Run, second: Run, units: Sequence[tuple[str, ...]], metric: str | None
) -> list[Finding]:
    """Tests of two runs of one task and release, over items and over the groups of each unit.

    A unit with a column that only one of the runs kept is left out. ``metric`` is what is measured
    in each group, accuracy if none is named; RunError for one that the task does not have.
    """
    ours, theirs, groups = shares(first), shares(second), clusters(first)
    keys = [key for key in ours if key in theirs]
    if not keys:
        return []
    names = (_short(first, second), _short(second, first))
    family = "models" if first.model != second.model else "settings"
    test, unit = _paired(first, keys, ours, theirs)
    differences = [ours[key] - theirs[key] for key in keys]
    interval = difference_interval(differences, [groups[key] for key in keys])
    findings = [Finding(*names, f"items of {first.task.name}", test, unit, family, interval)]
    for columns in units:
        if not set(columns) <= second.predictions[0].facts.keys():
            continue
        cells = [_cells(run, columns, frozenset(keys), metric) for run in (first, second)]
        unit = " × ".join(columns)
        for over, pairs in _paired_cells(unit, *cells):
            if len(pairs) >= 3:
                test = wilcoxon([a for a, _ in pairs], [b for _, b in pairs])
                findings.append(Finding(*names, over, test, unit, family))
    return findings


def _paired(
    run: Run, keys: Sequence[Key], ours: Mapping[Key, float], theirs: Mapping[Key, float]
) -> tuple[Test, str]:
    """The test over items, and its unit: clusters where they hold several items, else items."""
    groups = clusters(run)
    grouped: dict[Scalar, list[Key]] = {}
    for key in keys:
        grouped.setdefault(groups[key], []).append(key)
    if len(grouped) == len(keys) and {*ours.values(), *theirs.values()} <= {0.0, 1.0}:
        return mcnemar([ours[key] == 1 for key in keys], [theirs[key] == 1 for key in keys]), "item"
    means = [
        [mean([side[key] for key in some]) for some in grouped.values()] for side in (ours, theirs)
    ]
    return wilcoxon(*means), run.task.score.clusters or "item"


Cells = dict[tuple[Scalar, ...], dict[str, float | int | None]]


def _cells(run: Run, columns: Sequence[str], keys: frozenset[Key], metric: str | None) -> Cells:
    """The measures of each group of the items in question."""
    groups: dict[tuple[Scalar, ...], list[Prediction]] = {}
    for p in run.predictions:
        if (p.id, p.view) in keys:
            groups.setdefault(tuple(p.facts[column] for column in columns), []).append(p)
    if metric is None:
        return {key: {"": mean(list(map(is_right, some)))} for key, some in groups.items()}
    if metric not in run.task.score.metrics:
        raise RunError(
            f'{run.folder}: the task {run.task.name} has no metric "{metric}". '
            f"{did_you_mean(metric, run.task.score.metrics)}"
        )
    task = replace(run.task, score=replace(run.task.score, metrics=(metric,), combine=None))
    return {key: _measures(task, some) for key, some in groups.items()}


def _measures(task: Task, predictions: Sequence[Prediction]) -> dict[str, float | int | None]:
    found = measure(task, predictions)
    # Settings may number the same labels otherwise: their values are what is compared.
    names = {f"f1 {text}": f"f1 {value}" for text, value in task.answer.labels.items()}
    numbered = any(prompt.labels is not None for prompt in task.prompts.values())
    return {
        names.get(name, name) if numbered else name: value
        for name, value in found.items()
        if name not in {"n", "pairs"}
    }


def _paired_cells(
    unit: str, ours: Cells, theirs: Cells
) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """For each measure, and last for all of them if they are several, the values side by side."""
    names = dict.fromkeys(name for cell in ours.values() for name in cell)
    everything: list[tuple[float, float]] = []
    for name in names:
        pairs = [
            (a, b)
            for key in ours
            if (a := ours[key].get(name)) is not None
            and (b := theirs.get(key, {}).get(name)) is not None
        ]
        everything += pairs
        yield (f"{unit}, {name}" if name else unit), pairs
    if len(names) > 1:
        yield f"{unit}, all of {len(names)}", everything


def _short(run: Run, other: Run) -> str:
    if run.setting == other.setting:
        return run.model
    return f"{run.model} · {run.setting}" if run.model != other.model else run.setting
