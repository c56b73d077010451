"""What a source says of its own version, in formats that have a place for it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path

from sorites.characters import tidy
from sorites.errors import SourceWarning
from sorites.printable import printable
from sorites.specfile.model import SourcePin

__all__ = ["agree", "own_version", "version_fault", "warn_of_versions"]

_START = 1 << 18
"""Bytes at the start of a file; a version stands in its head."""

_LONGEST = 300

# Every repetition has a bound or another start than what follows it: the time is linear.
_PLACES = (
    # OBO, in its header alone.
    re.compile(r"\A(?:[a-z_-]+:[^\n]*\n|![^\n]*\n|[ \t]*\n)*?data-version:[ \t]*(\S[^\n]{0,300})"),
    # OWL, in RDF/XML and in Turtle: the IRI of the version, else what it is called.
    re.compile(r"<owl:versionIRI\s{1,9}rdf:resource\s{0,9}=\s{0,9}[\"']([^\"'<>]{1,500})"),
    re.compile(r"\bowl:versionIRI\s{1,99}<([^>\s]{1,500})>"),
    re.compile(r"<owl:versionInfo\b[^<>]{0,200}>([^<]{1,500})<"),
    re.compile(r"\bowl:versionInfo\s{1,99}\"([^\"\n]{1,500})\""),
    # obographs JSON.
    re.compile(r"\A\s*\{\s*\"graphs\"\s*:.{0,500}?\"version\"\s*:\s*\"([^\"]{1,500})\"", re.DOTALL),
    # WN-LMF.
    re.compile(r"<Lexicon\s[^<>]{0,2000}?\bversion\s{0,9}=\s{0,9}[\"']([^\"'<>]{1,500})"),
)
_NUMBER = re.compile(r"\d+")


def own_version(path: Path) -> str | None:
    """The version that a file gives itself, as it writes it; None where it gives none.

    Known are the data-version of OBO, versionIRI and versionInfo of OWL, the version of obographs
    JSON and of the first lexicon of WN-LMF. A version without a number tells nothing.
    """
    try:
        with path.open("rb") as file:
            text = file.read(_START).decode("utf-8-sig", errors="replace").replace("\r", "")
    except OSError:
        return None
    for place in _PLACES:
        found = place.search(text)
        if found is not None and _NUMBER.search(found[1]):
            return tidy(found[1])[:_LONGEST]
    return None


def agree(spec: str, own: str) -> bool:
    """Whether two versions may be one: each number of the shorter stands in the longer, in order.

    >>> agree("2026-07-31", "http://purl.obolibrary.org/obo/doid/releases/2026-07-31/doid.owl")
    True
    >>> agree("1.4", "releases/2.0")
    False
    """
    few, many = sorted((_NUMBER.findall(spec), _NUMBER.findall(own)), key=len)
    rest = iter([number.lstrip("0") for number in many])
    return all(number.lstrip("0") in rest for number in few)


def version_fault(pin: SourcePin, path: Path) -> str | None:
    """In what a file's own version differs from that of its pin; None where nothing does."""
    own = own_version(path)
    if own is None or agree(pin.version, own):
        return None
    return (
        f"source {pin.id}: the spec says version {pin.version!r}, and the file says "
        f"{printable(own)!r}. Write the version that it is, or name the address of the other"
    )


def warn_of_versions(pins: Mapping[str, SourcePin], files: Mapping[str, Path]) -> None:
    """Warn, with SourceWarning, of each source whose own version is not that of its pin."""
    for name, pin in pins.items():
        fault = version_fault(pin, files[name])
        if fault is not None:
            warnings.warn(fault, SourceWarning, stacklevel=2)
