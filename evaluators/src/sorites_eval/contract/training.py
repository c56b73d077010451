"""The parts of ``benchmark.json`` that say how to train for a task, and what to compare with."""

from __future__ import annotations

from sorites_eval.contract.faults import Faults
from sorites_eval.contract.tasks import Curve, Reference, Rows, Table, Training, TrainingSet
from sorites_eval.contract.values import Node, each, entries, optional
from sorites_eval.names import did_you_mean

__all__ = ["read_references", "read_training"]


def read_training(node: Node) -> Training:
    """The section ``train`` of a task."""
    found = node.fields(("text", "sets"), ("curves",))
    faults = Faults()
    with faults:
        text = each(found["text"].items(), Node.column)
        if not 1 <= len(set(text)) == len(text) <= 2:
            raise found["text"].fail("expected one or two different columns.")
    with faults:
        sets = entries(found["sets"], _set)
        if not sets:
            raise found["sets"].fail("declares no training set.")
    faults.stop()
    curves = optional(found, "curves", lambda n: _curves(n, sets)) or {}
    return Training(text, sets, curves)


def read_references(node: Node) -> dict[str, Reference]:
    """The section ``references`` of a task."""
    return entries(node, _reference)


def _reference(name: str, node: Node) -> Reference:
    _check_title(name, node)
    found = node.fields(("config", "split", "answer"))
    table = Table(found["config"].name(), found["split"].name())
    return Reference(table, found["answer"].column())


def _set(name: str, node: Node) -> TrainingSet:
    Node(name, node.path).name()
    found = node.fields(("title", "train", "validation"), ("test",))
    return TrainingSet(
        found["title"].text(500),
        _selections(found["train"]),
        _selections(found["validation"]),
        optional(found, "test", _selections) or (),
    )


def _curves(node: Node, sets: dict[str, TrainingSet]) -> dict[str, Curve]:
    return entries(node, lambda name, entry: _curve(name, entry, sets))


def _curve(name: str, node: Node, sets: dict[str, TrainingSet]) -> Curve:
    Node(name, node.path).name()
    found = node.fields(("title", "base", "add", "by"), ("held_out", "alone"))
    base = found["base"].text(200)
    if base not in sets:
        raise found["base"].fail(f'unknown training set "{base}".', did_you_mean(base, sets))
    return Curve(
        found["title"].text(500),
        base,
        _rows(found["add"]),
        found["by"].column(),
        optional(found, "held_out", Node.column),
        optional(found, "alone", Node.truth) or False,
    )


def _selections(node: Node) -> tuple[Rows, ...]:
    selections = each(node.items(), _rows)
    if not selections:
        raise node.fail("selects no rows.")
    return selections


def _rows(node: Node) -> Rows:
    found = node.fields(("config", "split"), ("where",))
    where = optional(found, "where", Node.mapping) or {}
    values = {column: tuple(v.scalar() for v in entry.items()) for column, entry in where.items()}
    return Rows(Table(found["config"].name(), found["split"].name()), values)


def _check_title(name: str, node: Node) -> None:
    """Names that are only shown may be any text, if it is short and can be read."""
    if not name.strip() or len(name) > 200 or not name.isprintable():
        raise node.fail(f'"{name[:100]}" is not a name.', "It has 1 to 200 printable characters.")
