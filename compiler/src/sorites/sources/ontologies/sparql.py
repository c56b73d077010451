"""The SPARQL queries of a spec: what they may do, decided on their algebra, not on their text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pyparsing import ParseBaseException
from rdflib.plugins.sparql.algebra import translateQuery
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue

from sorites.errors import SourceError
from sorites.sources.ontologies.determinism import varying_part
from sorites.sources.ontologies.query_products import SUPPOSED, product_fault, suppose_large
from sorites.sources.ontologies.query_texts import endless_text

__all__ = ["ROLES", "SUBCLASSES", "QueryError", "algebra_of", "check_query", "query_fault"]


class QueryError(SourceError):
    """A query that is refused; ``role`` says which of the section it is."""

    def __init__(self, role: str, fault: str) -> None:
        super().__init__(f"the query {role}: {fault}")
        self.role, self.fault = role, fault


ROLES: Mapping[str, tuple[str, ...]] = {
    "classes": ("class", "name"),
    "hierarchy": ("child", "parent"),
    "members": ("class", "member"),
}
"""The queries that make an ontology, and the variables that each must select."""

SUBCLASSES = "subclasses"
"""What stands instead of a query for members: the classes with nothing below them."""

_LONGEST = 20_000


def check_query(role: str, text: str) -> None:
    """Raise QueryError where a text is not a query for its role."""
    fault = query_fault(role, text)
    if fault is not None:
        raise QueryError(role, fault)


@dataclass(frozen=True, slots=True)
class _Query:
    algebra: CompValue
    fault: str | None
    """What of it is refused by its syntax alone."""


@lru_cache(maxsize=64)
def _parse(text: str) -> _Query:
    tree = parseQuery(text)
    # The translation changes the tree, so it comes last.
    fault = varying_part(tree) or endless_text(tree)
    return _Query(translateQuery(tree).algebra, fault)


def algebra_of(text: str) -> CompValue:
    """The algebra of a query, to look at; engines change theirs, and must not be given it.

    Raises whatever rdflib raises for a text that is no query.
    """
    return _parse(text).algebra


def query_fault(role: str, text: str) -> str | None:
    """What is wrong with the query of a role, and where; None if nothing is.

    >>> query_fault("hierarchy", "SELECT ?child WHERE { ?child a ?parent }")
    'it must select ?child and ?parent; it does not select ?parent'
    """
    if len(text) > _LONGEST:
        return f"it is longer than {_LONGEST:,} characters"
    try:
        query = _parse(text)
    except ParseBaseException as error:
        return f"line {error.lineno}, column {error.column}: not SPARQL: {error.msg}"
    except RecursionError:
        return "it is nested too deeply"
    except Exception as error:
        # rdflib raises bare exceptions, such as for a prefix that is not declared.
        return f"not SPARQL: {error}"
    algebra = query.algebra
    if algebra.name != "SelectQuery":
        return "it must be a SELECT query"
    if algebra.datasetClause:
        return "FROM is not allowed: the sources are the data"
    if _has_service(algebra):
        return "SERVICE is not allowed: the sources are the data"
    try:
        fault = query.fault or product_fault(
            algebra, suppose_large, f" in data of {SUPPOSED:,} triples"
        )
    except RecursionError:
        return "it is nested too deeply"
    if fault is not None:
        return fault
    wanted = ROLES[role]
    missing = [name for name in wanted if name not in {str(name) for name in algebra.PV}]
    if missing:
        return f"it must select {_and(wanted)}; it does not select {_and(missing)}"
    return None


def _and(names: Sequence[str]) -> str:
    return " and ".join(f"?{name}" for name in names)


def _has_service(algebra: CompValue) -> bool:
    queue: list[Any] = [algebra]
    seen: set[int] = set()
    while queue:
        part = queue.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, CompValue):
            if part.name == "ServiceGraphPattern":
                return True
            queue += part.values()
        elif isinstance(part, Mapping):
            queue += part.values()
        elif isinstance(part, Iterable) and not isinstance(part, str | bytes):
            queue += part
    return False
