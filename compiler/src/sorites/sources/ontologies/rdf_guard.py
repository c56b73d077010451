"""What an RDF file must not hold, looked for before a parser of RDF sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.parsers import expat

from sorites.errors import SourceError
from sorites.sources.ontologies.recognition import is_owl_xml, named_format

__all__ = ["guard"]

_CHUNK = 1 << 16
_LONGEST = 1_000
_MOST_ENTITIES = 200
# Encodings that every XML processor reads, and reads alike.
_ENCODINGS = frozenset({"utf-8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "iso-8859-1"})


def guard(path: Path, syntax: str, *, most: int) -> None:
    """Raise SourceError for a file that is too large or could make a parser do harm.

    Refused are XML with a document type that could declare entities that expand without end or
    name other files, JSON-LD with a context that would be fetched, and ontologies in formats
    that are not RDF. A document type is harmless where it names nothing outside and declares
    entities alone: few, short, plain text without references.
    """
    try:
        if not path.is_file():
            raise SourceError(f"{path} is not a file")
        size = path.stat().st_size
        if size > most:
            raise SourceError(f"{path} has {size:,} bytes; at most {most:,} are read")
        with path.open("rb") as file:
            other = named_format(file.read(_CHUNK))
        if other is not None:
            raise SourceError(f"{path} is {other}")
        if syntax == "xml":
            _check_start_of_xml(path)
        elif syntax == "json-ld":
            _refuse_remote_contexts(path)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None


class _RootReached(Exception):
    """The root element has started: no document type can follow."""


def _check_start_of_xml(path: Path) -> None:
    # expat is what rdflib's own parser runs on: it finds what that would find, in any encoding.
    parser = expat.ParserCreate()
    entities = 0

    def refuse(*_: object) -> None:
        raise SourceError(
            f"{path}:{parser.CurrentLineNumber}: the XML has a document type (<!DOCTYPE), which "
            "can declare entities. Remove it, and write out the entities that it declares."
        )

    def begin(_name: str, system: str | None, public: str | None, _internal: int) -> None:
        if system is not None or public is not None:
            refuse()

    def entity(
        _name: str,
        parameter: int,
        value: str | None,
        _base: str | None,
        _system: str | None,
        _public: str | None,
        _notation: str | None,
    ) -> None:
        nonlocal entities
        entities += 1
        plain = value is not None and not set("&%<") & set(value)
        if parameter or not plain or len(value or "") > _LONGEST or entities > _MOST_ENTITIES:
            refuse()

    def declare(_version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise SourceError(f"{path}: the XML is in {encoding}; save it as UTF-8")

    def stop(name: str, attributes: dict[str, str]) -> None:
        owl = is_owl_xml(name, attributes)
        if owl is not None:
            raise SourceError(f"{path} is {owl}")
        raise _RootReached

    parser.XmlDeclHandler = declare
    parser.StartDoctypeDeclHandler = begin
    parser.EntityDeclHandler = entity
    parser.ElementDeclHandler = refuse
    parser.AttlistDeclHandler = refuse
    parser.NotationDeclHandler = refuse
    parser.StartElementHandler = stop
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                parser.Parse(piece, False)
            parser.Parse(b"", True)
    except _RootReached:
        return
    except expat.ExpatError as error:
        raise SourceError(
            f"{path}:{error.lineno}:{error.offset + 1}: not XML: {expat.ErrorString(error.code)}"
        ) from None


def _refuse_remote_contexts(path: Path) -> None:
    try:
        queue: list[Any] = [json.loads(path.read_bytes())]
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{path}: not JSON: {error}") from None
    while queue:
        value = queue.pop()
        if isinstance(value, list):
            queue += value
        elif isinstance(value, dict):
            contexts = value.get("@context", [])
            for context in contexts if isinstance(contexts, list) else [contexts]:
                if isinstance(context, str) or (isinstance(context, dict) and "@import" in context):
                    raise SourceError(
                        f"{path}: a @context that would be fetched. Write the context out in the "
                        "file."
                    )
            queue += value.values()
