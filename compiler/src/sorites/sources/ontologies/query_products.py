"""Patterns of a SPARQL query that nothing joins: every row of one stands with each of another.

No engine can do better than to try all combinations, so a query is refused that has too many,
whatever engine it would be given to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from rdflib import Graph
from rdflib.paths import Path as PropertyPath
from rdflib.plugins.sparql.algebra import translateGroupGraphPattern
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import BNode, Node, Variable

__all__ = ["MOST_COMBINATIONS", "SUPPOSED", "count_in", "product_fault", "suppose_large"]

MOST_COMBINATIONS = 20_000_000
"""A query that has to try more combinations of rows is refused."""

SUPPOSED = 10_000
"""How many triples data are supposed to have before there are any."""

Triple: TypeAlias = tuple[Any, Any, Any]
Count: TypeAlias = Callable[[Triple], int]
"""At least how many rows a pattern of a query has."""


@dataclass(frozen=True, slots=True)
class _Joined:
    """Patterns that variables join: the variables, the rows, and how to show them."""

    variables: frozenset[Node]
    counts: tuple[Callable[[], int], ...]
    text: str

    def rows(self) -> int:
        """At least how many rows there are, unless there are none."""
        return min(count() for count in self.counts)


class _TooManyError(Exception):
    """Which patterns nothing joins, and how many combinations of rows they have."""

    def __init__(self, rows: int, patterns: str) -> None:
        super().__init__(rows, patterns)
        self.rows, self.patterns = rows, patterns

    def text(self, of: str) -> str:
        """The message, for the data that it is about."""
        return (
            f"no variable joins these patterns, which makes {self.rows:,} combinations or more"
            f"{of}; at most {MOST_COMBINATIONS:,} are tried: {self.patterns}"
        )


def suppose_large(triple: Triple) -> int:
    """The rows of a pattern before there are data: many if nothing of it is given."""
    return SUPPOSED if not any(_given(each) for each in triple) else 1


def count_in(graph: Graph) -> Count:
    """The rows that a pattern has in a graph; a property path counts as a single step."""
    counts: dict[Triple, int] = {}

    def count(triple: Triple) -> int:
        subject, predicate, value = (each if _given(each) else None for each in triple)
        key = subject, predicate, value
        if key not in counts:
            if predicate is None and isinstance(triple[1], PropertyPath):
                counts[key] = len(graph) if subject is None and value is None else 1
            else:
                counts[key] = sum(1 for _ in graph.triples(key))
        return counts[key]

    return count


def product_fault(algebra: CompValue, count: Count, of: str = "") -> str | None:
    """Which patterns of a query nothing joins, if there are too many combinations of them.

    ``of`` says of which data there are so many.
    """
    try:
        _joined(algebra, count, frozenset())
    except _TooManyError as error:
        return error.text(of)
    return None


def _given(term: Any) -> bool:
    return not isinstance(term, Variable | BNode | PropertyPath)


def _joined(node: CompValue, count: Count, outer: frozenset[Node]) -> list[_Joined]:
    """The groups into which variables join the patterns below a node of the algebra.

    ``outer`` are the variables that have a value already, of what a pattern of EXISTS stands in.
    """
    match node.name:
        case "BGP":
            return _checked(_merged([], (_pattern(each, count) for each in node.triples)), outer)
        case "Join" | "LeftJoin":
            left = _joined(node.p1, count, outer)
            # Here the engines look up what the left side found.
            bound = _variables(left) if node.name == "LeftJoin" or node.lazy else frozenset[Node]()
            right = _joined(node.p2, count, outer | bound)
            if node.name == "LeftJoin":
                _conditions(node.expr, count, _variables(left + right) | outer)
            return _checked(_merged(left, right), outer)
        case "Union":
            sides = [_joined(node.p1, count, outer), _joined(node.p2, count, outer)]
            return [_one(sides)] if any(sides) else []
        case "Minus":
            left = _joined(node.p1, count, outer)
            _joined(node.p2, count, outer)
            return left
        case "Extend":
            found = _joined(node.p, count, outer)
            _conditions(node.expr, count, _variables(found) | outer)
            used = set(_named(node.expr))
            return [
                _Joined(each.variables | {node.var}, each.counts, each.text)
                if used & each.variables
                else each
                for each in found
            ]
        case "Filter":
            found = _joined(node.p, count, outer)
            _conditions(node.expr, count, _variables(found) | outer)
            return found
        case "ToMultiSet" if node.p.name == "values":
            rows = list(node.p.res)
            names = frozenset(name for row in rows for name in row)
            return [_Joined(names, (lambda: len(rows),), "VALUES")]
        case "ToMultiSet" | "SelectQuery":
            return _selected(node.p, count)
        case _ if isinstance(getattr(node, "p", None), CompValue):
            return _joined(node.p, count, outer)
        case _:
            return []


def _selected(node: CompValue, count: Count) -> list[_Joined]:
    """A SELECT as one group: with the variables that it selects alone."""
    limit: int | None = None
    single = False
    project, body = node, node
    while body.name not in ("BGP", "Join", "LeftJoin", "Union", "Minus", "Filter", "values"):
        if body.name == "Slice" and isinstance(body.length, int):
            limit = int(body.length)
        if body.name == "Project":
            project = body
        if body.name == "Group" and not body.expr:
            single = True
        if not isinstance(getattr(body, "p", None), CompValue):
            break
        if body.name == "Extend" and body.p.name in ("BGP", "Join", "Filter", "LeftJoin", "Extend"):
            _conditions(body.expr, count, frozenset())
        body = body.p
    inner = _one([_joined(body, count, frozenset())])

    def rows() -> int:
        found = 1 if single else inner.rows()
        return found if limit is None else min(found, limit)

    selected = frozenset(project.PV) if project.name == "Project" else inner.variables
    return [_Joined(selected, (rows,), f"SELECT {inner.text}")]


def _conditions(expression: Any, count: Count, outer: frozenset[Node]) -> None:
    """Look through the patterns of EXISTS in an expression."""
    queue: list[Any] = [expression]
    while queue:
        part = queue.pop()
        if isinstance(part, CompValue):
            if part.name in ("Builtin_EXISTS", "Builtin_NOTEXISTS"):
                if part.graph.name == "GroupGraphPatternSub":
                    part.graph = translateGroupGraphPattern(part.graph)
                _joined(part.graph, count, outer)
            else:
                queue += [value for key, value in part.items() if key != "_vars"]
        elif isinstance(part, list):
            queue += part


def _named(expression: Any) -> Iterator[Node]:
    queue: list[Any] = [expression]
    while queue:
        part = queue.pop()
        if isinstance(part, Variable):
            yield part
        elif isinstance(part, CompValue):
            queue += [value for key, value in part.items() if key != "_vars"]
        elif isinstance(part, list):
            queue += part


def _pattern(triple: Triple, count: Count) -> _Joined:
    variables = frozenset(each for each in triple if isinstance(each, Variable | BNode))
    text = " ".join(each.n3() if hasattr(each, "n3") else str(each) for each in triple)
    return _Joined(variables, (lambda: count(triple),), text)


def _merged(groups: Iterable[_Joined], more: Iterable[_Joined]) -> list[_Joined]:
    """Groups with the patterns of others, those that share a variable made one."""
    found = list(groups)
    for each in more:
        if not each.variables:
            continue
        same = [group for group in found if group.variables & each.variables]
        found = [group for group in found if group not in same]
        found.append(_together([*same, each]) if same else each)
    return found


def _together(groups: list[_Joined]) -> _Joined:
    return _Joined(
        _variables(groups),
        tuple(count for group in groups for count in group.counts),
        groups[0].text,
    )


def _checked(groups: list[_Joined], outer: frozenset[Node]) -> list[_Joined]:
    """The groups, if all combinations of their rows can be tried.

    A group has the rows of its smallest pattern at least, or is empty. What is joined to a row
    outside, by a variable that has a value there, is looked up and makes no combinations.
    """
    free = [group for group in groups if not group.variables & outer]
    if len(free) > 1 and (rows := _product(free)) > MOST_COMBINATIONS:
        raise _TooManyError(rows, "; ".join(group.text for group in free))
    return groups


def _product(groups: Iterable[_Joined]) -> int:
    product = 1
    for group in groups:
        product *= group.rows()
    return product


def _one(sides: list[list[_Joined]]) -> _Joined:
    """The rows of all sides together, each with every combination of its groups."""

    def rows() -> int:
        return sum(_product(side) for side in sides)

    groups = [group for side in sides for group in side]
    return _Joined(_variables(groups), (rows,), "; ".join(group.text for group in groups))


def _variables(groups: Iterable[_Joined]) -> frozenset[Node]:
    return frozenset[Node]().union(*(group.variables for group in groups))
