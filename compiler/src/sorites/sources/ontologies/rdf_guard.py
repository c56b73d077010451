"""What an RDF file must not hold, looked for before a parser of RDF sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.parsers import expat

from sorites.errors import SourceError

__all__ = ["guard"]

_CHUNK = 1 << 16
# Encodings that every XML processor reads, and reads alike.
_ENCODINGS = frozenset({"utf-8", "utf-16", "utf-16le", "utf-16be", "us-ascii", "iso-8859-1"})


def guard(path: Path, syntax: str, *, most: int) -> None:
    """Raise SourceError for a file that is too large or could make a parser do harm.

    Refused are XML with a document type, which could declare entities that expand without
    end or name other files, and JSON-LD with a context that would be fetched.
    """
    try:
        if not path.is_file():
            raise SourceError(f"{path} is not a file")
        size = path.stat().st_size
        if size > most:
            raise SourceError(f"{path} has {size:,} bytes; at most {most:,} are read")
        if syntax == "xml":
            _refuse_document_type(path)
        elif syntax == "json-ld":
            _refuse_remote_contexts(path)
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None


class _RootReached(Exception):
    """The root element has started: no document type can follow."""


def _refuse_document_type(path: Path) -> None:
    # expat is what rdflib's own parser runs on: it finds what that would find, in any encoding.
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise SourceError(
            f"{path}:{parser.CurrentLineNumber}: the XML has a document type (<!DOCTYPE), which "
            "can declare entities. Remove it, and write out the entities that it declares."
        )

    def declare(_version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in _ENCODINGS:
            raise SourceError(f"{path}: the XML is in {encoding}; save it as UTF-8")

    def stop(*_: object) -> None:
        raise _RootReached

    parser.XmlDeclHandler = declare
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
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
