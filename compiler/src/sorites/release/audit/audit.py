"""audit.json: what the family audited, and what is checked of every release alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from sorites.canonical import Json, json_line
from sorites.errors import SoritesError
from sorites.release.audit.row_hashes import Hashes, distinct, hashes_of, in_common
from sorites.release.content import Content, Split, SplitName
from sorites_eval.contract.tasks import Task

__all__ = ["audit", "label_counts"]


def audit(content: Content, tasks: Sequence[Task]) -> dict[str, Json]:
    """The content of audit.json: the family's own entries, and ``release`` for all families.

    ``labels``: rows by label, for each task and split it reads. ``repeats``: rows of a task's
    split whose prompt shows the same as another row's, beyond the first of each label
    (``same_label``), and labels beyond the first of each prompt (``other_label``).
    ``leakage``: for each two splits of a task, the ids and the prompts that both hold.
    """
    if "release" in content.audit:
        raise SoritesError("the family's audit must leave the entry release to the release")
    splits = {(split.config, split.name): split for split in content.splits}
    prompts = _Prompts(splits)
    return {
        **content.audit,
        "release": {
            "labels": {t.name: label_counts(t, splits) for t in tasks},
            "repeats": {t.name: _repeats(t, splits[t.data], prompts) for t in tasks},
            "leakage": {t.name: [*_leakage(t, splits, prompts)] for t in tasks},
        },
    }


def label_counts(task: Task, splits: Mapping[SplitName, Split]) -> dict[str, dict[str, int]]:
    """For each split that a task reads, as ``config/split``, the number of rows by label text."""
    counted: dict[str, dict[str, int]] = {}
    for name in task.tables():
        counts = splits[name].table.column(task.answer.gold).value_counts().to_pylist()
        rows = {json_line(count["values"]): count["counts"] for count in counts}
        labels = {
            label: rows.pop(json_line(value), 0) for label, value in task.answer.labels.items()
        }
        counted["/".join(name)] = {**labels, **rows}
    return counted


class _Prompts:
    """What the rows of each split show, hashed once for all tasks that show the same."""

    def __init__(self, splits: Mapping[SplitName, Split]) -> None:
        self._splits = splits
        self._known: dict[tuple[SplitName, tuple[str, ...]], Hashes] = {}

    def of(self, name: SplitName, columns: tuple[str, ...]) -> Hashes:
        """A hash for each row of a split: of the values of these columns."""
        if (name, columns) not in self._known:
            self._known[name, columns] = hashes_of(self._splits[name].table, columns)
        return self._known[name, columns]


def _repeats(task: Task, split: Split, prompts: _Prompts) -> dict[str, Json]:
    columns = _shown(task, split)
    texts = distinct(prompts.of(task.data, columns))
    labelled = distinct(prompts.of(task.data, (*columns, task.answer.gold)))
    return {
        "columns": list(columns),
        "rows": split.table.num_rows,
        "same_label": split.table.num_rows - labelled,
        "other_label": labelled - texts,
    }


def _leakage(
    task: Task, splits: Mapping[SplitName, Split], prompts: _Prompts
) -> Iterator[dict[str, Json]]:
    for one, other in combinations(task.tables(), 2):
        # Training sets of several configs may share rows by design: a config's own may not.
        if task.data not in (one, other) and one[0] != other[0]:
            continue
        columns = _shown(task, splits[one])
        if not {*columns, task.id} <= {*splits[other].table.column_names}:
            continue
        ids = [prompts.of(name, (task.id,)) for name in (one, other)]
        texts = [prompts.of(name, columns) for name in (one, other)]
        yield {
            "splits": ["/".join(one), "/".join(other)],
            "ids": in_common(*ids),
            "prompts": in_common(*texts),
        }


def _shown(task: Task, split: Split) -> tuple[str, ...]:
    """The columns that the prompts of any setting show."""
    names = task.prompt_columns()
    return tuple(column.name for column in split.columns if column.name in names)
