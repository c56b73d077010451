"""Ontologies that hold classes alone (OBO, obographs JSON): their leaves become individuals."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from sorites.characters import tidy
from sorites.errors import SourceError
from sorites.sources.ontologies.ontology import Ontology, build_ontology
from sorites.sources.ontologies.ontology_format import OntologyFormat, Section
from sorites.sources.ontologies.unknown_classes import UNKNOWN, describe, refuse_unknown

__all__ = ["MOST_BYTES", "OBSOLETE", "ClassGraph", "class_graph_format", "read_text", "with_leaves"]

MOST_BYTES = 512 << 20
"""A larger file is refused before it is read."""

OBSOLETE = "obsolete classes"
ALONE = "classes with nothing above or below them"


@dataclass(frozen=True, slots=True)
class ClassGraph:
    """Classes as a file gives them.

    ``names`` maps ids to names, without the obsolete classes, whose names (or ids) are
    ``obsolete``; ``edges`` are (child id, parent id), and either may be a class that is not there.
    """

    names: Mapping[str, str]
    edges: tuple[tuple[str, str], ...]
    obsolete: Mapping[str, str]


def with_leaves(
    graph: ClassGraph, *, where: str, branch: str | None = None, drop_unknown: bool = False
) -> Ontology:
    """An ontology whose individuals are the classes that have nothing below them.

    A leaf is a member of every class above it, so "melanoma is a cancer" stands for "every
    melanoma is a cancer". ``left_out`` of the result counts the obsolete classes, those that
    have nothing above or below them, and those that are missing where ``drop_unknown``.

    Raises SourceError for classes that the file does not hold unless ``drop_unknown``, and for
    whatever build_ontology refuses.
    """
    missing = sorted({id for edge in graph.edges for id in edge} - graph.names.keys())
    missing = [id for id in missing if id not in graph.obsolete]
    if not drop_unknown:
        refuse_unknown(missing, where)
    known = describe(graph.names, graph.edges, (), where).edges
    above = {parent for _, parent in known}
    leaves = {child for child, _ in known} - above
    left_out = {
        OBSOLETE: tuple(sorted(graph.obsolete.values())),
        UNKNOWN: tuple(missing),
        ALONE: tuple(sorted(graph.names[id] for id in graph.names.keys() - above - leaves)),
    }
    if not above:
        raise SourceError(f"{where}: no class stands under another")
    built = build_ontology(
        {id: tidy(graph.names[id]) for id in above},
        [edge for edge in known if edge[0] in above],
        [(parent, child) for child, parent in known if child in leaves],
        {id: tidy(graph.names[id]) for id in leaves},
        where=where,
        branch=branch,
    )
    return replace(built, left_out={why: names for why, names in left_out.items() if names})


def class_graph_format(name: str, read: Callable[[Path], ClassGraph]) -> OntologyFormat:
    """A format that a spec can name, from the reader of a file."""
    return OntologyFormat(name, ("file",), partial(_read_section, read))


def _read_section(
    read: Callable[[Path], ClassGraph], section: Section, files: Mapping[str, Path]
) -> Ontology:
    path, branch = files[str(section["file"])], section.get("branch")
    return with_leaves(
        read(path),
        where=str(path),
        branch=None if branch is None else str(branch),
        drop_unknown=section.get("unknown") == "drop",
    )


def read_text(path: Path) -> str:
    """The text of a UTF-8 file without its byte order mark; raises SourceError."""
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise SourceError(f"{path} has {size:,} bytes; at most {MOST_BYTES:,} are read")
        return path.read_bytes().removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not UTF-8: {error.reason}") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None
