"""The part of a task that says how answers become scores."""

from __future__ import annotations

from sorites_eval.contract.answers import MAX_LABEL
from sorites_eval.contract.faults import Faults
from sorites_eval.contract.metrics import METRICS
from sorites_eval.contract.tasks import Answer, Confusion, Score, View
from sorites_eval.contract.values import Node, each, optional
from sorites_eval.names import did_you_mean

__all__ = ["read_score"]


def read_score(node: Node, answer: Answer, views: tuple[View, ...]) -> Score:
    """The section ``score`` of a task, whose answer and views it refers to."""
    found = node.fields(
        ("metrics",),
        (
            "positive",
            "pairs",
            "graded",
            "groups",
            "clusters",
            "combine",
            "half_right",
            "wrong_as",
            "unit",
        ),
    )
    metrics = tuple(entry.one_of(tuple(METRICS)) for entry in found["metrics"].items())
    if not metrics or len(set(metrics)) < len(metrics):
        raise found["metrics"].fail("expected each metric once, and at least one.")
    positive = optional(found, "positive", lambda n: n.text(MAX_LABEL))
    if positive is not None and positive not in answer.labels:
        raise found["positive"].fail(
            f'unknown label "{positive}".', did_you_mean(positive, answer.labels)
        )
    pairs = optional(found, "pairs", Node.column)
    combine = optional(found, "combine", lambda n: n.one_of(("bidirectional",)))
    graded = optional(found, "graded", Node.column)
    declared = {
        "positive": positive,
        "pairs": pairs,
        "selection": answer.selection,
        "graded": graded,
    }
    faults = Faults()
    for metric in metrics:
        if need := METRICS[metric].missing(declared):
            with faults:
                raise found["metrics"].fail(f'"{metric}" needs {need}')
    with faults:
        if graded is not None and (positive is None or len(answer.labels) != 2):
            raise found["graded"].fail(
                'needs "positive", one of two labels, whose probability is compared with it.'
            )
    with faults:
        if graded is not None and any(view.labels for view in views):
            raise found["graded"].fail("cannot be compared where views rename the labels.")
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
        graded=graded,
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
