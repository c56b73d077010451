"""benchmark.json: all that an evaluator needs to know, first checked against the rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from sorites.canonical import Json
from sorites.errors import InvalidSpec, Problem
from sorites.release.content import Content, Split, SplitName
from sorites.release.tasks.check_analyses import check_analysis
from sorites.release.tasks.check_prompts import check_classification, check_prompts
from sorites.release.tasks.check_tasks import check_columns, check_splits, uncovered
from sorites.release.tasks.findings import Finding
from sorites.specfile.model import Spec
from sorites_eval.contract.analyses.read import Analysis, read_analyses
from sorites_eval.contract.faults import InvalidBenchmark
from sorites_eval.contract.read import read_tasks
from sorites_eval.contract.tasks import Task
from sorites_eval.contract.values import Node

__all__ = ["benchmark", "spec_analyses", "spec_tasks", "task_problems"]


def task_problems(spec: Spec, splits: Collection[SplitName] | None = None) -> list[Problem]:
    """What is wrong with the tasks and analyses of a spec and can be seen before there are rows.

    They are read as an evaluator reads them, so a spec without problems can be evaluated.
    ``splits`` are all that the release can have, None where they are not known.
    """
    try:
        spec_analyses(spec)
    except InvalidBenchmark as error:
        return _located(
            spec, [Finding(f.path, f.message.removesuffix("."), f.hint) for f in error.faults]
        )
    if splits is None:
        return []
    tasks = read_tasks(spec.tasks).values()
    return _located(spec, [found for task in tasks for found in check_splits(task, splits)])


def spec_analyses(spec: Spec) -> dict[str, Analysis]:
    """The analyses of a spec by name; InvalidBenchmark for a fault in them or in the tasks."""
    tasks = read_tasks(spec.tasks)
    return read_analyses(Node(spec.analyses, ("analyses",)), tasks)


def spec_tasks(spec: Spec) -> tuple[Task, ...]:
    """The tasks of a spec, in its order. Raises InvalidSpec with ``task_problems``."""
    if problems := task_problems(spec):
        raise InvalidSpec(problems)
    return tuple(read_tasks(spec.tasks).values())


def benchmark(spec: Spec, content: Content) -> dict[str, Json]:
    """The content of benchmark.json.

    Raises InvalidSpec with every problem of the tasks: those of ``task_problems`` or else a
    split or a column that is not there, a value of the gold column without a label, a prompt
    that does not render or that shows the answer, an analysis of a value that no row has.
    """
    splits = {split.key: split for split in content.splits}
    tasks = spec_tasks(spec)
    findings = [finding for task in tasks for finding in _fit(task, splits)]
    if not findings:
        by_name = {task.name: task for task in tasks}
        for analysis in spec_analyses(spec).values():
            findings += check_analysis(analysis, by_name, splits)
    if findings:
        raise InvalidSpec(_located(spec, findings))
    heading: dict[str, Json] = {"benchmark": 1, "name": spec.name, "version": str(spec.version)}
    analyses: dict[str, Json] = {"analyses": spec.analyses} if spec.analyses else {}
    return {**heading, "tasks": spec.tasks, **analyses}


def _located(spec: Spec, findings: Sequence[Finding]) -> list[Problem]:
    return [spec.document.problem(f.path, f.message, f.hint) for f in findings]


def _fit(task: Task, splits: Mapping[SplitName, Split]) -> Iterator[Finding]:
    """Everything in a task that does not fit the rows."""
    yield from (missing := [*check_splits(task, splits)])
    if missing:
        return
    yield from check_columns(task, splits)
    for name in task.tables():
        # The gold column of exemplars is looked at with the prompts that show them.
        if name not in task.exemplar_tables() and task.answer.gold in splits[name].names:
            yield from uncovered(task, splits[name], ("tasks", task.name, "answer", "labels"))
    for setting, prompt in task.prompts.items():
        yield from check_prompts(task, setting, prompt, splits)
    yield from check_classification(task, splits)
