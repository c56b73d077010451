"""The parts of a task that say how an item is put to a model."""

from __future__ import annotations

from collections.abc import Iterator

from sorites_eval.contract.answers import MAX_LABELS, read_tokens
from sorites_eval.contract.faults import Faults, Path
from sorites_eval.contract.tasks import (
    Answer,
    Classification,
    Exemplars,
    Prompt,
    Table,
    Task,
    fold_label,
    label_key,
)
from sorites_eval.contract.values import Node, each, entries, optional

__all__ = ["read_classification", "read_settings", "reordered"]


def read_settings(node: Node) -> dict[str, Prompt]:
    """The section ``prompts`` of a task: its settings by name."""
    prompts = entries(node, _prompt)
    if not prompts:
        raise node.fail("declares no setting.")
    return prompts


def _prompt(name: str, node: Node) -> Prompt:
    Node(name, node.path).name()
    found = node.fields(("user",), ("system", "exemplars", "reasoning", "max_new_tokens", "labels"))
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
        limit = optional(found, "max_new_tokens", read_tokens)
    with faults:
        labels = optional(found, "labels", lambda n: entries(n, lambda _, entry: entry.scalar()))
    faults.stop()
    return Prompt(system, user, exemplars, reasoning, limit, labels)


def reordered(task: Task) -> Iterator[tuple[Path, str]]:
    """What is wrong with labels of settings: a place below the task, and a message each."""
    texts = set(task.answer.labels)
    values = {label_key(value) for value in task.answer.labels.values()}
    for name, prompt in task.prompts.items():
        if prompt.labels is not None and (
            set(prompt.labels) != texts or {*map(label_key, prompt.labels.values())} != values
        ):
            yield (
                ("prompts", name, "labels"),
                "must give every label of the answer to every value of it, in any order.",
            )


def _exemplars(node: Node) -> Exemplars:
    found = node.fields(("config", "split"), ("match", "answer"))
    match = optional(found, "match", lambda n: each(n.items(), Node.column)) or ()
    if len(set(match)) < len(match):
        raise found["match"].fail("a column stands there twice.")
    answer = optional(found, "answer", Node.template)
    return Exemplars(Table(found["config"].name(), found["split"].name()), match, answer)


def read_classification(node: Node, answer: Answer) -> Classification:
    """The section ``classify`` of a task; labels are those of its answer."""
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
