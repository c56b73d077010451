"""What a file is, told by how it starts, whatever its name and its spec say of it."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from sorites.errors import SourceError

__all__ = ["file_format"]

_START = 1 << 16
_SQLITE, _PARQUET = b"SQLite format 3\x00", b"PAR1"
_OWL = "http://www.w3.org/2002/07/owl#"

# Each is tried at the start of the text, in this order.
_TEXTS = (
    (re.compile(r"format-version:|(?:![^\n]*\n)*format-version:|\[Term\]"), "OBO"),
    (re.compile(r"!gaf-version:"), "GAF"),
    (re.compile(r'\{\s*"(?:graphs|meta)"\s*:'), "obographs JSON"),
    (re.compile(r'[{\[][^\n]*"@(?:context|id|graph)"'), "JSON-LD"),
    (re.compile(r"\{[^\n]*\}[ \t\r]*(?:\n|\Z)"), "JSON Lines"),
    (re.compile(r"[{\[]"), "JSON"),
    (re.compile(r"(?:#[^\n]*\n\s*)*(?:Prefix|Ontology)\s*\("), "OWL in functional syntax"),
    (re.compile(r"(?:#[^\n]*\n\s*)*(?:@prefix|@base|PREFIX|BASE)\b"), "Turtle"),
    (re.compile(r"<[^>\s]+>\s+<[^>\s]+>\s"), "N-Triples"),
)
_LMF = re.compile(r"WN-LMF[-_/]?(\d\.\d)|globalwordnet[^\"'>]*?(\d\.\d)")
_ROOT = re.compile(r"<(?![?!])(?:([\w.-]{1,100}):)?([\w.-]{1,100})((?:[^<>]){0,20000}?)/?>")


def file_format(path: Path) -> str:
    """The format of a file in words, such as ``OBO`` or ``tab-separated table``.

    Raises SourceError for a file that cannot be read.
    """
    try:
        with path.open("rb") as file:
            start = file.read(_START)
    except OSError as error:
        raise SourceError(f"{path.name}: cannot be read: {error.strerror}") from error
    if start.startswith(_SQLITE):
        return "SQLite database"
    if start.startswith(_PARQUET):
        return "Parquet"
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    try:
        text = decoder.decode(start).lstrip()
    except UnicodeDecodeError:
        return "no text"
    if not text:
        return "empty"
    if text.startswith("<") and (found := _xml(text)):
        return found
    return next((name for pattern, name in _TEXTS if pattern.match(text)), _table(text))


def _xml(text: str) -> str | None:
    if not text.startswith(("<?", "<!", "<rdf:RDF", "<Ontology", "<LexicalResource")):
        root = _ROOT.match(text)
        if root is None or "xmlns" not in root[3]:
            return None
    root = _ROOT.search(text)
    if root is None:
        return "XML"
    prefix, local, attributes = root.groups()
    if local == "LexicalResource":
        version = _LMF.search(text)
        return f"WN-LMF {version[1] or version[2]}" if version else "WN-LMF"
    if local == "RDF":
        return "RDF/XML with a DOCTYPE" if "<!DOCTYPE" in text[: root.start()] else "RDF/XML"
    if local == "Ontology" and _OWL in attributes:
        return "OWL/XML"
    return f"XML ({prefix}:{local})" if prefix else f"XML ({local})"


def _table(text: str) -> str:
    """A table by what parts the cells of its first lines."""
    lines = [line for line in text.splitlines()[:20] if line.strip()]
    if len(lines) > 1 and "\n" in text:
        lines = lines[:-1]  # The last one may have been cut.
    for sign, name in (("\t", "tab"), (";", "semicolon"), (",", "comma")):
        if all(sign in line for line in lines):
            widths = {line.count(sign) for line in lines}
            if sign == "\t" and len(widths) > 1 and all(line.count(sign) > 1 for line in lines):
                return "gene sets or another ragged tab-separated table"
            return f"{name}-separated table"
    return "text"
