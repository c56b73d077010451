"""Ontology files that are not RDF, known by how they start."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping

__all__ = ["OWL", "is_owl_xml", "named_format"]

OWL = "http://www.w3.org/2002/07/owl#"

_CONVERT = "Convert it to RDF, for instance with ROBOT: robot convert -i FILE -o FILE.ttl"
_FUNCTIONAL = re.compile(r"\s*(#[^\n]*\n\s*)*(Prefix|Ontology)\s*\(")
_OBO = re.compile(r"\s*(![^\n]*\n\s*)*format-version:")
_OBOGRAPHS = re.compile(r'\s*\{\s*"(graphs|meta)"\s*:')


def named_format(start: bytes) -> str | None:
    """What a file is, by its first bytes, and what to do; None where it may be RDF."""
    text = start.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors="replace")
    if _FUNCTIONAL.match(text):
        return f"OWL in functional syntax, not RDF. {_CONVERT}"
    if _OBO.match(text):
        return "OBO, not RDF. Read it with ontology.format: obo"
    if _OBOGRAPHS.match(text):
        return "obographs JSON, not RDF. Read it with ontology.format: obographs"
    return None


def is_owl_xml(root: str, attributes: Mapping[str, str]) -> str | None:
    """What to do with XML that is OWL/XML by its root element; None for any other."""
    prefix, _, local = root.rpartition(":")
    namespace = attributes.get(f"xmlns:{prefix}" if prefix else "xmlns")
    described = any(name.endswith((":about", ":ID", ":nodeID")) for name in attributes)
    if local == "Ontology" and namespace == OWL and not described:
        return f"OWL/XML, not RDF/XML. {_CONVERT}"
    return None
