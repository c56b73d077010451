"""Scores, comparisons and alarms as tables of a page: text, what a column sorts by, intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sorites_eval.contract.metrics import METRICS
from sorites_eval.contract.tasks import Scalar
from sorites_eval.reporting.alarms import Alarm, alarms
from sorites_eval.reporting.compare import Comparison, Finding
from sorites_eval.reporting.measure_intervals import intervals
from sorites_eval.running.finished import Run
from sorites_eval.scoring.intervals import Interval
from sorites_eval.scoring.prediction import Prediction
from sorites_eval.scoring.scores import Number

__all__ = [
    "Cell",
    "Heading",
    "PageTable",
    "comparison_tables",
    "group_tables",
    "main_metric",
    "number",
    "overall_table",
    "overview",
    "percent",
    "release_of",
]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. ``low`` and ``high`` are the bounds of a 95 % interval; ``marks`` are badges."""

    text: str
    number: float | None = None
    right: bool = False
    low: float | None = None
    high: float | None = None
    bar: bool = False
    marks: Sequence[Alarm] = ()

    @property
    def sorts(self) -> str:
        """The number by which the cell is sorted, empty where its text says it."""
        if self.number is None or self.text == f"{self.number:.3f}" or self.text.isdecimal():
            return ""
        return f"{self.number:.6g}"

    @property
    def interval(self) -> str:
        """The bounds in words, empty where there are none."""
        if self.low is None or self.high is None:
            return ""
        sign = "+" if self.text[:1] in "+-" else ""
        return f"{self.low:{sign}.3f} to {self.high:{sign}.3f}"


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a column; ``number`` says that it holds numbers."""

    text: str
    number: bool = False


@dataclass(frozen=True, slots=True)
class PageTable:
    """A table with its caption; the first cell of a row names it."""

    caption: str
    headings: Sequence[Heading]
    rows: Sequence[Sequence[Cell]]


def overview(runs: Sequence[Run]) -> PageTable:
    """One row a run: how often it was right, of how many items, and what to beware of."""
    headings = [Heading("Model"), Heading("Task"), Heading("Setting"), Heading("Items", True)]
    headings += [Heading("Main score", True), Heading("Measure"), Heading("Beware of")]
    rows: list[Sequence[Cell]] = []
    for run in runs:
        metric = main_metric(run)
        found = intervals(run.task, run.predictions, {metric: run.scores.overall.get(metric)})
        score = number(run.scores.overall.get(metric), found.get(metric), bar=True)
        texts = [Cell(run.model), Cell(run.task.name), Cell(run.setting), _items(run)]
        marks = Cell("" if (some := alarms(run)) else "–", marks=some)
        rows.append([*texts, score, Cell(metric), marks])
    return PageTable("Every run and its main score", headings, rows)


def overall_table(runs: Sequence[Run]) -> PageTable:
    """Every measure of the runs of a task."""
    metrics = _in_order(name for run in runs for name in run.scores.overall)
    headings = [Heading("Run"), *(Heading(metric, True) for metric in metrics)]
    rows = [
        [Cell(_short(run)), *_measures(run, run.predictions, run.scores.overall, metrics)]
        for run in runs
    ]
    return PageTable("All items", headings, rows)


def group_tables(runs: Sequence[Run]) -> Iterable[PageTable]:
    """A table for each grouping of the task."""
    for columns in dict.fromkeys(c for run in runs for c in run.task.score.groups):
        able = [run for run in runs if columns in run.task.score.groups]
        found = [group for run in able for group in run.scores.groups if group.by == columns]
        metrics = _in_order(name for group in found for name in group.measures)
        rows: list[Sequence[Cell]] = []
        for run in able:
            cells: dict[tuple[Scalar, ...], list[Prediction]] = {}
            for p in run.predictions:
                cells.setdefault(tuple(p.facts[column] for column in columns), []).append(p)
            for group in (group for group in run.scores.groups if group.by == columns):
                key = tuple(group.values[column] for column in columns)
                values = [_value(value) for value in key]
                measures = _measures(run, cells.get(key, []), group.measures, metrics)
                rows.append([Cell(_short(run)), *values, *measures])
        headings = [Heading("Run"), *(Heading(column) for column in columns)]
        headings += [Heading(metric, True) for metric in metrics]
        yield PageTable(f"By {' and '.join(columns)}", headings, rows)


def comparison_tables(found: Comparison) -> Iterable[PageTable]:
    """Runs against each other, then trends and contrasts within each."""
    between = [finding for finding in found.findings if finding.second]
    within = [f for f in found.findings if not f.second and f.test.effect is not None]
    if between:
        names = [Heading("First"), Heading("Second"), Heading("Over"), Heading("Unit")]
        headings = [*names, Heading("First minus second", True), *_TESTED]
        yield PageTable(
            "Runs against each other",
            headings,
            [
                [
                    *map(Cell, (f.first, f.second, f.over, f.unit)),
                    _difference(f.difference),
                    *_test(f),
                ]
                for f in between
            ],
        )
    if within:
        names = [Heading("Run"), Heading("Over"), Heading("Unit"), Heading("Asks for")]
        yield PageTable(
            "Trends and contrasts within each run",
            [*names, *_TESTED],
            [[*map(Cell, (f.first, f.over, f.unit, f.family)), *_test(f)] for f in within],
        )


_TESTED = (
    Heading("Test"),
    Heading("n", True),
    Heading("Effect", True),
    Heading("p", True),
    Heading("p adjusted", True),
)


def _test(finding: Finding) -> list[Cell]:
    test = finding.test
    effect = Cell("–", right=True)
    if test.effect is not None:
        value = "∞" if math.isinf(test.effect) else f"{test.effect:.2f}"
        sorts = test.effect if math.isfinite(test.effect) else None
        effect = Cell(f"{value} ({test.effect_name})", sorts, right=True)
    n = Cell(f"{test.n:,}", float(test.n), right=True)
    return [Cell(test.name), n, effect, _p(test.p), _p(finding.p_adjusted)]


def _p(value: float | None) -> Cell:
    if value is None:
        return Cell("–", right=True)
    return Cell("< 0.001" if value < 0.001 else f"{value:.3f}", value, right=True)


def _difference(interval: Interval | None) -> Cell:
    if interval is None:
        return Cell("–", right=True)
    estimate, low, high = interval.estimate, interval.low, interval.high
    return Cell(f"{estimate:+.3f}", estimate, right=True, low=low, high=high)


def _measures(
    run: Run,
    predictions: Sequence[Prediction],
    measures: Mapping[str, Number],
    metrics: Sequence[str],
) -> list[Cell]:
    found = intervals(run.task, predictions, measures)
    return [number(measures.get(metric), found.get(metric)) for metric in metrics]


def main_metric(run: Run) -> str:
    """The measure that a release's task names first, reasoning before the label alone."""
    overall = run.scores.overall
    if "reasoning-accuracy" in overall:
        return "reasoning-accuracy"
    return next((m for m in run.task.score.metrics if overall.get(m) is not None), "n")


