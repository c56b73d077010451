"""Whether a task's prompts can be rendered from the rows of the release, and give nothing away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pyarrow as pa

from sorites.canonical import Json, json_line
from sorites.errors import SoritesError
from sorites.release.content import Split
from sorites.release.tasks.check_tasks import uncovered
from sorites.release.tasks.findings import Finding, Path, unknown_column
from sorites.release.tasks.tasks import Exemplars, Setting, SplitName, Task, View
from sorites.release.tasks.templates import render, variables

__all__ = ["check_prompts", "check_templates"]

_TRIED_ROWS = 32

_Item = Mapping[str, Json]


def check_templates(task: Task) -> Iterator[Finding]:
    """Templates that no evaluator will accept, whatever the rows are."""
    here: Path = ("tasks", task.name)
    found: list[tuple[Path, str]] = [((*here, "answer", "write"), task.write or "")]
    for setting in task.settings:
        path = (*here, "prompts", setting.name)
        found += [((*path, "system"), setting.system or ""), ((*path, "user"), setting.user)]
        if setting.exemplars is not None:
            found.append(((*path, "exemplars", "answer"), setting.exemplars.answer or ""))
    for place, template in found:
        try:
            variables(template)
        except SoritesError as error:
            yield Finding(place, f"the template {error}")


def check_prompts(
    task: Task, setting: Setting, splits: Mapping[SplitName, Split]
) -> Iterator[Finding]:
    """What is wrong with a setting, tried on the first rows of each split that it shows."""
    path: Path = ("tasks", task.name, "prompts", setting.name)
    split = splits[task.split]
    answers = {task.gold, *([task.selection] if task.selection is not None else [])}
    for key, template in (("system", setting.system or ""), ("user", setting.user)):
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
        for view in task.views or (View("only", (), {}),):
            items = (_swapped(item, view) for item in _first_rows(split.table))
            yield from _failures(template, items, (*path, key))
    if task.write is not None:
        items = (_with_label(item, task) for item in _first_rows(split.table))
        yield from _failures(task.write, items, ("tasks", task.name, "answer", "write"))
    if setting.exemplars is not None:
        shown = splits[setting.exemplars.split]
        yield from _check_exemplars(task, setting, setting.exemplars, shown, path)
        yield from _unmatched(setting.exemplars, split, shown, (*path, "exemplars", "match"))


def _check_exemplars(
    task: Task, setting: Setting, exemplars: Exemplars, shown: Split, path: Path
) -> Iterator[Finding]:
    place = (*path, "exemplars")
    if task.gold not in shown.table.column_names:
        yield unknown_column(place, task.gold, shown)
        return
    yield from uncovered(task, shown, place)
    yield from _unknown_variables(setting.user, shown, place)
    answer = exemplars.answer if exemplars.answer is not None else task.write
    if answer is not None:
        items = (_with_label(item, task) for item in _first_rows(shown.table))
        yield from _failures(answer, items, place)


def _unmatched(exemplars: Exemplars, split: Split, shown: Split, path: Path) -> Iterator[Finding]:
    columns = list(exemplars.match)
    missing = [
        unknown_column(path, column, where)
        for column in columns
        for where in (split, shown)
        if column not in where.table.column_names
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


def _unknown_variables(template: str, split: Split, path: Path) -> Iterator[Finding]:
    for name in sorted(variables(template) - {column.name for column in split.columns}):
        yield unknown_column(path, name, split)


def _failures(template: str, items: Iterable[_Item], path: Path) -> Iterator[Finding]:
    for row, item in enumerate(items):
        try:
            render(template, item)
        except SoritesError as error:
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
    gold = json_line(item.get(task.gold))
    text = next((text for text, value in task.labels.items() if json_line(value) == gold), "")
    return {**item, "label": text}
