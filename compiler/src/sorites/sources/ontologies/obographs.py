"""Obographs JSON (github.com/geneontology/obographs): nodes, and is_a edges between them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from sorites.canonical import Json
from sorites.errors import SourceError
from sorites.sources.ontologies.class_graphs import ClassGraph, class_graph_format, read_text

__all__ = ["OBOGRAPHS", "read_obographs"]

_SUBCLASS = frozenset({"is_a", "subClassOf", "http://www.w3.org/2000/01/rdf-schema#subClassOf"})


def read_obographs(path: Path) -> ClassGraph:
    """The classes of all graphs of a file; a class without a label goes by its id.

    Raises SourceError for a file that is not obographs JSON, and for two labels of a class.
    """
    try:
        data: Json = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: not JSON: {error}") from None
    if not isinstance(data, Mapping) or not isinstance(data.get("graphs"), Sequence):
        raise SourceError(f"{path}: not obographs JSON: there is no list of graphs")
    names: dict[str, str] = {}
    obsolete: set[str] = set()
    edges: list[tuple[str, str]] = []
    for graph in _records(data, "graphs", path):
        for node in _records(graph, "nodes", path):
            if node.get("type", "CLASS") != "CLASS":
                continue
            id = _text(node, "id", path)
            name = _text(node, "lbl", path) if "lbl" in node else id
            if names.setdefault(id, name) != name:
                raise SourceError(f"{path}: {id} has two labels: {names[id]!r} and {name!r}")
            meta = node.get("meta")
            if isinstance(meta, Mapping) and meta.get("deprecated") is True:
                obsolete.add(id)
        for edge in _records(graph, "edges", path):
            if _text(edge, "pred", path) in _SUBCLASS:
                edges.append((_text(edge, "sub", path), _text(edge, "obj", path)))
    return ClassGraph(
        {id: name for id, name in names.items() if id not in obsolete},
        tuple(edges),
        {id: names[id] for id in obsolete},
    )


def _records(record: Mapping[str, Json], key: str, path: Path) -> list[Mapping[str, Json]]:
    """A list of objects; one that is not given is empty."""
    value = record.get(key, ())
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise SourceError(f"{path}: not obographs JSON: {key} is not a list")
    found = [each for each in value if isinstance(each, Mapping)]
    if len(found) < len(value):
        raise SourceError(f"{path}: not obographs JSON: {key} holds what is not an object")
    return found


def _text(record: Mapping[str, Json], key: str, path: Path) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise SourceError(
            f"{path}: not obographs JSON: {key} is not a text in {dict(record)!r:.200}"
        )
    return value


OBOGRAPHS = class_graph_format("obographs", read_obographs)
"""Obographs JSON as a format that a spec can name."""
