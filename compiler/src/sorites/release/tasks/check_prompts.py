"""Whether a task's prompts can be rendered from the rows of the release, and give nothing away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa

from sorites.canonical import Json, json_line
from sorites.release.content import Split, SplitName
from sorites.release.tasks.check_tasks import uncovered
from sorites.release.tasks.findings import Finding, Path, unknown_column
from sorites_eval.contract.faults import InvalidTemplate
from sorites_eval.contract.tasks import Exemplars, Prompt, Task, View
from sorites_eval.contract.templates import render, variables

__all__ = ["check_classification", "check_prompts"]

_TRIED_ROWS = 32
_BATCH = 4_096

_Item = Mapping[str, Json]


def check_prompts(
    task: Task, setting: str, prompt: Prompt, splits: Mapping[SplitName, Split]
) -> Iterator[Finding]:
    """What is wrong with a setting, tried on the first rows of each split that it shows."""
    path: Path = ("tasks", task.name, "prompts", setting)
    split = splits[task.data]
    answer = task.answer
    answers = {answer.gold, *([answer.selection.gold] if answer.selection is not None else [])}
    for key, template in (("system", prompt.system), ("user", prompt.user)):
        broken = [*_unknown_variables(template, split, (*path, key))]
        yield from broken
        if broken:
            continue
        for column in sorted(answers & variables(template)):
            yield Finding(
                (*path, key),
                f"the prompt shows the column {column}, which is the answer",
                "leave it out of the prompt",
            )
        for view in task.views:
            items = (_swapped(item, view) for item in _first_rows(split.table))
            yield from _failures(template, items, (*path, key))
    if answer.write is not None:
        items = (_with_label(item, task) for item in _first_rows(split.table))
        yield from _failures(answer.write, items, ("tasks", task.name, "answer", "write"))
    if prompt.exemplars is not None:
        shown = splits[prompt.exemplars.table]
        yield from _check_exemplars(task, prompt, prompt.exemplars, shown, path)
        yield from _unmatched(prompt.exemplars, split, shown, (*path, "exemplars", "match"))
        yield from _items_shown(prompt, split, shown, (*path, "exemplars"))


def check_classification(task: Task, splits: Mapping[SplitName, Split]) -> Iterator[Finding]:
    """What is wrong with the texts that a classifier is given, tried on the first rows."""
    if task.classify is None:
        return
    split, path = splits[task.data], ("tasks", task.name, "classify")
    for key, template in (
        ("premise", task.classify.premise),
        ("hypothesis", task.classify.hypothesis or ""),
    ):
        broken = [*_unknown_variables(template, split, (*path, key))]
        yield from broken
        for column in sorted({task.answer.gold} & variables(template)):
            yield Finding((*path, key), f"the text shows the column {column}, which is the answer")
        if not broken:
            yield from _failures(template, _first_rows(split.table), (*path, key))


def _check_exemplars(
    task: Task, prompt: Prompt, exemplars: Exemplars, shown: Split, path: Path
) -> Iterator[Finding]:
    place = (*path, "exemplars")
    if task.answer.gold not in shown.table.column_names:
        yield unknown_column(place, task.answer.gold, shown)
        return
    yield from uncovered(task, shown, place)
    yield from _unknown_variables(prompt.user, shown, place)
    answer = exemplars.answer if exemplars.answer is not None else task.answer.write
    if answer is not None:
        items = (_with_label(item, task) for item in _first_rows(shown.table))
        yield from _failures(answer, items, place)


def _unmatched(exemplars: Exemplars, split: Split, shown: Split, path: Path) -> Iterator[Finding]:
    columns = list(exemplars.match)
    missing = [
        unknown_column(path, column, where)
        for column in columns
        for where in (split, shown)
        if column not in where.names
    ]
    yield from missing
    if missing or not columns:
        return
    asked, there = (
        {
            json_line(row)
            for row in where.table.select(columns).group_by(columns).aggregate([]).to_pylist()
        }
        for where in (split, shown)
    )
    for values in sorted(asked - there)[:1]:
        yield Finding(
            path,
            f"{shown.config}/{shown.name} has no exemplar with {values}, as items have",
            "match fewer columns, or add exemplars",
        )


def _items_shown(prompt: Prompt, split: Split, shown: Split, path: Path) -> Iterator[Finding]:
    """Examples that ask the same question as an item, and so show its answer."""
    columns = sorted(variables(prompt.user) & split.names & shown.names)
    if not columns:
        return
    questions = {json_line(row) for row in shown.table.select(columns).to_pylist()}
    for start in range(0, len(split.table), _BATCH):
        for number, row in enumerate(split.table.select(columns).slice(start, _BATCH).to_pylist()):
            if json_line(row) in questions:
                yield Finding(
                    path,
                    f"an example of {shown.config}/{shown.name} asks the same as row "
                    f"{start + number} of {split.config}/{split.name}, whose answer it gives away",
                    "leave it out of one of the two",
                )
                return


def _unknown_variables(template: str, split: Split, path: Path) -> Iterator[Finding]:
    for name in sorted(variables(template) - split.names):
        yield unknown_column(path, name, split)


def _failures(template: str, items: Iterable[_Item], path: Path) -> Iterator[Finding]:
    for row, item in enumerate(items):
        try:
            render(template, item)
        except InvalidTemplate as error:
            yield Finding(path, f"the template {error}, for row {row}")
            return


def _first_rows(table: pa.Table) -> list[dict[str, Json]]:
    rows: list[dict[str, Json]] = table.slice(0, _TRIED_ROWS).to_pylist()
    return rows


def _swapped(item: _Item, view: View) -> _Item:
    changed = dict(item)
    for one, other in view.swap:
        # A column that is missing has been reported as such.
        if one in item and other in item:
            changed[one], changed[other] = item[other], item[one]
    return changed


def _with_label(item: _Item, task: Task) -> _Item:
    gold = item.get(task.answer.gold)
    text = task.answer.label_of(gold) if isinstance(gold, str | int | float | bool) else None
    return {**item, "label": text or ""}
