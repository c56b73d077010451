"""OBO files (format 1.2 and 1.4): terms, their names and the is_a relation between them.

The format: https://owlcollab.github.io/oboformat/doc/obo-syntax.html. Read are the tags id,
name, is_a and is_obsolete of [Term] frames; all else in a file says nothing about a hierarchy.
"""

from __future__ import annotations

import re
from pathlib import Path

from sorites.errors import SourceError
from sorites.sources.ontologies.class_graphs import ClassGraph, class_graph_format, read_text

__all__ = ["OBO", "read_obo"]

_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "W": " "}
# What ends a value: a comment, or qualifiers in braces, neither of them escaped.
_END = re.compile(r"(?<!\\)(?:\s+!|\s*\{).*$")


def read_obo(path: Path) -> ClassGraph:
    """The terms of a file; a term without a name goes by its id.

    Raises SourceError, with file and line, for a file that is not OBO, a frame [Term] without
    an id, and an id or a name that is given twice.
    """
    names: dict[str, str] = {}
    edges: list[tuple[str, str]] = []
    obsolete: set[str] = set()
    named: set[str] = set()
    frame, id = "", None
    lines = read_text(path).splitlines()
    if not any(line.startswith(("format-version:", "[Term]")) for line in lines[:1000]):
        raise SourceError(f"{path}: not OBO: neither a format-version nor a [Term] in its start")
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith("["):
            frame, id = text.partition("]")[0][1:], None
            continue
        tag, colon, rest = text.partition(":")
        if frame != "Term" or not colon or tag not in ("id", "name", "is_a", "is_obsolete"):
            continue
        value = _value(rest)
        if tag == "id":
            if value in names:
                raise SourceError(f"{path}:{number}: the id {value} stands in an earlier frame too")
            id = value
            names[id] = id
        elif id is None:
            raise SourceError(f"{path}:{number}: a [Term] must start with its id")
        elif tag == "name":
            if id in named:
                raise SourceError(f"{path}:{number}: a second name of {id}")
            named.add(id)
            names[id] = value
        elif tag == "is_a":
            edges.append((id, value))
        elif value == "true":
            obsolete.add(id)
    return ClassGraph(
        {id: name for id, name in names.items() if id not in obsolete},
        tuple(edges),
        {id: names[id] for id in obsolete},
    )


def _value(rest: str) -> str:
    """The value of a tag, without comment and qualifiers, its escapes read."""
    plain = _END.sub("", " " + rest).strip()
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), plain)


OBO = class_graph_format("obo", read_obo)
"""OBO as a format that a spec can name."""
