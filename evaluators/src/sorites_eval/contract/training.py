"""The parts of ``benchmark.json`` that say how to train for a task, and what to compare with."""

from __future__ import annotations

from sorites_eval.contract.tasks import Curve, Reference, Rows, Table, Training, TrainingSet
from sorites_eval.contract.values import Node, optional
from sorites_eval.names import did_you_mean

__all__ = ["read_references", "read_training"]


def read_training(node: Node) -> Training:
    """The section ``train`` of a task."""
    found = node.fields(("text", "sets"), ("curves",))
    text = tuple(entry.column() for entry in found["text"].items())
    if not 1 <= len(set(text)) == len(text) <= 2:
        raise found["text"].fail("expected one or two different columns.")
    sets = {_name(entry, name): _set(entry) for name, entry in found["sets"].mapping().items()}
    if not sets:
        raise found["sets"].fail("declares no training set.")
    curves = optional(found, "curves", lambda n: _curves(n, sets)) or {}
    return Training(text, sets, curves)


def read_references(node: Node) -> dict[str, Reference]:
    """The section ``references`` of a task."""
    result: dict[str, Reference] = {}
    for name, entry in node.mapping().items():
        found = entry.fields(("config", "split", "answer"))
        table = Table(found["config"].name(), found["split"].name())
        result[name[:200]] = Reference(table, found["answer"].column())
    return result


def _set(node: Node) -> TrainingSet:
    found = node.fields(("title", "train", "validation"), ("test",))
    return TrainingSet(
        found["title"].text(500),
        _selections(found["train"]),
        _selections(found["validation"]),
        optional(found, "test", _selections) or (),
    )


def _curves(node: Node, sets: dict[str, TrainingSet]) -> dict[str, Curve]:
    curves: dict[str, Curve] = {}
    for name, entry in node.mapping().items():
        found = entry.fields(("title", "base", "add", "by"))
        base = found["base"].text(200)
        if base not in sets:
            raise found["base"].fail(f'unknown training set "{base}".', did_you_mean(base, sets))
        rows, by = _rows(found["add"]), found["by"].column()
        curves[_name(entry, name)] = Curve(found["title"].text(500), base, rows, by)
    return curves


def _selections(node: Node) -> tuple[Rows, ...]:
    selections = tuple(_rows(entry) for entry in node.items())
    if not selections:
        raise node.fail("selects no rows.")
    return selections


def _rows(node: Node) -> Rows:
    found = node.fields(("config", "split"), ("where",))
    where = optional(found, "where", Node.mapping) or {}
    values = {column: tuple(v.scalar() for v in entry.items()) for column, entry in where.items()}
    return Rows(Table(found["config"].name(), found["split"].name()), values)


def _name(node: Node, name: str) -> str:
    return Node(name, node.path).name()
