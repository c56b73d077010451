"""Read ``benchmark.json``, which may come from a stranger, into the contract's dataclasses.

`sorites check` reads the tasks of a spec with the same functions, so whatever it accepts an
evaluator accepts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeVar

from sorites_eval.contract.faults import Fault, Faults, InvalidBenchmark, Path
from sorites_eval.contract.identity import InvalidIdentity, parse_name, parse_version
from sorites_eval.contract.tasks import (
    METRICS,
    Answer,
    Benchmark,
    Classification,
    Confusion,
    Exemplars,
    Prompt,
    Rows,
    Scalar,
    Score,
    Selection,
    Table,
    Task,
    View,
    fold_label,
    label_key,
)
from sorites_eval.contract.training import read_references, read_training
from sorites_eval.contract.values import Node, each, entries, optional
from sorites_eval.names import did_you_mean

__all__ = ["MAX_BYTES", "read_benchmark", "read_prompts", "read_tasks"]

T = TypeVar("T")

MAX_BYTES = 4_000_000
MAX_LABELS = 100
MAX_LABEL = 64
MAX_NEW_TOKENS = 32_768

_MARKER = re.compile(r"[A-Za-z]{1,16}\Z")


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
    root = Node(document).fields(("benchmark", "name", "version", "tasks"))
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
    return Benchmark(name, version, tasks, documents)


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
        answer = _answer(found["answer"])
    with faults:
        prompts = _prompts(found["prompts"])
    with faults:
        data = _table(found["data"])
    # What follows compares parts with one another, so it needs them.
    faults.stop()
    with faults:
        views = optional(found, "views", lambda n: _views(n, answer)) or (View("only"),)
        score = _score(found["score"], answer, views)
    with faults:
        classify = optional(found, "classify", lambda n: _classification(n, answer))
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
        for part, selections in chosen.parts()[:2]:
            for index, rows in enumerate(selections):
                if rows in scored:
                    told = f"these rows of {rows.table} are those that the set is tested on."
                    path = ("train", "sets", name, part, index)
                    yield path, (told, "Take others, or name other rows under test.")


def _table(node: Node) -> Table:
    found = node.fields(("config", "split"))
    return Table(found["config"].name(), found["split"].name())


def _answer(node: Node) -> Answer:
    found = node.fields(("format", "labels", "gold"), ("max_new_tokens", "selection", "write"))
    form = found["format"].one_of(("choice", "text"))
    labels = _labels(found["labels"])
    selection = optional(found, "selection", _selection)
    if selection and form == "choice":
        raise found["selection"].fail('only a task with the format "text" can select.')
    return Answer(
        format=form,
        labels=labels,
        gold=found["gold"].column(),
        max_new_tokens=optional(found, "max_new_tokens", _tokens) or 16,
        selection=selection,
        write=optional(found, "write", Node.template),
    )


def _tokens(node: Node) -> int:
    value = node.value
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MAX_NEW_TOKENS:
        raise node.fail(f"expected a whole number from 1 to {MAX_NEW_TOKENS}.")
    return value


def _labels(node: Node) -> dict[str, Scalar]:
    labels: dict[str, Scalar] = {}
    for text, value in node.mapping().items():
        if text != text.strip() or not text or len(text) > MAX_LABEL or not text.isprintable():
            raise node.fail(
                f'"{text[:100]}" is not a label.',
                f"A label has 1 to {MAX_LABEL} printable characters, without space around them.",
            )
        labels[text] = value.scalar()
    if not 2 <= len(labels) <= MAX_LABELS:
        raise node.fail(f"{len(labels)} labels; a task has 2 to {MAX_LABELS}.")
    if len({label_key(v) for v in labels.values()}) < len(labels):
        raise node.fail("two labels stand for the same value.", "Give each label its own.")
    if len({text.casefold() for text in labels}) < len(labels):
        raise node.fail("two labels differ only in upper and lower case.")
    return labels


def _selection(node: Node) -> Selection:
    found = node.fields(("marker", "gold"))
    marker = found["marker"].text(16)
    if not _MARKER.match(marker):
        raise found["marker"].fail(f'"{marker}" is not a marker: 1 to 16 letters.')
    return Selection(marker, found["gold"].column())


def _views(node: Node, answer: Answer) -> tuple[View, ...]:
    views = each(node.items(), lambda entry: _view(entry, answer))
    names = [view.name for view in views]
    if not views:
        raise node.fail("declares no view.")
    if len(set(names)) < len(names):
        raise node.fail("two views have the same name.")
    return views


def _view(node: Node, answer: Answer) -> View:
    found = node.fields(("name",), ("swap", "labels"))
    swap: list[tuple[str, str]] = []
    for pair in found["swap"].items() if "swap" in found else []:
        columns = [column.column() for column in pair.items()]
        if len(columns) != 2 or columns[0] == columns[1]:
            raise pair.fail("expected a pair of two columns.")
        swap.append((columns[0], columns[1]))
    if len({column for pair in swap for column in pair}) < 2 * len(swap):
        raise found["swap"].fail("a column stands in two pairs.")
    labels: dict[str, str] = {}
    for text, target in found["labels"].mapping().items() if "labels" in found else ():
        for label in (text, target.text(MAX_LABEL)):
            if label not in answer.labels:
                raise target.fail(f'unknown label "{label}".', did_you_mean(label, answer.labels))
        labels[text] = target.text(MAX_LABEL)
    if len({labels.get(text, text) for text in answer.labels}) < len(answer.labels):
        raise found["labels"].fail(
            "two labels become the same one.", "Map each to its own, so that none is lost."
        )
    return View(found["name"].name(), tuple(swap), labels)


def read_prompts(document: object, task: Task) -> dict[str, Prompt]:
    """Settings that take the place of a task's own, read as its section ``prompts`` is.

    Raises InvalidBenchmark with every fault, each with its place below ``prompts``.
    """
    node = Node(document, ("prompts",))
    prompts = _prompts(node)
    told = _scored_rows_shown(replace(task, prompts=prompts, train=None))
    faults = Faults()
    faults.add([Fault(where, *message) for where, message in told])
    faults.stop()
    return prompts


def _prompts(node: Node) -> dict[str, Prompt]:
    prompts = entries(node, _prompt)
    if not prompts:
        raise node.fail("declares no setting.")
    return prompts


def _prompt(name: str, node: Node) -> Prompt:
    Node(name, node.path).name()
    found = node.fields(("user",), ("system", "exemplars", "reasoning", "max_new_tokens"))
    faults = Faults()
    with faults:
        system = optional(found, "system", lambda n: n.template(empty=True)) or ""
    with faults:
        user = found["user"].template()
    with faults:
        exemplars = optional(found, "exemplars", _exemplars)
    with faults:
        reasoning = optional(found, "reasoning", Node.truth) or False
    with faults:
        limit = optional(found, "max_new_tokens", _tokens)
    faults.stop()
    return Prompt(system, user, exemplars, reasoning, limit)


def _classification(node: Node, answer: Answer) -> Classification:
    found = node.fields(("premise", "labels"), ("hypothesis",))
    faults = Faults()
    with faults:
        premise = found["premise"].template()
    with faults:
        hypothesis = optional(found, "hypothesis", Node.template)
    with faults:
        labels = entries(found["labels"], lambda _, entry: entry.one_of(tuple(answer.labels)))
        folded = {fold_label(label) for label in labels}
        if len(folded) < len(labels) or "" in folded or len(labels) > MAX_LABELS:
            raise found["labels"].fail(
                "the model's labels cannot be told apart.",
                "They are compared without case, spaces, hyphens and underscores.",
            )
        if missing := [label for label in answer.labels if label not in labels.values()]:
            raise found["labels"].fail(f'no label of the model stands for "{missing[0]}".')
    faults.stop()
    return Classification(premise, hypothesis, labels)


def _exemplars(node: Node) -> Exemplars:
    found = node.fields(("config", "split"), ("match", "answer"))
    match = optional(found, "match", lambda n: each(n.items(), Node.column)) or ()
    if len(set(match)) < len(match):
        raise found["match"].fail("a column stands there twice.")
    answer = optional(found, "answer", Node.template)
    return Exemplars(Table(found["config"].name(), found["split"].name()), match, answer)


def _score(node: Node, answer: Answer, views: tuple[View, ...]) -> Score:
    found = node.fields(
        ("metrics",),
        ("positive", "pairs", "groups", "clusters", "combine", "half_right", "wrong_as", "unit"),
    )
    metrics = tuple(entry.one_of(METRICS) for entry in found["metrics"].items())
    if not metrics or len(set(metrics)) < len(metrics):
        raise found["metrics"].fail("expected each metric once, and at least one.")
    positive = optional(found, "positive", lambda n: n.text(MAX_LABEL))
    if positive is not None and positive not in answer.labels:
        raise found["positive"].fail(
            f'unknown label "{positive}".', did_you_mean(positive, answer.labels)
        )
    pairs = optional(found, "pairs", Node.column)
    combine = optional(found, "combine", lambda n: n.one_of(("bidirectional",)))
    needs = {
        "precision": positive is not None or '"positive", the label that it is about.',
        "recall": positive is not None or '"positive", the label that it is about.',
        "f1": positive is not None or '"positive", the label that it is about.',
        "faithfulness": pairs is not None or '"pairs", the column that names the partner.',
        "reasoning-accuracy": answer.selection is not None or 'a "selection" in the answer.',
    }
    faults = Faults()
    for metric in metrics:
        if (need := needs.get(metric, True)) is not True:
            with faults:
                raise found["metrics"].fail(f'"{metric}" needs {need}')
    with faults:
        if combine and len(views) < 2:
            raise found["combine"].fail("there are no views to combine.", "Add views.")
        if combine and answer.selection:
            raise found["combine"].fail("cannot combine answers that select.")
    for key in ("half_right", "wrong_as"):
        with faults:
            if key in found and not combine:
                raise found[key].fail('needs "combine", the way in which views become one answer.')
    faults.stop()
    groups = optional(
        found, "groups", lambda n: tuple(tuple(c.column() for c in g.items()) for g in n.items())
    )
    return Score(
        metrics=metrics,
        positive=positive,
        pairs=pairs,
        groups=groups or (),
        clusters=optional(found, "clusters", Node.column),
        combine=combine,
        half_right=optional(found, "half_right", lambda n: _named_labels(n, answer)) or {},
        wrong_as=optional(found, "wrong_as", lambda n: _confusions(n, answer)) or {},
        unit=optional(found, "unit", lambda n: each(n.items(), Node.column)) or (),
    )


def _named_labels(node: Node, answer: Answer) -> dict[str, tuple[str, ...]]:
    return {name[:200]: _some_labels(entry, answer) for name, entry in node.mapping().items()}


def _confusions(node: Node, answer: Answer) -> dict[str, Confusion]:
    result: dict[str, Confusion] = {}
    for name, entry in node.mapping().items():
        found = entry.fields(("gold", "as"))
        gold, taken = _some_labels(found["gold"], answer), _some_labels(found["as"], answer)
        result[name[:200]] = Confusion(gold, taken)
    return result


def _some_labels(node: Node, answer: Answer) -> tuple[str, ...]:
    texts = tuple(entry.one_of(tuple(answer.labels)) for entry in node.items())
    if not texts:
        raise node.fail("expected at least one label.")
    return texts
