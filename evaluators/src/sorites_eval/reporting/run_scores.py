"""The scores of several runs: in the terminal, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence

from rich.console import Group as Parts
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from sorites_eval.running.finished import Run
from sorites_eval.scoring.scores import Number, Scores

__all__ = ["groups", "shown", "to_csv"]


MOST_MEASURES = 4
"""Measures of a group that a terminal has room for; the CSV has all."""


def shown(runs: Sequence[Run], by: Sequence[tuple[str, ...]] = ()) -> Parts:
    """For each run its name, its overall scores, and a table for each grouping of ``by``."""
    parts: list[RenderableType] = []
    for run in runs:
        parts += ["", Text(run.name, style="bold"), _overall(run.scores.overall)]
        parts += groups(run.scores, by)
    return Parts(*parts[1:])


def groups(scores: Scores, by: Sequence[tuple[str, ...]]) -> list[RenderableType]:
    """A table for each grouping of one run's scores: a row a group, its first few measures."""
    parts: list[RenderableType] = []
    for columns in by:
        found = [group for group in scores.groups if group.by == columns]
        names = list(dict.fromkeys(name for group in found for name in group.measures))
        table = Table(box=None, pad_edge=False)
        for column in columns:
            table.add_column(column, overflow="fold")
        for name in names[: MOST_MEASURES + 1]:
            table.add_column(name, justify="right", overflow="fold")
        for group in found:
            values = [group.values[column] for column in columns]
            texts = ["–" if value is None else str(value) for value in values]
            measures = [group.measures.get(name) for name in names[: MOST_MEASURES + 1]]
            table.add_row(*texts, *map(_number, measures))
        parts += ["", table]
    return parts


def _overall(measures: Mapping[str, Number]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column()
    table.add_column(justify="right")
    for name, value in measures.items():
        table.add_row(name, _number(value))
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
