"""benchmark.json: all that an evaluator needs to know, tried on the release's own rows first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorites.canonical import Json
from sorites.errors import InvalidSpec, Problem
from sorites.release.content import Content, Split
from sorites.release.tasks.check_prompts import check_prompts, check_templates
from sorites.release.tasks.check_tasks import (
    check_columns,
    check_labels,
    check_score,
    check_splits,
    uncovered,
)
from sorites.release.tasks.findings import Finding
from sorites.release.tasks.tasks import SplitName, Task, read_tasks
from sorites.specfile.model import Spec

__all__ = ["benchmark", "task_problems"]


def task_problems(spec: Spec) -> list[Problem]:
    """What is wrong with the tasks of a spec and can be seen before there are any rows."""
    found = [
        finding
        for task in read_tasks(spec.tasks)
        for check in (check_labels, check_score, check_templates)
        for finding in check(task)
    ]
    return _located(spec, found)


def benchmark(spec: Spec, content: Content) -> dict[str, Json]:
    """The content of benchmark.json.

    Raises InvalidSpec with every problem of the tasks: those of ``task_problems`` or else a
    split or a column that is not there, a value of the gold column without a label, a prompt
    that does not render or that shows the answer.
    """
    splits = {(split.config, split.name): split for split in content.splits}
    problems = task_problems(spec)
    if not problems:
        findings = [finding for task in read_tasks(spec.tasks) for finding in _fit(task, splits)]
        problems = _located(spec, findings)
    if problems:
        raise InvalidSpec(problems)
    return {"benchmark": 1, "name": spec.name, "version": spec.version, "tasks": spec.tasks}


def _located(spec: Spec, findings: Sequence[Finding]) -> list[Problem]:
    return [spec.document.problem(f.path, f.message, f.hint) for f in findings]


def _fit(task: Task, splits: Mapping[SplitName, Split]) -> Iterator[Finding]:
    """What of a task does not fit the rows."""
    yield from (missing := [*check_splits(task, splits)])
    if missing:
        return
    yield from check_columns(task, splits)
    for name in task.splits():
        # The gold column of exemplars is looked at with the prompts that show them.
        if name not in task.exemplars() and task.gold in splits[name].table.column_names:
            yield from uncovered(task, splits[name], ("tasks", task.name, "answer", "labels"))
    for setting in task.settings:
        yield from check_prompts(task, setting, splits)
