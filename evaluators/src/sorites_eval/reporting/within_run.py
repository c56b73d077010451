"""One run alone: trends over levels, and two levels set against each other."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sorites_eval.contract.tasks import Scalar
from sorites_eval.reporting.findings import Finding
from sorites_eval.reporting.rightness import clusters, mean, shares
from sorites_eval.running.finished import Run
from sorites_eval.scoring.prediction import Prediction, is_right
from sorites_eval.scoring.statistics import compare_proportions, rank_sum, spearman, wilcoxon

__all__ = ["within"]


def within(run: Run) -> list[Finding]:
    """Every trend and contrast that the task's groups allow."""
    findings: list[Finding] = []
    for columns in run.task.score.groups:
        cells = _by(columns, run.predictions)
        for place, column in enumerate(columns):
            levels = {key[place] for key in cells}
            if len(levels) >= 3 and all(_is_number(level) for level in levels):
                findings += _trends(run, columns, place, cells)
            if len(columns) == 1 and len(levels) == 2:
                findings.append(_contrast(run, column, list(cells)))
    return findings


def _contrast(run: Run, column: str, levels: Sequence[tuple[Scalar, ...]]) -> Finding:
    """The two levels of a column set against each other, over what is independent.

    Items of one cluster each are counted (Fisher). Clusters that lie in one level are ranked
    (Mann and Whitney), and those that lie in both are paired (Wilcoxon).
    """
    facts = {(p.id, p.view): p.facts[column] for p in run.predictions}
    rights, groups = shares(run), clusters(run)
    sides: list[dict[Scalar, list[float]]] = [{}, {}]
    for key, share in rights.items():
        side = sides[0 if facts[key] == levels[0][0] else 1]
        side.setdefault(groups[key], []).append(share)
    first, second = ({c: mean(v) for c, v in side.items()} for side in sides)
    both = [cluster for cluster in first if cluster in second]
    alone = all(len(v) == 1 for side in sides for v in side.values()) and not both
    unit = run.task.score.clusters or "item"
    if alone and set(rights.values()) <= {0.0, 1.0}:
        test = compare_proportions(*([v == 1 for v in side.values()] for side in (first, second)))
        unit = "item"
    elif both:
        test = wilcoxon([first[c] for c in both], [second[c] for c in both])
    else:
        test = rank_sum(list(first.values()), list(second.values()))
    over = " against ".join(f"{column} = {level[0]}" for level in levels)
    return Finding(run.name, "", over, test, unit, "contrast")


def _trends(
    run: Run, columns: Sequence[str], place: int, cells: Mapping[tuple[Scalar, ...], list[bool]]
) -> list[Finding]:
    """The trend over all cells, and over the levels alone for each value of the other columns."""
    levels = [_as_number(key[place]) for key in cells]
    means = [mean(rights) for rights in cells.values()]
    unit = " × ".join(columns)
    found = [Finding(run.name, "", columns[place], spearman(levels, means), unit, "trend")]
    if len(columns) == 1:
        return found
    found = [replace(found[0], over=f"{columns[place]}, all {' × '.join(columns)}")]
    parts: dict[tuple[Scalar, ...], list[tuple[float, float]]] = defaultdict(list)
    for key, rights in cells.items():
        rest = key[:place] + key[place + 1 :]
        parts[rest].append((_as_number(key[place]), mean(rights)))
    for rest, points in parts.items():
        over = f"{columns[place]}, {' · '.join(map(str, rest))}"
        test = spearman([level for level, _ in points], [mean for _, mean in points])
        found.append(Finding(run.name, "", over, test, columns[place], "trend"))
    return found


def _by(
    columns: Sequence[str], predictions: Sequence[Prediction]
) -> dict[tuple[Scalar, ...], list[bool]]:
    cells: dict[tuple[Scalar, ...], list[bool]] = {}
    for prediction in predictions:
        key = tuple(prediction.facts[column] for column in columns)
        cells.setdefault(key, []).append(is_right(prediction))
    return dict(sorted(cells.items(), key=lambda cell: [str(value) for value in cell[0]]))


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _as_number(value: Scalar) -> float:
    return float(value) if isinstance(value, int | float) else math.nan
