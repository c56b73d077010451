"""RDF files as one graph, and the rows of queries over it, alike in both stores."""

from __future__ import annotations

import codecs
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Literal as Choice
from typing import TypeAlias

from rdflib import OWL, BNode, Dataset, Graph, Literal, URIRef
from rdflib.plugins.sparql import prepareQuery
from rdflib.plugins.sparql.algebra import traverse
from rdflib.plugins.sparql.sparql import Query
from rdflib.query import ResultRow
from rdflib.term import Node

from sorites.errors import SourceError
from sorites.sources.ontologies.query_products import count_in, product_fault
from sorites.sources.ontologies.rdf_guard import guard
from sorites.sources.ontologies.sparql import QueryError, algebra_of

__all__ = ["SYNTAXES", "Row", "Store", "deprecated", "parse", "select"]

Store: TypeAlias = Choice["auto", "memory", "oxigraph"]

Row: TypeAlias = tuple[str | None, ...]
"""Values of variables as text; what is unbound or blank is None."""

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
_STRING = URIRef("http://www.w3.org/2001/XMLSchema#string")
_MOST_BYTES = 512 * 1024 * 1024
_MOST_ROWS = 5_000_000
_MOST_TRIED = 20_000_000


def deprecated(graph: Graph) -> list[str]:
    """What a graph marks as deprecated (OWL 2, section 5.5): true as a boolean or text; sorted."""
    return sorted(
        {
            str(subject)
            for subject, value in graph.subject_objects(OWL.deprecated)
            if str(value).lower() in ("true", "1")
        }
    )


def parse(paths: Sequence[Path], syntax: str | None, store: Store) -> Graph:
    """Read files; ``syntax`` is one of the values of SYNTAXES, else the suffix of each decides.

    Raises SourceError for a file that is refused or cannot be parsed.
    """
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
                return parse(paths, syntax, "memory")
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


def select(graph: Graph, role: str, query: str, variables: Sequence[str]) -> list[Row]:
    """The rows of a query, sorted, each once; the last value is the language of ?name, or "".

    Raises QueryError for a query that has too many rows or combinations, or cannot be evaluated.
    """
    rows: set[Row] = set()
    tried = 0
    try:
        # Only rdflib's own engine takes a query that is parsed already.
        own = type(graph.store).__name__ != "OxigraphStore"
        fault = product_fault(algebra_of(query), count_in(graph))
        if fault is not None:
            raise QueryError(role, fault)
        result = graph.query(_with_plain_strings(query) if own else query)
        # By number: a row looks its own names up by way of an exception.
        place = {str(variable): at for at, variable in enumerate(result.vars or ())}
        places = [place.get(name) for name in variables]
        named = place.get("name")
        for row in result:
            if not isinstance(row, ResultRow):
                continue
            tried += 1
            terms = [None if at is None else row[at] for at in places]
            name = None if named is None else row[named]
            language = name.language if isinstance(name, Literal) else None
            rows.add((*map(_text, terms), language or ""))
            if len(rows) > _MOST_ROWS or tried > _MOST_TRIED:
                raise QueryError(
                    role, f"more than {_MOST_ROWS:,} results, or {_MOST_TRIED:,} with repetitions"
                )
    except SourceError:
        raise
    except MemoryError:
        raise
    except Exception as error:
        # Both engines raise errors of their own while they evaluate.
        raise QueryError(role, str(error)) from None
    return sorted(rows, key=lambda row: [(text is not None, text or "") for text in row])


def _with_plain_strings(query: str) -> Query:
    prepared = prepareQuery(query)
    prepared.algebra = traverse(
        prepared.algebra, visitPost=lambda part: _plain(part) if isinstance(part, Node) else None
    )
    return prepared


def _text(value: Node | None) -> str | None:
    return None if value is None or isinstance(value, BNode) else str(value)
