"""Whether a SPARQL query is a function of its data, decided on its syntax tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Variable

__all__ = ["field", "parts", "varying_part"]

_VARYING = {
    **{f"Builtin_{name}": name for name in ("RAND", "NOW", "UUID", "STRUUID", "BNODE")},
    "Aggregate_Sample": "SAMPLE",
    "Aggregate_GroupConcat": "GROUP_CONCAT",
}
_SELECTS = frozenset({"SelectQuery", "SubSelect"})


def varying_part(tree: Any) -> str | None:
    """What of a query gives other results each time or in each store, and why; None if nothing.

    ``tree`` is its syntax tree. A LIMIT or OFFSET is sound where ORDER BY names every variable
    that is selected: rows that are equal under it are equal. (SPARQL 1.1, sections 15, 17.4 and
    18.5.)
    """
    for part in parts(tree):
        name = _VARYING.get(part.name)
        if name is not None:
            return f"{name} is not allowed: its result is not a function of the data"
        if part.name in _SELECTS and "limitoffset" in part and not _ordered(part):
            return (
                "LIMIT and OFFSET are allowed only where ORDER BY names every variable that is "
                "selected: else which rows they take is not a function of the data"
            )
    return None


def parts(tree: Any) -> Iterator[CompValue]:
    """Every part of a syntax tree, whatever holds it."""
    queue: list[Any] = [tree]
    while queue:
        part = queue.pop()
        if isinstance(part, CompValue):
            yield part
            queue += part.values()
        # ParseResults call themselves mappings, but their parts are in their order alone.
        elif isinstance(part, Iterable) and not isinstance(part, str | bytes):
            queue.extend(iter(part))


def _ordered(select: CompValue) -> bool:
    selected = [
        field(entry, "evar") or field(entry, "var") for entry in field(select, "projection") or ()
    ]
    conditions = field(field(select, "orderby"), "condition") or ()
    return bool(selected) and set(selected) <= {_variable(each) for each in conditions}


def _variable(part: Any) -> Variable | None:
    """The variable that an expression is, if it is nothing else."""
    while isinstance(part, CompValue) and set(part) <= {"expr", "order"}:
        part = field(part, "expr")
    return part if isinstance(part, Variable) else None


def field(part: Any, name: str) -> Any:
    """A field of a part of a syntax tree; None where it has none."""
    # CompValue.get is not that of a mapping: it gives the name where there is no value.
    return part[name] if isinstance(part, CompValue) and name in part else None
