"""What every export is made of: a name, files of rendered prompts, and our reader of answers.

Prompts are rendered already and stand in data files, never in a harness's own templates, so that
a harness evaluates nothing that a release brings.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sorites_eval.contract.tasks import Task
from sorites_eval.prompts.requests import Item, Request
from sorites_eval.running.run import Plan
from sorites_eval.scoring import (
    answers,
    function_words,
    mentions,
    naming,
    offers,
    plain,
    polarity,
    reading,
    reasoning,
    selections,
    thought,
    tokens,
)

__all__ = ["Exported", "gold", "lines", "measures", "name_of", "reader"]

_READER = (
    *(function_words, plain, thought, tokens, selections, naming, polarity, offers, mentions),
    *(answers, reasoning, reading),
)
"""The modules of our reader, each before those that use it."""

_OURS = re.compile(r"^from (?:sorites_eval\S*|__future__) import (?:\([^)]*\)|.*)\n", re.MULTILINE)

_SCORING = '''

_LABELS = {labels!r}
_READER = {reader}


def read(text, cut_off=False):
    """A whole reply as read; ``cut_off`` if it met its limit of tokens."""
    return read_reply_text(_READER, text, cut_off=cut_off)


def measure(text, label, selection, cut_off=False):
    """The measures of one reply, given the gold label and the gold selection, if there is one."""
    reading = read(text, cut_off)
    right = reading.label == label
    measures = {{"accuracy": float(right)}}
    if selection is not None:
        chosen = right and reading.selection == frozenset(selection)
        measures["reasoning_accuracy"] = float(chosen)
    return measures
'''

_PLAIN_READER = "Reader(_LABELS, {marker!r})"
_REASONING_READER = "LastAnswer(_LABELS, Reader(_LABELS, {marker!r}))"


@dataclass(frozen=True, slots=True)
class Exported:
    """The name under which a harness knows what was written, where it lies, and how it is run."""

    name: str
    folder: Path
    command: str


def name_of(plan: Plan) -> str:
    """A name that every harness takes, of release, task and setting."""
    raw = f"sorites_{plan.release.name}_{plan.task.name}_{plan.setting}"
    return re.sub(r"[^a-z0-9]+", "_", raw.lower()).rstrip("_")


def gold(task: Task, request: Request, item: Item) -> str:
    """The label that is right in a request's view of its item."""
    view = next(view for view in task.views if view.name == request.view)
    return view.labels.get(item.label, item.label)


def measures(task: Task) -> list[str]:
    """The names of what our reader measures in an answer to a task."""
    return ["accuracy", "reasoning_accuracy"] if task.answer.selection else ["accuracy"]


def reader(plan: Plan) -> str:
    """Our reader of answers as source that needs nothing else, and what scores with it.

    A harness may run it without making it a module of its own, in which dataclasses cannot look
    up annotations that are text.
    """
    answer = plan.task.answer
    reasons = plan.task.prompts[plan.setting].reasoning
    made = _REASONING_READER if reasons else _PLAIN_READER
    scoring = _SCORING.format(
        labels=list(answer.labels),
        reader=made.format(marker=answer.selection.marker if answer.selection else None),
    )
    source = "\n\n".join(_OURS.sub("", inspect.getsource(module)) for module in _READER)
    return source + scoring


def lines(documents: Iterable[Mapping[str, object]]) -> str:
    """Documents as JSON, one a line."""
    return "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)
