"""Ontologies from RDF in any syntax: three SPARQL queries say what its classes and members are."""

from __future__ import annotations

import codecs
import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal as Choice
from typing import TypeAlias, cast

from rdflib import OWL, BNode, Dataset, Graph, Literal, URIRef
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.algebra import traverse
from rdflib.plugins.sparql.sparql import Query
from rdflib.query import ResultRow
from rdflib.term import Node

from sorites.errors import SourceError
from sorites.sources.ontologies.ontology import Ontology, build_ontology
from sorites.sources.ontologies.ontology_format import OntologyFormat, Section
from sorites.sources.ontologies.rdf_guard import guard
from sorites.sources.ontologies.sparql import ROLES, check_query

__all__ = ["RDF", "SYNTAXES", "Store", "read_rdf"]

Store: TypeAlias = Choice["auto", "memory", "oxigraph"]

SYNTAXES = {
    ".json": "json-ld",
    ".jsonld": "json-ld",
    ".n3": "n3",
    ".nq": "nquads",
    ".nt": "nt",
    ".owl": "xml",
    ".rdf": "xml",
    ".trig": "trig",
    ".ttl": "turtle",
    ".xml": "xml",
}
"""Suffix of a file to the syntax that it is read in, as rdflib names it."""

_WITH_GRAPHS = frozenset({"json-ld", "nquads", "trig"})
DEPRECATED = "classes marked as deprecated"
"""Why a class is left out, as the audit says it."""

_STRING = URIRef("http://www.w3.org/2001/XMLSchema#string")
_MOST_BYTES = 512 * 1024 * 1024
_MOST_ROWS = 5_000_000


def read_rdf(
    paths: Sequence[Path],
    *,
    classes: str,
    hierarchy: str,
    members: str,
    where: str = "",
    syntax: str | None = None,
    branch: str | None = None,
    drop_empty: bool = False,
    drop_deprecated: bool = True,
    store: Store = "auto",
) -> Ontology:
    """Read RDF files as one graph, and what three SELECT queries find in it as an ontology.

    ``classes`` selects ?class and ?name, and perhaps ?id (else the IRI is the id);
    ``hierarchy`` ?child and ?parent; ``members`` ?class and ?member, and perhaps ?name (else a
    member goes by its own text). Blank nodes are no classes and no members. ``syntax`` is one
    of the values of SYNTAXES, else the suffix of each file decides. Classes that are marked
    owl:deprecated are left out unless asked for, and counted. ``where`` starts messages
    about the ontology (the files, if not given). The store is Oxigraph's where ``oxrdflib`` is
    installed, or ``memory``: what comes out is the same.

    Raises SourceError for a file or a query that is refused or cannot be parsed, a class or a
    member with two names, and whatever build_ontology refuses.
    """
    for role, query in (("classes", classes), ("hierarchy", hierarchy), ("members", members)):
        check_query(role, query)
    where = where or ", ".join(map(str, paths))
    graph = _parse(paths, syntax, store)

    ids: dict[str, str] = {}
    names: dict[str, str] = {}
    for cls, name, id in _select(graph, "classes", classes, ("class", "name", "id")):
        if cls is None:
            continue
        if name is None:
            raise SourceError(f"{where}: the class {cls} has no name")
        _put(ids, cls, id or cls, f"{where}: the class {cls} has two ids")
        _put(names, ids[cls], name, f"{where}: the class {cls} has two names")
    if len(set(ids.values())) < len(ids):
        twice = next(id for id in ids.values() if list(ids.values()).count(id) > 1)
        raise SourceError(f"{where}: two classes have the id {twice}")
    gone = _deprecated(graph) if drop_deprecated else frozenset[str]()
    deprecated = sorted(names.pop(ids[cls]) for cls in gone & ids.keys())
    edges = [
        (ids.get(child, child), ids.get(parent, parent))
        for child, parent in _select(graph, "hierarchy", hierarchy, ("child", "parent"))
        if child is not None and parent is not None and not {child, parent} & gone
    ]
    pairs: list[tuple[str, str]] = []
    individuals: dict[str, str] = {}
    for cls, member, name in _select(graph, "members", members, ("class", "member", "name")):
        if cls is None or member is None or cls in gone:
            continue
        pairs.append((ids.get(cls, cls), member))
        if name is not None:
            _put(individuals, member, name, f"{where}: the member {member} has two names")
    built = build_ontology(
        names, edges, pairs, individuals, where=where, branch=branch, drop_empty=drop_empty
    )
    return replace(built, left_out={DEPRECATED: tuple(deprecated)}) if deprecated else built


