"""Whether a task fits the rows of the release: splits, columns, labels, partners."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sorites.canonical import Json, json_line
from sorites.release.content import Split, SplitName
from sorites.release.tasks.findings import Finding, Path, unknown_column
from sorites_eval.contract.tasks import Task

__all__ = ["check_columns", "check_splits", "uncovered"]


def check_splits(task: Task, splits: Collection[SplitName]) -> Iterator[Finding]:
    """Splits that the task reads and that are none of those of the release."""
    for path, table in task.places():
        if table not in splits:
            there = ", ".join(f"{config}/{name}" for config, name in splits)
            yield Finding(
                ("tasks", task.name, *path),
                f"the release has no split {table}",
                f"its splits are: {there}",
            )


def check_columns(task: Task, splits: Mapping[SplitName, Split]) -> Iterator[Finding]:
    """Columns that are missing, or hold what the task cannot use."""
    here: Path = ("tasks", task.name)
    split = splits[task.data]
    names = split.table.column_names
    for path, column in _named_columns(task):
        if column not in names:
            yield unknown_column((*here, *path), column, split)
    if task.id in names and pc.count_distinct(split.table.column(task.id)).as_py() < len(
        split.table
    ):
        yield Finding((*here, "id"), f"the column {task.id} does not tell the rows apart")
    if task.answer.gold in names and pa.types.is_nested(
        split.table.schema.field(task.answer.gold).type
    ):
        yield Finding(
            (*here, "answer", "gold"), f"the column {task.answer.gold} holds no single values"
        )
    yield from _lost_partners(task, split)
    yield from _unequal_swaps(task, split)
    yield from _unrated(task, split)
    for path, name in task.places():
        if path[0] == "train":
            for column in (*(task.train.text if task.train else ()), task.answer.gold):
                if column not in splits[name].names:
                    yield unknown_column((*here, *path), column, splits[name])
        elif path[0] == "references" and task.references[str(path[1])].answer not in (
            splits[name].names
        ):
            column = task.references[str(path[1])].answer
            yield unknown_column((*here, *path, "answer"), column, splits[name])
    yield from _curve_columns(task, splits)


def _curve_columns(task: Task, splits: Mapping[SplitName, Split]) -> Iterator[Finding]:
    """Columns that curves name and that their rows, or the rows to test on, do not have."""
    if task.train is None:
        return
    for name, curve in task.train.curves.items():
        here: Path = ("tasks", task.name, "train", "curves", name)
        tested = [rows.table for rows in task.train.sets[curve.base].test] or [task.data]
        wanted = [("by", curve.by, curve.add.table)]
        if curve.held_out is not None:
            tables = dict.fromkeys((curve.add.table, *tested))
            wanted += [("held_out", curve.held_out, table) for table in tables]
        for key, column, table in wanted:
            if column not in splits[table].names:
                yield unknown_column((*here, key), column, splits[table])


def _named_columns(task: Task) -> Iterator[tuple[Path, str]]:
    yield ("id",), task.id
    yield ("answer", "gold"), task.answer.gold
    if task.answer.selection is not None:
        yield ("answer", "selection", "gold"), task.answer.selection.gold
    named = {
        "pairs": task.score.pairs,
        "clusters": task.score.clusters,
        "graded": task.score.graded,
    }
    for key, column in named.items():
        if column is not None:
            yield ("score", key), column
    for index, column in enumerate(task.score.unit):
        yield ("score", "unit", index), column
    for index, group in enumerate(task.score.groups):
        for column in group:
            yield ("score", "groups", index), column
    for index, view in enumerate(task.views):
        for pair in view.swap:
            for column in pair:
                yield ("views", index, "swap"), column


def _lost_partners(task: Task, split: Split) -> Iterator[Finding]:
    if task.score.pairs is None or not {task.score.pairs, task.id} <= {*split.table.column_names}:
        return
    partners = split.table.column(task.score.pairs).drop_null()
    known = pc.is_in(partners, value_set=split.table.column(task.id).combine_chunks())
    lost = partners.filter(pc.invert(known))
    if len(lost):
        yield Finding(
            ("tasks", task.name, "score", "pairs"),
            f"the column {task.score.pairs} names {lost[0].as_py()}, "
            f"which is the {task.id} of no row",
        )


def _unrated(task: Task, split: Split) -> Iterator[Finding]:
    kinds = {column.name: column.type for column in split.columns}
    kind = kinds.get(task.score.graded or "")
    if kind is not None and not (pa.types.is_floating(kind) or pa.types.is_integer(kind)):
        yield Finding(
            ("tasks", task.name, "score", "graded"),
            f"the column {task.score.graded} holds no numbers but {kind}",
        )


def _unequal_swaps(task: Task, split: Split) -> Iterator[Finding]:
    kinds = {column.name: column.type for column in split.columns}
    for index, view in enumerate(task.views):
        for one, other in view.swap:
            if one in kinds and other in kinds and kinds[one] != kinds[other]:
                yield Finding(
                    ("tasks", task.name, "views", index, "swap"),
                    f"{one} and {other} cannot be exchanged: they hold {kinds[one]} and "
                    f"{kinds[other]}",
                )


def uncovered(task: Task, split: Split, path: Path) -> Iterator[Finding]:
    """Values of the gold column that no label stands for."""
    column = split.table.column(task.answer.gold)
    if pa.types.is_nested(column.type):
        return
    covered = {json_line(value) for value in task.answer.labels.values()}
    values: Sequence[Json] = column.unique().to_pylist()
    for value in sorted({json_line(value) for value in values} - covered):
        yield Finding(
            path,
            f"no label stands for the value {value} of the column {task.answer.gold}",
            f"add a label whose value is {value}, or leave those rows out",
        )
