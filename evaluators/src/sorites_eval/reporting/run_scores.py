"""The scores of several runs: in the terminal, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from rich.console import Group as Parts
from rich.console import RenderableType
from rich.table import Table

from sorites_eval.contract.tasks import Scalar
from sorites_eval.running.finished import Run
from sorites_eval.scoring.scores import Number

__all__ = ["shown", "to_csv"]


def shown(runs: Sequence[Run], by: Sequence[tuple[str, ...]] = ()) -> Parts:
    """Overall scores of every run, then a table for each grouping of ``by``."""
    parts: list[RenderableType] = [_table((), [(run, {}, run.scores.overall) for run in runs])]
    for columns in dict.fromkeys(by):
        rows = [
            (run, group.values, group.measures)
            for run in runs
            for group in run.scores.groups
            if group.by == columns
        ]
        parts += ["", _table(columns, rows)]
    return Parts(*parts)


def _table(
    columns: Sequence[str],
    rows: Sequence[tuple[Run, Mapping[str, Scalar], Mapping[str, Number]]],
) -> Table:
    table = Table(box=None, pad_edge=False)
    names = list(dict.fromkeys(name for _, _, measures in rows for name in measures))
    for heading in ("run", *columns):
        table.add_column(heading, overflow="fold")
    for heading in names:
        table.add_column(heading, justify="right", overflow="fold")
    for run, values, measures in rows:
        texts = ["–" if values[column] is None else str(values[column]) for column in columns]
        table.add_row(run.name, *texts, *(_number(measures.get(name)) for name in names))
    return table


def _number(value: Number) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def to_csv(runs: Sequence[Run]) -> str:
    """Every score of every run, one a line: run, grouping, values, measure, value."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(("model", "task", "setting", "by", "values", "measure", "value"))
    for run in runs:
        about = [_cell(text) for text in (run.model, run.task.name, run.setting)]
        everything: list[tuple[str, str, Mapping[str, Number]]] = [("", "", run.scores.overall)]
        for group in run.scores.groups:
            values = " · ".join(str(group.values[column]) for column in group.by)
            everything.append((" × ".join(group.by), values, group.measures))
        for by, values, measures in everything:
            for name, value in measures.items():
                number = "" if value is None else value
                writer.writerow((*about, _cell(by), _cell(values), name, number))
    return stream.getvalue()


def _cell(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
