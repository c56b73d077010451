"""What the compiler has to know of a format of ontologies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from sorites.canonical import Json
from sorites.sources.ontologies.ontology import Ontology

__all__ = ["OntologyFormat", "Place", "Section"]

Section: TypeAlias = Mapping[str, Json]
"""The section ``ontology`` of a spec, which fits its JSON Schema."""


Place: TypeAlias = tuple[str | int, ...]
"""Where something stands in the section: fields and positions."""


def _no_faults(_section: Section) -> Iterator[tuple[Place, str]]:
    return iter(())


@dataclass(frozen=True, slots=True)
class OntologyFormat:
    """A format by the name that the field ``format`` gives it.

    ``source_fields`` are the fields of the section that hold the id of a source or a list of
    them; a dot leads into a field, and into every entry of a list. ``query_fields`` are those
    that hold a SPARQL query. ``read`` takes the section and the verified files by source id, and
    raises SourceError for what it cannot understand. ``faults`` gives what is wrong with a
    section that fits the JSON Schema, each with its place.
    """

    name: str
    source_fields: tuple[str, ...]
    read: Callable[[Section, Mapping[str, Path]], Ontology]
    query_fields: tuple[str, ...] = ()
    faults: Callable[[Section], Iterable[tuple[Place, str]]] = _no_faults

    def sources(self, section: Section) -> Iterator[tuple[Place, str]]:
        """The ids of sources in the section, each with its path from there."""
        for field in self.source_fields:
            yield from _found(section, field.split("."), ())


def _found(value: Json, fields: Sequence[str], place: Place) -> Iterator[tuple[Place, str]]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        for position, entry in enumerate(value):
            yield from _found(entry, fields, (*place, position))
    elif isinstance(value, Mapping):
        if fields and fields[0] in value:
            yield from _found(value[fields[0]], fields[1:], (*place, fields[0]))
    else:
        yield place, str(value)