def _read(section: Section, files: Mapping[str, Path]) -> Ontology:
    branch, syntax = section.get("branch"), section.get("syntax")
    return read_rdf(
        [files[name] for name in cast("Sequence[str]", section["files"])],
        classes=str(section["classes"]),
        hierarchy=str(section["hierarchy"]),
        members=str(section["members"]),
        syntax=None if syntax is None else str(syntax),
        branch=None if branch is None else str(branch),
        drop_empty=section.get("empty_classes") == "drop",
        drop_deprecated=section.get("deprecated_classes") != "keep",
    )


RDF = OntologyFormat("rdf", ("files",), _read, query_fields=tuple(ROLES))
"""RDF with three queries as a format that a spec can name."""


def _deprecated(graph: Graph) -> frozenset[str]:
    """What a graph marks as deprecated (OWL 2, section 5.5): true as a boolean or as text."""
    return frozenset(
        str(subject)
        for subject, value in graph.subject_objects(OWL.deprecated)
        if str(value).lower() in ("true", "1")
    )


def _put(table: dict[str, str], key: str, value: str, two: str) -> None:
    if table.setdefault(key, value) != value:
        first, second = sorted((table[key], value))
        raise SourceError(f"{two}: {first!r} and {second!r}. Let the query select one of them.")


def _parse(paths: Sequence[Path], syntax: str | None, store: Store) -> Graph:
    syntaxes = [syntax or _syntax(path) for path in paths]
    for path, each in zip(paths, syntaxes, strict=True):
        guard(path, each, most=_MOST_BYTES)
    fast = store == "oxigraph" or (
        store == "auto" and importlib.util.find_spec("oxrdflib") is not None
    )
    graph = Graph(store="Oxigraph" if fast else "default")
    for path, each in zip(paths, syntaxes, strict=True):
        # A fixed base: relative IRIs must not depend on where the file lies.
        base = f"https://source.invalid/{path.name}"
        try:
            with path.open("rb") as file:
                if file.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
                    file.seek(0)
                if each in _WITH_GRAPHS:
                    dataset = Dataset()
                    dataset.parse(file=file, format=each, publicID=base)
                    for subject, predicate, value, _ in dataset.quads():
                        graph.add((subject, predicate, value))
                else:
                    graph.parse(file=file, format=f"ox-{each}" if fast else each, publicID=base)
        except OSError as error:
            raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None
        except RecursionError:
            raise SourceError(f"{path}: nested too deeply") from None
        except Exception as error:
            # Each parser of rdflib and of Oxigraph has errors of its own. rdflib's decides:
            # it takes IRIs as they are, and a file must not be read in one store alone.
            if fast:
                return _parse(paths, syntax, "memory")
            raise SourceError(f"{path}: not RDF in the syntax {each}: {error}") from None
    if not fast:
        for triple in list(graph):
            plain = _plain(triple[2])
            if plain is not triple[2]:
                graph.remove(triple)
                graph.add((triple[0], triple[1], plain))
    return graph


def _plain(term: Node) -> Node:
    """A term, without the type of a string.

    RDF 1.1 holds "a" and "a"^^xsd:string for one literal, as Oxigraph does; rdflib's own store
    tells them apart, so neither its data nor its queries have the longer form.
    """
    if isinstance(term, Literal) and term.datatype == _STRING:
        return Literal(str(term))
    return term


def _syntax(path: Path) -> str:
    syntax = SYNTAXES.get(path.suffix.lower())
    if syntax is None:
        known = ", ".join(SYNTAXES)
        raise SourceError(f"{path}: the suffix tells no RDF syntax; known: {known}")
    return syntax


def _select(
    graph: Graph, role: str, query: str, variables: Sequence[str]
) -> list[tuple[str | None, ...]]:
    """The rows of a query as text, sorted, each once; what is unbound or blank is None."""
    rows: set[tuple[str | None, ...]] = set()
    try:
        # Only rdflib's own engine takes a query that is parsed already.
        own = type(graph.store).__name__ != "OxigraphStore"
        result = graph.query(_with_plain_strings(query) if own else query)
        selected = {str(variable) for variable in result.vars or ()}
        for row in result:
            if not isinstance(row, ResultRow):
                continue
            values = [row[name] if name in selected else None for name in variables]
            rows.add(tuple(_text(value) for value in values))
            if len(rows) > _MOST_ROWS:
                raise SourceError(f"the query {role}: more than {_MOST_ROWS:,} results")
    except SourceError:
        raise
    except Exception as error:
        # Both engines raise errors of their own while they evaluate.
        raise SourceError(f"the query {role}: {error}") from None
    return sorted(rows, key=lambda row: [(text is not None, text or "") for text in row])


def _with_plain_strings(query: str) -> Query:
    prepared = prepareQuery(query)
    prepared.algebra = traverse(
        prepared.algebra, visitPost=lambda part: _plain(part) if isinstance(part, Node) else None
    )
    return prepared


def _text(value: Node | None) -> str | None:
    return None if value is None or isinstance(value, BNode) else str(value)
