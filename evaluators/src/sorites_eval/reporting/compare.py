"""Runs side by side: intervals for each, and every test that the tasks' groups allow.

A right answer is a right label, and with it the right selection where the task asks for one.
Tests between two runs are paired, over the items that both answered of the same release. What
is paired is the unit of the test: items where they are independent of each other, else their
clusters; and the groups of the columns that the task declares as its unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from sorites_eval.errors import RunError
from sorites_eval.names import did_you_mean
from sorites_eval.reporting.between_runs import between
from sorites_eval.reporting.findings import Comparison, Finding, Standing, to_csv, to_json
from sorites_eval.reporting.rightness import clusters, shares
from sorites_eval.reporting.within_run import within
from sorites_eval.running.finished import Run
from sorites_eval.scoring.intervals import Interval, share_interval
from sorites_eval.scoring.statistics import adjust

__all__ = ["Comparison", "Finding", "Standing", "compare", "to_csv", "to_json"]


def compare(
    runs: Sequence[Run], *, unit: Sequence[str] | None = None, metric: str | None = None
) -> Comparison:
    """Every interval and test over some runs.

    ``unit`` are the columns whose groups give the paired values of a test between two runs,
    instead of those that the task declares or, without any, of each of its groupings. ``metric`` is
    what is measured in each group, accuracy if none is named; one that has several
    measures, as F1 by label, is tested for each of them and over all.

    Raises RunError for a column that the runs do not have and a metric that is not the task's.
    """
    standings = [Standing(run.name, len(shares(run)), _interval(run)) for run in runs]
    findings: list[Finding] = []
    for run in runs:
        findings += within(run)
    for first, second in combinations(runs, 2):
        if (first.content, first.task.name) == (second.content, second.task.name):
            findings += between(first, second, _units(first, unit), metric)
    return Comparison(standings, _adjusted(findings))


def _units(run: Run, asked: Sequence[str] | None) -> Sequence[tuple[str, ...]]:
    if asked is None:
        return [run.task.score.unit] if run.task.score.unit else run.task.score.groups
    known = run.predictions[0].facts
    for column in asked:
        if column not in known:
            raise RunError(
                f'{run.folder}: no column "{column}" for a unit. {did_you_mean(column, known)}'
            )
    return [tuple(asked)]


def _interval(run: Run) -> Interval:
    rights, groups = shares(run), clusters(run)
    return share_interval(list(rights.values()), [groups[key] for key in rights])


def _adjusted(findings: Sequence[Finding]) -> list[Finding]:
    """Correct the p of every test for there being several: one correction over all families."""
    adjusted = adjust([finding.test.p for finding in findings])
    return [replace(f, p_adjusted=p) for f, p in zip(findings, adjusted, strict=True)]
