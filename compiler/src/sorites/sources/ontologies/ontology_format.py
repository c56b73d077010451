"""What the compiler has to know of a format of ontologies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from sorites.canonical import Json
from sorites.sources.ontologies.ontology import Ontology

__all__ = ["OntologyFormat", "Section"]

Section: TypeAlias = Mapping[str, Json]
"""The section ``ontology`` of a spec, which fits its JSON Schema."""


@dataclass(frozen=True, slots=True)
class OntologyFormat:
    """A format by the name that the field ``format`` gives it.

    ``source_fields`` are the fields of the section that hold the id of a source or a list of
    them, ``query_fields`` those that hold a SPARQL query. ``read`` takes the section and the
    verified files by source id, and raises SourceError for what it cannot understand.
    """

    name: str
    source_fields: tuple[str, ...]
    read: Callable[[Section, Mapping[str, Path]], Ontology]
    query_fields: tuple[str, ...] = ()

    def sources(self, section: Section) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """The ids of sources in the section, each with its path from there."""
        for field in self.source_fields:
            value = section[field]
            if isinstance(value, Sequence) and not isinstance(value, str):
                for position, name in enumerate(value):
                    yield (field, position), str(name)
            else:
                yield (field,), str(value)
