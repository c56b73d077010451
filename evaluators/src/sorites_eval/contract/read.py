"""Read ``benchmark.json``, which may come from a stranger, into the contract's dataclasses.

`sorites check` reads the tasks of a spec with the same functions, so whatever it accepts an
evaluator accepts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from sorites_eval.contract.analyses.read import read_analyses
from sorites_eval.contract.answers import read_answer, read_views
from sorites_eval.contract.benchmark import Benchmark
from sorites_eval.contract.faults import Fault, Faults, InvalidBenchmark, Path
from sorites_eval.contract.identity import InvalidIdentity, parse_name, parse_version
from sorites_eval.contract.scores import read_score
from sorites_eval.contract.settings import read_classification, read_settings, reordered
from sorites_eval.contract.tasks import Prompt, Rows, Table, Task, View
from sorites_eval.contract.training import read_references, read_training
from sorites_eval.contract.values import Node, entries, optional

__all__ = ["MAX_BYTES", "read_benchmark", "read_prompts", "read_tasks"]

T = TypeVar("T")

MAX_BYTES = 4_000_000


def read_benchmark(text: bytes | str) -> Benchmark:
    """Read and check a whole ``benchmark.json``.

    Raises InvalidBenchmark with everything that breaks the contract. Columns are checked
    against the data only when a task is prepared.
    """
    if len(text) > MAX_BYTES:
        raise _unreadable(f"{len(text)} bytes; at most {MAX_BYTES} are read.")
    try:
        document = json.loads(text, object_pairs_hook=_without_duplicates)
    except UnicodeDecodeError as error:
        raise _unreadable("not UTF-8 text.") from error
    except RecursionError as error:
        raise _unreadable("nested too deeply.") from error
    except ValueError as error:
        raise _unreadable(f"not valid JSON: {error}.") from error
    root = Node(document).fields(("benchmark", "name", "version", "tasks"), ("analyses",))
    form = root["benchmark"].value
    if form != 1 or isinstance(form, bool):
        raise root["benchmark"].fail(
            f"format {form!r} is not known here, only 1.", "A newer sorites-eval may read it."
        )
    faults = Faults()
    with faults:
        name = _identity(root["name"], parse_name)
    with faults:
        version = _identity(root["version"], parse_version)
    with faults:
        tasks = read_tasks(root["tasks"].value, root["tasks"].path)
    faults.stop()
    documents = {name: node.value for name, node in root["tasks"].mapping().items()}
    analyses = optional(root, "analyses", lambda node: read_analyses(node, tasks)) or {}
    return Benchmark(name, version, tasks, documents, analyses)


def read_tasks(document: object, path: Path = ("tasks",)) -> dict[str, Task]:
    """Read and check the tasks of a ``benchmark.json``, or of a spec, which holds the same.

    Raises InvalidBenchmark with every fault, each with its place below ``path``.
    """
    node = Node(document, path)
    tasks = entries(node, _task)
    if not tasks:
        raise node.fail("declares no task.")
    return tasks


def _unreadable(message: str) -> InvalidBenchmark:
    return InvalidBenchmark(Fault((), message))


def _identity(node: Node, parse: Callable[[str], T]) -> T:
    try:
        return parse(node.text(200))
    except InvalidIdentity as error:
        raise node.fail(str(error)) from error


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f'the key "{key[:100]}" stands twice in one object')
        result[key] = value
    return result


def _task(name: str, node: Node) -> Task:
    Node(name, node.path).name()
    found = node.fields(
        ("data", "id", "answer", "prompts", "score"),
        ("title", "description", "views", "train", "references", "classify"),
    )
    faults = Faults()
    with faults:
        title = optional(found, "title", lambda n: n.text(500)) or name
    with faults:
        description = optional(found, "description", lambda n: n.text(empty=True)) or ""
    with faults:
        identity = found["id"].column()
    with faults:
        train = optional(found, "train", read_training)
    with faults:
        references = optional(found, "references", read_references) or {}
    with faults:
        answer = read_answer(found["answer"])
    with faults:
        prompts = read_settings(found["prompts"])
    with faults:
        data = _table(found["data"])
    # What follows compares parts with one another, so it needs them.
    faults.stop()
    with faults:
        views = optional(found, "views", lambda n: read_views(n, answer)) or (View("only"),)
        score = read_score(found["score"], answer, views)
    with faults:
        classify = optional(found, "classify", lambda n: read_classification(n, answer))
    faults.stop()
    task = Task(
        name=name,
        title=title,
        description=description,
        data=data,
        id=identity,
        views=views,
        answer=answer,
        prompts=prompts,
        score=score,
        train=train,
        references=references,
        classify=classify,
    )
    faults.add([Fault((*node.path, *where), *told) for where, told in _scored_rows_shown(task)])
    faults.add([Fault((*node.path, *where), told) for where, told in reordered(task)])
    faults.stop()
    return task


def _scored_rows_shown(task: Task) -> Iterator[tuple[Path, tuple[str, str]]]:
    """Places from which a model would learn the answers of the very rows that are scored."""
    for name, prompt in task.prompts.items():
        if prompt.exemplars is not None and prompt.exemplars.table == task.data:
            told = f"the examples are rows of {task.data}, which is what the task scores."
            yield ("prompts", name, "exemplars"), (told, "Take them from another split.")
    for name, chosen in (task.train.sets if task.train else {}).items():
        scored = chosen.test or (Rows(task.data),)
        for index, rows in enumerate(chosen.train):
            if rows in scored:
                told = f"these rows of {rows.table} are those that the set is tested on."
                path = ("train", "sets", name, "train", index)
                yield path, (told, "Take others, or name other rows under test.")


def _table(node: Node) -> Table:
    found = node.fields(("config", "split"))
    return Table(found["config"].name(), found["split"].name())


def read_prompts(document: object, task: Task) -> dict[str, Prompt]:
    """Settings that take the place of a task's own, read as its section ``prompts`` is.

    Raises InvalidBenchmark with every fault, each with its place below ``prompts``.
    """
    node = Node(document, ("prompts",))
    prompts = read_settings(node)
    changed = replace(task, prompts=prompts, train=None)
    faults = Faults()
    faults.add([Fault(where, *message) for where, message in _scored_rows_shown(changed)])
    faults.add([Fault(where, message) for where, message in reordered(changed)])
    faults.stop()
    return prompts
