"""The parts of a task that say what an answer is, and in which views an item is asked."""

from __future__ import annotations

import re

from sorites_eval.contract.tasks import Answer, Scalar, Selection, View, label_key
from sorites_eval.contract.values import Node, each, optional
from sorites_eval.names import did_you_mean

__all__ = ["MAX_LABEL", "MAX_LABELS", "read_answer", "read_tokens", "read_views"]

MAX_LABELS = 100
MAX_LABEL = 64
MAX_NEW_TOKENS = 32_768

_MARKER = re.compile(r"[A-Za-z]{1,16}\Z")


def read_answer(node: Node) -> Answer:
    """The section ``answer`` of a task."""
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
        max_new_tokens=optional(found, "max_new_tokens", read_tokens) or 16,
        selection=selection,
        write=optional(found, "write", Node.template),
    )


def read_tokens(node: Node) -> int:
    """A number of tokens that a reply may have."""
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


def read_views(node: Node, answer: Answer) -> tuple[View, ...]:
    """The section ``views`` of a task; labels are those of its answer."""
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
