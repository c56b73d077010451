"""Ontologies from RDF in any syntax: three SPARQL queries say what its classes and members are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from sorites.canonical import Json
from sorites.errors import SourceError
from sorites.sources.apart import LimitReached, Limits, apart
from sorites.sources.ontologies.class_graphs import OBSOLETE, ClassGraph, with_leaves
from sorites.sources.ontologies.labels import Labels, read_labels
from sorites.sources.ontologies.ontology import Ontology, build_ontology
from sorites.sources.ontologies.ontology_format import OntologyFormat, Section
from sorites.sources.ontologies.rdf_graph import Row, Store, deprecated, parse, select
from sorites.sources.ontologies.sparql import ROLES, SUBCLASSES, QueryError, check_query
from sorites.sources.ontologies.unknown_classes import UNKNOWN, describe, refuse_unknown

__all__ = ["RDF", "read_rdf"]

DEPRECATED = "classes marked as deprecated"
SEVERAL = "classes with several labels, of which the first was taken"
"""Why something is left out, as the audit says it."""

VARIABLES: Mapping[str, tuple[str, ...]] = {
    "classes": ("class", "name", "id"),
    "hierarchy": ("child", "parent"),
    "members": ("class", "member", "name"),
}

SECONDS = 600
SECONDS_FOR_A_MEGABYTE = 20
MEMORY = 2 << 30
MEMORY_FOR_A_BYTE = 40
"""The last resort, far beyond what any file took; nothing comes of them but an error."""


@dataclass(slots=True)
class _Found:
    """What the queries found: rows by role, and what is marked as deprecated."""

    rows: dict[str, list[Row]] = field(default_factory=lambda: {role: [] for role in ROLES})
    deprecated: set[str] = field(default_factory=set)


def read_rdf(
    paths: Sequence[Path],
    *,
    classes: str,
    hierarchy: str,
    members: str,
    where: str = "",
    syntax: str | None = None,
    branch: str | None = None,
    labels: Labels | None = None,
    drop_empty: bool = False,
    drop_unknown: bool = False,
    drop_deprecated: bool = True,
    store: Store = "auto",
) -> Ontology:
    """Read RDF files as one graph, and what three SELECT queries find in it as an ontology.

    ``classes`` selects ?class and ?name, and perhaps ?id (else the IRI is the id);
    ``hierarchy`` ?child and ?parent; ``members`` ?class and ?member, and perhaps ?name (else a
    member goes by its own text). Where ``members`` is SUBCLASSES, the classes with nothing below
    them are the individuals. Blank nodes are no classes and no members. ``syntax`` is one of the
    values of SYNTAXES, else the suffix of each file decides.

    Classes that are marked owl:deprecated are left out unless asked for, and counted. A class of
    the hierarchy or of a member that ``classes`` does not find, or that has no label in a
    language of ``labels``, is unknown: refused, or with ``drop_unknown`` left out and counted;
    what stands under such a class stands under what is above it. ``where`` starts messages about
    the ontology (the files, if not given). The store is Oxigraph's where ``oxrdflib`` is
    installed, or ``memory``: what comes out is the same.

    Raises SourceError for a file or a query that is refused, cannot be parsed or takes too much,
    a class or a member with two names, and whatever build_ontology refuses.
    """
    for role, query in (("classes", classes), ("hierarchy", hierarchy), ("members", members)):
        if (role, query) != ("members", SUBCLASSES):
            check_query(role, query)
    where = where or ", ".join(map(str, paths))
    queries = {"classes": classes, "hierarchy": hierarchy, "members": members}
    found = _query_apart(paths, queries, syntax, store, where)
    labels = Labels() if labels is None else labels

    ids: dict[str, str] = {}
    called: dict[str, dict[tuple[str, str], None]] = {}
    for cls, name, id, language in found.rows["classes"]:
        if cls is None:
            continue
        if name is None:
            raise SourceError(f"{where}: the class {cls} has no name")
        if ids.setdefault(cls, id or cls) != (id or cls):
            first, second = sorted((ids[cls], id or cls))
            raise SourceError(
                f"{where}: the class {cls} has two ids: {first!r} and {second!r}. Let the query "
                "select one of them"
            )
        called.setdefault(ids[cls], {})[name, language or ""] = None
    twice = [id for id, count in Counter(ids.values()).items() if count > 1]
    if twice:
        raise SourceError(f"{where}: two classes have the id {min(twice)}")
    names, several = labels.choose(called, f"{where}: classes")
    gone = found.deprecated if drop_deprecated else set[str]()
    obsolete = {ids[cls]: names.pop(ids[cls], ids[cls]) for cls in gone & ids.keys()}
    edges = [
        (ids.get(child, child), ids.get(parent, parent))
        for child, parent, _ in found.rows["hierarchy"]
        if child is not None and parent is not None
    ]
    left_out = {SEVERAL: several}
    if members == SUBCLASSES:
        graph = ClassGraph(names, tuple(edges), obsolete)
        built = with_leaves(graph, where=where, branch=branch, drop_unknown=drop_unknown)
        left_out |= {DEPRECATED if why == OBSOLETE else why: w for why, w in built.left_out.items()}
    else:
        pairs: list[tuple[str, str]] = []
        own: dict[str, dict[tuple[str, str], None]] = {}
        for cls, member, name, language in found.rows["members"]:
            if cls is None or member is None:
                continue
            pairs.append((ids.get(cls, cls), member))
            if name is not None:
                own.setdefault(member, {})[name, language or ""] = None
        used = {id for edge in edges for id in edge} | {id for id, _ in pairs}
        unknown = sorted(used - names.keys() - obsolete.keys() - gone)
        if not drop_unknown:
            refuse_unknown(unknown, where)
        described = describe(names, edges, pairs, where)
        individuals, _ = labels.choose(own, f"{where}: members")
        built = build_ontology(
            names,
            described.edges,
            described.members,
            individuals,
            where=where,
            branch=branch,
            drop_empty=drop_empty,
        )
        left_out |= {DEPRECATED: tuple(sorted(obsolete.values())), UNKNOWN: tuple(unknown)}
    return replace(built, left_out={why: which for why, which in left_out.items() if which})


def _query_apart(
    paths: Sequence[Path], queries: Mapping[str, str], syntax: str | None, store: Store, where: str
) -> _Found:
    """What the queries find, in a process of its own that may take only so much."""
    size = sum(path.stat().st_size for path in paths if path.is_file())
    limits = Limits(
        SECONDS + SECONDS_FOR_A_MEGABYTE * (size >> 20), MEMORY + MEMORY_FOR_A_BYTE * size
    )

    def work() -> Iterator[Json]:
        graph = parse(paths, syntax, store)
        yield ["deprecated", *deprecated(graph)]
        for role, query in queries.items():
            if query != SUBCLASSES:
                yield ["begin", role]
                # Before it computes: so that the parent knows what took too long.
                yield None
                try:
                    for row in select(graph, role, query, VARIABLES[role]):
                        yield [role, *row]
                except QueryError as error:
                    yield ["fault", error.fault]

    found, role = _Found(), None
    try:
        for record in apart(work, limits):
            kind, *values = cast("Sequence[str]", record)
            if kind == "begin":
                (role,) = values
            elif kind == "fault":
                raise QueryError(role or "", values[0])
            elif kind == "deprecated":
                found.deprecated.update(values)
            else:
                found.rows[kind].append(tuple(values))
    except LimitReached as error:
        if role is not None:
            raise QueryError(role, str(error)) from None
        raise SourceError(f"{where}: reading it, {error}") from None
    return found


def _read(section: Section, files: Mapping[str, Path]) -> Ontology:
    branch, syntax = section.get("branch"), section.get("syntax")
    return read_rdf(
        [files[name] for name in cast("Sequence[str]", section["files"])],
        classes=str(section["classes"]),
        hierarchy=str(section["hierarchy"]),
        members=str(section["members"]),
        syntax=None if syntax is None else str(syntax),
        branch=None if branch is None else str(branch),
        labels=read_labels(section),
        drop_empty=section.get("empty_classes") == "drop",
        drop_unknown=section.get("unknown") == "drop",
        drop_deprecated=section.get("deprecated_classes") != "keep",
    )


RDF = OntologyFormat("rdf", ("files",), _read, query_fields=tuple(ROLES))
"""RDF with three queries as a format that a spec can name."""
