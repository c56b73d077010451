"""Tables of metrics, and references beside runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.analyses.reference import Beside
from sorites_eval.contract.analyses.table import Difference, Table
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Task
from sorites_eval.reporting.analyses.cells import averaged, cells
from sorites_eval.reporting.analyses.found import DEVIATION, Found, Key, Line, Value
from sorites_eval.reporting.analyses.measures import COUNTS
from sorites_eval.reporting.analyses.samples import (
    Answers,
    Evidence,
    Sample,
    Scored,
    kept_by,
    samples,
)
from sorites_eval.reporting.analyses.validation import validated
from sorites_eval.running.references import reference_predictions

__all__ = ["beside", "filled", "measured_lines", "minus", "names_of", "table"]


def table(analysis: Analysis, design: Table, evidence: Evidence, _: Release) -> list[Found]:
    """The metrics of each cell; with a difference, its second level and the difference."""
    chosen = samples(analysis, evidence)
    dimensions = (*design.rows, *design.columns)
    if design.difference is not None:
        lines = _differences(chosen, dimensions, design, design.difference)
        first, second = design.difference.first, design.difference.second
        notes: tuple[str, ...] = (f"Δ: {second} minus {first}.",)
    else:
        lines = measured_lines(chosen, dimensions, design.metrics, design.totals)
        more, notes = validated(design, chosen)
        lines += more
    return [_found(analysis, design.rows, design.columns, lines, notes)]


def beside(analysis: Analysis, design: Beside, evidence: Evidence, release: Release) -> list[Found]:
    """The metrics of runs and references, on the rows that all of them answered."""
    chosen: list[Sample] = []
    notes: list[str] = []
    for name in analysis.tasks:
        task = release.task(name)
        ours = [sample for sample in samples(analysis, evidence) if sample.facets["task"] == name]
        theirs = _references(analysis, design, release, task)
        if not theirs:
            continue
        asked = [sample for sample in ours if isinstance(sample, Answers)]
        every = [{p.id for p in sample.predictions} for sample in [*theirs, *asked]]
        same = set.intersection(*every)
        # Where nothing is the same the runs are of other rows, and only the references are left.
        if not same:
            same, asked = set.intersection(*every[: len(theirs)]), []
        for answered in [*asked, *theirs]:
            kept = [p for p in answered.predictions if p.id in same]
            chosen.append(replace(answered, predictions=kept))
        scored = [sample for sample in ours if isinstance(sample, Scored)]
        chosen += [sample for sample in scored if _rows(sample) == len(same)]
        notes.append(f"{name}: {len(same):,} rows, the same for all.")
    across = tuple(d for d in ("model", "setting") if d not in design.rows)
    lines = measured_lines(chosen, (*design.rows, *across), design.metrics, design.totals)
    return [_found(analysis, design.rows, across, lines, tuple(notes))]


def _references(analysis: Analysis, design: Beside, release: Release, task: Task) -> list[Answers]:
    found = []
    for name in design.references:
        if name in task.references:
            columns = analysis.columns()
            told = reference_predictions(release, task, task.references[name], columns)
            facets = {"model": name, "setting": "", "task": task.name}
            found.append(Answers(task, facets, kept_by(analysis, told)))
    return found


def _rows(sample: Scored) -> object:
    return next((measures.get("n") for measures in sample.measured((), ("accuracy",)).values()), 0)


def measured_lines(
    chosen: Sequence[Sample],
    dimensions: Sequence[str],
    metrics: Sequence[str],
    totals: Sequence[str] = (),
) -> list[Line]:
    """A line for each combination of values, averaged over its samples."""
    return [
        Line(dict(zip(dimensions, key, strict=True)), averaged(several))
        for key, several in cells(chosen, dimensions, metrics, totals).items()
    ]


def _differences(
    chosen: Sequence[Sample], dimensions: Sequence[str], design: Table, difference: Difference
) -> list[Line]:
    every = (*dimensions, difference.dimension)
    by_level: dict[Key, dict[object, dict[str, Value]]] = {}
    for key, several in cells(chosen, every, design.metrics, design.totals).items():
        by_level.setdefault(key[:-1], {})[key[-1]] = averaged(several)
    lines = []
    for key, levels in by_level.items():
        if difference.second not in levels:
            continue
        second, first = levels[difference.second], levels.get(difference.first, {})
        values: dict[str, Value] = {}
        for name, value in second.items():
            values[name] = value
            if name not in COUNTS and not name.endswith(DEVIATION):
                values[f"Δ {name}"] = minus(value, first.get(name))
        lines.append(Line(dict(zip(dimensions, key, strict=True)), values))
    return lines


def minus(value: Value, other: Value) -> float | None:
    """The difference of two numbers; None unless both are defined."""
    if isinstance(value, int | float) and isinstance(other, int | float):
        return value - other
    return None


def _found(
    analysis: Analysis,
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    lines: Sequence[Line],
    notes: tuple[str, ...],
) -> Found:
    title, source = analysis.title, analysis.source
    named = names_of(lines)
    return Found(analysis.name, title, source, rows, columns, named, filled(lines, named), notes)


def names_of(lines: Iterable[Line]) -> tuple[str, ...]:
    """The measures of some lines, ``n`` last."""
    named = dict.fromkeys(name for line in lines for name in line.values)
    return tuple(sorted(named, key=lambda name: name == "n"))


def filled(lines: Iterable[Line], named: Sequence[str]) -> tuple[Line, ...]:
    """Lines that all have the same measures, undefined where they had none."""
    return tuple(Line(line.key, {name: line.values.get(name) for name in named}) for line in lines)
