"""Runs side by side: intervals for each, and every test that the tasks' groups allow.

A right answer is a right label, and with it the right selection where the task asks for one.
Tests between two runs are paired, over the items that both answered of the same release.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from sorites_eval.contract.tasks import Scalar
from sorites_eval.running.finished import Run
from sorites_eval.scoring.metrics import Prediction
from sorites_eval.scoring.statistics import (
    Interval,
    Test,
    adjust,
    clustered_interval,
    compare_proportions,
    mcnemar,
    spearman,
    wilcoxon,
)
from sorites_eval.scoring.tables import arrow_table, data_frame

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["Comparison", "Finding", "Standing", "compare", "is_right", "to_csv", "to_json"]


_HEADINGS = (
    *("first", "second", "over", "test", "n", "effect", "effect_size"),
    *("p", "p_adjusted", "difference", "low", "high"),
)
_TEXTS = ("first", "second", "over")


@dataclass(frozen=True, slots=True)
class Standing:
    """How often one run was right, over ``n`` items."""

    run: str
    n: int
    interval: Interval


@dataclass(frozen=True, slots=True)
class Finding:
    """One test. ``second`` is empty for a test within a run; ``over`` says over what.

    ``difference`` is in accuracy, first minus second, with an interval where items are
    paired. ``p_adjusted`` corrects for all tests of the same kind in the comparison.
    """

    first: str
    second: str
    over: str
    test: Test
    difference: Interval | None = None
    p_adjusted: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """How often each run was right, and every test, in the order of the runs."""

    standings: Sequence[Standing]
    findings: Sequence[Finding]

    def to_arrow(self) -> pa.Table:
        """The tests as a table, one a row, with the columns of ``comparison.csv``."""
        return arrow_table([_row(finding) for finding in self.findings], _HEADINGS)

    def to_pandas(self) -> pd.DataFrame:
        """As ``to_arrow``, as a data frame; SoritesError if pandas is not installed."""
        return data_frame(self.to_arrow())


def is_right(prediction: Prediction) -> bool:
    """Whether label and, if one was asked for, selection are right."""
    return prediction.right and prediction.right_selection is not False


def compare(runs: Sequence[Run], seed: int = 0) -> Comparison:
    """Every interval and test over some runs."""
    standings = [
        Standing(run.name, len(run.predictions), _interval(run, run.predictions, seed))
        for run in runs
    ]
    findings: list[Finding] = []
    for run in runs:
        findings += _within(run)
    for first, second in combinations(runs, 2):
        if (first.content, first.task.name) == (second.content, second.task.name):
            findings += _between(first, second, seed)
    return Comparison(standings, _adjusted(findings))


def _interval(run: Run, predictions: Sequence[Prediction], seed: int) -> Interval:
    rights = [float(is_right(p)) for p in predictions]
    return clustered_interval(rights, [_cluster(run, p) for p in predictions], seed)


def _cluster(run: Run, prediction: Prediction) -> Scalar:
    column = run.task.score.clusters
    return prediction.id if column is None else prediction.facts[column]


def _between(first: Run, second: Run, seed: int) -> list[Finding]:
    others = {(p.id, p.view): p for p in second.predictions}
    pairs = [(p, others[p.id, p.view]) for p in first.predictions if (p.id, p.view) in others]
    if not pairs:
        return []
    test = mcnemar([is_right(a) for a, _ in pairs], [is_right(b) for _, b in pairs])
    differences = [float(is_right(a)) - float(is_right(b)) for a, b in pairs]
    interval = clustered_interval(differences, [_cluster(first, a) for a, _ in pairs], seed)
    names = (_short(first, second), _short(second, first))
    findings = [Finding(*names, f"items of {first.task.name}", test, interval)]
    for columns in first.task.score.groups:
        ours, theirs = _by(columns, [a for a, _ in pairs]), _by(columns, [b for _, b in pairs])
        if len(ours) >= 3:
            test = wilcoxon([_mean(ours[k]) for k in ours], [_mean(theirs[k]) for k in ours])
            findings.append(Finding(*names, " × ".join(columns), test))
    return findings


def _short(run: Run, other: Run) -> str:
    if run.setting == other.setting:
        return run.model
    return f"{run.model} · {run.setting}" if run.model != other.model else run.setting


def _within(run: Run) -> list[Finding]:
    findings: list[Finding] = []
    for columns in run.task.score.groups:
        cells = _by(columns, run.predictions)
        for place, column in enumerate(columns):
            levels = {key[place] for key in cells}
            if len(levels) >= 3 and all(_is_number(level) for level in levels):
                findings += _trends(run, columns, place, cells)
            if len(columns) == 1 and len(levels) == 2:
                first, second = cells.values()
                names = [f"{column} = {key[0]}" for key in cells]
                test = compare_proportions(first, second)
                findings.append(Finding(run.name, "", " against ".join(names), test))
    return findings


def _trends(
    run: Run, columns: Sequence[str], place: int, cells: Mapping[tuple[Scalar, ...], list[bool]]
) -> list[Finding]:
    """The trend over all cells, and over the levels alone for each value of the other columns."""
    levels = [_as_number(key[place]) for key in cells]
    means = [_mean(rights) for rights in cells.values()]
    found = [Finding(run.name, "", columns[place], spearman(levels, means))]
    if len(columns) == 1:
        return found
    found = [replace(found[0], over=f"{columns[place]}, all {' × '.join(columns)}")]
    parts: dict[tuple[Scalar, ...], list[tuple[float, float]]] = defaultdict(list)
    for key, rights in cells.items():
        rest = key[:place] + key[place + 1 :]
        parts[rest].append((_as_number(key[place]), _mean(rights)))
    for rest, points in parts.items():
        over = f"{columns[place]}, {' · '.join(map(str, rest))}"
        test = spearman([level for level, _ in points], [mean for _, mean in points])
        found.append(Finding(run.name, "", over, test))
    return found


def _by(
    columns: Sequence[str], predictions: Sequence[Prediction]
) -> dict[tuple[Scalar, ...], list[bool]]:
    cells: dict[tuple[Scalar, ...], list[bool]] = {}
    for prediction in predictions:
        key = tuple(prediction.facts[column] for column in columns)
        cells.setdefault(key, []).append(is_right(prediction))
    return dict(sorted(cells.items(), key=lambda cell: [str(value) for value in cell[0]]))


def _mean(rights: Sequence[bool]) -> float:
    return sum(rights) / len(rights)


def _is_number(value: Scalar) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _as_number(value: Scalar) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def _adjusted(findings: Sequence[Finding]) -> list[Finding]:
    """Correct the p of all tests of one kind for there being several."""
    result = list(findings)
    for kind in dict.fromkeys(finding.test.name for finding in findings):
        places = [n for n, finding in enumerate(findings) if finding.test.name == kind]
        for place, p in zip(places, adjust([findings[n].test.p for n in places]), strict=True):
            result[place] = replace(findings[place], p_adjusted=p)
    return result


def to_json(comparison: Comparison) -> str:
    """The comparison as JSON; what is undefined or infinite is null."""
    text = json.dumps(_plain(asdict(comparison)), ensure_ascii=False, indent=2, sort_keys=True)
    return text + "\n"


def to_csv(comparison: Comparison) -> str:
    """The tests as CSV, one a line."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(_HEADINGS)
    for finding in comparison.findings:
        cells = [_cell(value) if name in _TEXTS else value for name, value in _row(finding).items()]
        writer.writerow(["" if value is None else value for value in cells])
    return stream.getvalue()


def _row(finding: Finding) -> dict[str, object]:
    """A finding under the names of ``_HEADINGS``."""
    test, interval = finding.test, finding.difference
    bounds = (interval.estimate, interval.low, interval.high) if interval else (None,) * 3
    texts = (finding.first, finding.second, finding.over, test.name)
    numbers = (test.n, test.effect_name, test.effect, test.p, finding.p_adjusted, *bounds)
    return dict(zip(_HEADINGS, (*texts, *numbers), strict=True))


def _cell(value: object) -> object:
    """Text that no spreadsheet takes for a formula."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _plain(value: object) -> object:
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