def _in_order(metrics: Iterable[str]) -> list[str]:
    """Metrics in the order of their definition, details such as counts after them."""
    order = {metric: place for place, metric in enumerate(("n", *METRICS))}
    return sorted(dict.fromkeys(metrics), key=lambda metric: order.get(metric, len(order)))


def _items(run: Run) -> Cell:
    asked, whole = run.about.get("items"), run.about.get("items_in_release")
    if not isinstance(asked, int):
        return Cell("–", right=True)
    text = f"{asked:,}"
    if isinstance(whole, int) and whole != asked:
        text += f" of {whole:,}"
    return Cell(text, float(asked), right=True)


def _value(value: Scalar) -> Cell:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return Cell("–" if value is None else str(value), float(str(value)) if is_number else None)


def number(value: object, interval: Interval | None = None, *, bar: bool = False) -> Cell:
    """A measure, with its interval if it has one; ``bar`` draws it from 0 to 1."""
    if not isinstance(value, int | float):
        return Cell("–", right=True)
    text = f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
    if interval is None:
        return Cell(text, float(value), right=True)
    low, high = interval.low, interval.high
    return Cell(text, float(value), right=True, low=low, high=high, bar=bar)


def percent(share: float) -> str:
    """A share for reading: "12 %", "0.4 %", "< 0.1 %"."""
    if 0 < share < 0.001:
        return "< 0.1 %"
    return f"{100 * share:.0f} %" if share >= 0.1 or share == 0 else f"{100 * share:.1f} %"


def release_of(run: Run) -> str:
    """Name and version of the release that was run."""
    release = run.about["release"]
    return f"{release['name']} {release['version']}" if isinstance(release, dict) else ""


def _short(run: Run) -> str:
    return f"{run.model} · {run.setting}"
