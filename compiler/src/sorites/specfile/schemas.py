"""The JSON Schemas of the kinds of spec: where they are, and a validator that reads only them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

__all__ = ["SHARED", "Schemas", "load_schemas", "packaged_specs"]

_SUFFIX = ".schema.json"
SHARED = "common" + _SUFFIX
"""The file of what the schemas of all kinds refer to."""

# Sections may be files of their own; a document that is validated has them read in already.
_INCLUDE = "include"


@dataclass(frozen=True, slots=True)
class Schemas:
    """Schemas by file name; a kind is a file name without ``.schema.json``."""

    documents: Mapping[str, Mapping[str, Any]]

    def kinds(self) -> tuple[str, ...]:
        """The kinds of spec that have a schema, sorted."""
        return tuple(
            sorted(name.removesuffix(_SUFFIX) for name in self.documents if name != SHARED)
        )

    def validator(self, kind: str) -> Draft7Validator:
        """The validator of a kind; a reference to anything but these schemas is an error."""
        registry: Registry[Any] = Registry().with_resources(
            (name, Resource.from_contents(document, default_specification=DRAFT7))
            for name, document in self.documents.items()
        )
        return Draft7Validator(self.documents[kind + _SUFFIX], registry=registry)


@cache
def load_schemas(folder: Path | None = None) -> Schemas:
    """Read the schemas of ``folder``, or those that come with the compiler.

    In a wheel they are package data; in a checkout they lie in ``specs/schemas``.
    """
    place = folder or packaged_specs() / "schemas"
    documents = {}
    for file in sorted(place.iterdir(), key=lambda file: file.name):
        if file.name.endswith(_SUFFIX):
            document = json.loads(file.read_text(encoding="utf-8"))
            if file.name == SHARED:
                document["definitions"][_INCLUDE] = False
            documents[file.name] = document
    return Schemas(documents)


def packaged_specs() -> Path:
    """The folder of the specs, schemas and samples that come with the compiler.

    In a wheel they are package data; in a checkout they lie in ``specs``.
    """
    here = Path(__file__).resolve()
    packaged = here.parents[1] / "specs"
    return packaged if packaged.is_dir() else here.parents[4] / "specs"
