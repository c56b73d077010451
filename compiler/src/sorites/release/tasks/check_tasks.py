"""Whether a task fits the rows of the release: splits, columns, labels, partners."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from sorites.canonical import Json, json_line
from sorites.release.content import Split
from sorites.release.tasks.findings import Finding, Path, unknown_column
from sorites.release.tasks.tasks import SplitName, Task

__all__ = ["check_columns", "check_labels", "check_score", "check_splits", "uncovered"]


def check_splits(task: Task, splits: Mapping[SplitName, Split]) -> Iterator[Finding]:
    """Splits that the task reads and the release does not have."""
    for path, (config, name) in task.places():
        if (config, name) not in splits:
            there = ", ".join(f"{config}/{name}" for config, name in splits)
            yield Finding(
                path, f"the release has no split {config}/{name}", f"its splits are: {there}"
            )


def check_columns(task: Task, splits: Mapping[SplitName, Split]) -> Iterator[Finding]:
    """Columns that are missing, or hold what the task cannot use."""
    here: Path = ("tasks", task.name)
    split = splits[task.split]
    names = split.table.column_names
    for path, column in _named_columns(task):
        if column not in names:
            yield unknown_column((*here, *path), column, split)
    if task.id in names and pc.count_distinct(split.table.column(task.id)).as_py() < len(
        split.table
    ):
        yield Finding((*here, "id"), f"the column {task.id} does not tell the rows apart")
    if task.gold in names and pa.types.is_nested(split.table.schema.field(task.gold).type):
        yield Finding((*here, "answer", "gold"), f"the column {task.gold} holds no single values")
    yield from _lost_partners(task, split)
    yield from _unequal_swaps(task, split)
    for path, name in task.places():
        if path[2] == "train":
            for column in (*task.reads, task.gold):
                if column not in splits[name].table.column_names:
                    yield unknown_column(path, column, splits[name])


def _named_columns(task: Task) -> Iterator[tuple[Path, str]]:
    yield ("id",), task.id
    yield ("answer", "gold"), task.gold
    if task.selection is not None:
        yield ("answer", "selection", "gold"), task.selection
    for key, column in (("pairs", task.pairs), ("clusters", task.clusters)):
        if column is not None:
            yield ("score", key), column
    for index, group in enumerate(task.groups):
        for column in group:
            yield ("score", "groups", index), column
    for index, view in enumerate(task.views):
        for pair in view.swap:
            for column in pair:
                yield ("views", index, "swap"), column


def _lost_partners(task: Task, split: Split) -> Iterator[Finding]:
    if task.pairs is None or not {task.pairs, task.id} <= {*split.table.column_names}:
        return
    partners = split.table.column(task.pairs).drop_null()
    known = pc.is_in(partners, value_set=split.table.column(task.id).combine_chunks())
    lost = partners.filter(pc.invert(known))
    if len(lost):
        yield Finding(
            ("tasks", task.name, "score", "pairs"),
            f"the column {task.pairs} names {lost[0].as_py()}, which is the {task.id} of no row",
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


def check_labels(task: Task) -> Iterator[Finding]:
    """Labels that are named and not declared, or that cannot be told apart."""
    here: Path = ("tasks", task.name)
    known = f"its labels are: {', '.join(task.labels)}"
    if task.positive is not None and task.positive not in task.labels:
        yield Finding(
            (*here, "score", "positive"), f"{task.positive} is not a label of this task", known
        )
    for index, view in enumerate(task.views):
        path = (*here, "views", index, "labels")
        for label in sorted({*view.labels, *view.labels.values()} - {*task.labels}):
            yield Finding(path, f"{label} is not a label of this task", known)
        targets = Counter(view.labels.get(label, label) for label in task.labels)
        for label in [label for label, times in targets.items() if times > 1]:
            yield Finding(path, f"several labels become {label}", "give each label its own")
    for text, times in Counter(label.casefold() for label in task.labels).items():
        if times > 1:
            yield Finding(
                (*here, "answer", "labels"),
                f"{times} labels read {text}: upper and lower case do not tell them apart",
            )
    for value, times in Counter(map(json_line, task.labels.values())).items():
        if times > 1:
            yield Finding((*here, "answer", "labels"), f"{times} labels stand for {value}")


def check_score(task: Task) -> Iterator[Finding]:
    """Metrics that lack what they are about."""
    here: Path = ("tasks", task.name, "score")
    if task.positive is None:
        for metric in ("precision", "recall", "f1"):
            if metric in task.metrics:
                yield Finding(
                    (*here, "metrics"), f"{metric} is about one label", "name it under positive"
                )
    if task.pairs is None and "faithfulness" in task.metrics:
        hint = "name the column of an item's partner under pairs"
        yield Finding((*here, "metrics"), "faithfulness is about pairs of items", hint)
    if task.selection is None and "reasoning-accuracy" in task.metrics:
        hint = "add a selection to the answer"
        yield Finding((*here, "metrics"), "reasoning-accuracy is about what is selected", hint)
    if task.combine is not None and len(task.views) < 2:
        hint = "add views, or leave combine out"
        yield Finding((*here, "combine"), "there are no views to combine", hint)


def uncovered(task: Task, split: Split, path: Path) -> Iterator[Finding]:
    """Values of the gold column that no label stands for."""
    column = split.table.column(task.gold)
    if pa.types.is_nested(column.type):
        return
    covered = {json_line(value) for value in task.labels.values()}
    values: Sequence[Json] = column.unique().to_pylist()
    for value in sorted({json_line(value) for value in values} - covered):
        yield Finding(
            path,
            f"no label stands for the value {value} of the column {task.gold}",
            f"add a label whose value is {value}, or leave those rows out",
        )
