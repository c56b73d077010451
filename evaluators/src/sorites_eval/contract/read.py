"""Read ``benchmark.json``, which may come from a stranger, into the contract's dataclasses."""

from __future__ import annotations

import json
import re

from sorites_eval.contract.tasks import (
    METRICS,
    Answer,
    Benchmark,
    Confusion,
    Exemplars,
    Prompt,
    Scalar,
    Score,
    Selection,
    Table,
    Task,
    View,
    label_key,
)
from sorites_eval.contract.training import read_references, read_training
from sorites_eval.contract.values import Node, fail, optional
from sorites_eval.names import did_you_mean

__all__ = ["MAX_BYTES", "read_benchmark"]

MAX_BYTES = 4_000_000
MAX_LABELS = 100
MAX_LABEL = 64
MAX_NEW_TOKENS = 32_768

_MARKER = re.compile(r"[A-Za-z]{1,16}\Z")


def read_benchmark(text: bytes | str) -> Benchmark:
    """Read and check a whole ``benchmark.json``.

    Raises InvalidBenchmark for the first thing that breaks the contract. Columns and
    templates are checked against the data only when a task is prepared.
    """
    if len(text) > MAX_BYTES:
        raise fail("", f"{len(text)} bytes; at most {MAX_BYTES} are read.")
    try:
        document = json.loads(text, object_pairs_hook=_without_duplicates)
    except UnicodeDecodeError as error:
        raise fail("", "not UTF-8 text.") from error
    except RecursionError as error:
        raise fail("", "nested too deeply.") from error
    except ValueError as error:
        raise fail("", f"not valid JSON: {error}.") from error
    root = Node(document, "").fields(("benchmark", "name", "version", "tasks"))
    version = root["benchmark"].value
    if version != 1 or isinstance(version, bool):
        raise root["benchmark"].fail(
            f"format {version!r} is not known here, only 1.", "A newer sorites may read it."
        )
    tasks = {name: _task(name, node) for name, node in root["tasks"].mapping().items()}
    if not tasks:
        raise root["tasks"].fail("declares no task.")
    documents = {name: node.value for name, node in root["tasks"].mapping().items()}
    return Benchmark(root["name"].name(), root["version"].text(100), tasks, documents)


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
        ("title", "description", "views", "train", "references"),
    )
    answer = _answer(found["answer"])
    views = optional(found, "views", lambda n: _views(n, answer)) or (View("only"),)
    prompts = {k: _prompt(k, v) for k, v in found["prompts"].mapping().items()}
    if not prompts:
        raise found["prompts"].fail("declares no setting.")
    return Task(
        name=name,
        title=optional(found, "title", lambda n: n.text(500)) or name,
        description=optional(found, "description", lambda n: n.text(empty=True)) or "",
        data=_table(found["data"]),
        id=found["id"].column(),
        views=views,
        answer=answer,
        prompts=prompts,
        score=_score(found["score"], answer, views),
        train=optional(found, "train", read_training),
        references=optional(found, "references", read_references) or {},
    )


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
        write=optional(found, "write", lambda n: n.text()),
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
                f'"{text[:100]}" is not a label:',
                f"1 to {MAX_LABEL} printable characters without space around them.",
            )
        labels[text] = value.scalar()
    if not 2 <= len(labels) <= MAX_LABELS:
        raise node.fail(f"{len(labels)} labels; a task has 2 to {MAX_LABELS}.")
    if len({label_key(v) for v in labels.values()}) < len(labels):
        raise node.fail("two labels stand for the same value.")
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
    views = tuple(_view(entry, answer) for entry in node.items())
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
            "two labels become the same one,", "so an answer could not be carried back."
        )
    return View(found["name"].name(), tuple(swap), labels)


def _prompt(name: str, node: Node) -> Prompt:
    Node(name, node.path).name()
    found = node.fields(("user",), ("system", "exemplars"))
    return Prompt(
        system=optional(found, "system", lambda n: n.text(empty=True)) or "",
        user=found["user"].text(),
        exemplars=optional(found, "exemplars", _exemplars),
    )


def _exemplars(node: Node) -> Exemplars:
    found = node.fields(("config", "split"), ("match", "answer"))
    return Exemplars(
        Table(found["config"].name(), found["split"].name()),
        optional(found, "match", lambda n: tuple(c.column() for c in n.items())) or (),
        optional(found, "answer", lambda n: n.text()),
    )


def _score(node: Node, answer: Answer, views: tuple[View, ...]) -> Score:
    found = node.fields(
        ("metrics",),
        ("positive", "pairs", "groups", "clusters", "combine", "half_right", "wrong_as"),
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
    for metric in metrics:
        if (need := needs.get(metric, True)) is not True:
            raise found["metrics"].fail(f'"{metric}" needs {need}')
    if combine and len(views) < 2:
        raise found["combine"].fail("needs at least two views.")
    if combine and answer.selection:
        raise found["combine"].fail("cannot combine answers that select.")
    for key in ("half_right", "wrong_as"):
        if key in found and not combine:
            raise found[key].fail('needs "combine", the way in which views become one answer.')
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
