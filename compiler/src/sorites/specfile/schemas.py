"""The JSON Schemas of the kinds of spec: where they are, and a validator that reads only them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import extend
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT7

__all__ = ["SHARED", "Schemas", "load_schemas", "packaged_specs"]

_SUFFIX = ".schema.json"
SHARED = "common" + _SUFFIX
"""The file of what the schemas of all kinds refer to."""

# Sections may be files of their own; a document that is validated has them read in already.
_INCLUDE = "include"


def _pattern(
    _validator: Validator, pattern: str, value: object, _schema: object
) -> Iterator[ValidationError]:
    r"""The keyword ``pattern`` as JSON Schema means it, which is ECMA 262.

    Python's ``$`` also matches before a final line end, and its ``\d`` the digits of any script.
    """
    if isinstance(value, str) and not re.search(_ecma(pattern), value, re.ASCII):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _ecma(pattern: str) -> str:
    return re.sub(r"(?<!\\)\$\Z", r"\\Z", pattern)


_VALIDATOR: type[Validator] = extend(  # type: ignore[no-untyped-call]
    Draft7Validator, {"pattern": _pattern}
)


@dataclass(frozen=True, slots=True)
class Schemas:
    """Schemas by file name; a kind is a file name without ``.schema.json``."""

    documents: Mapping[str, Mapping[str, Any]]

    def kinds(self) -> tuple[str, ...]:
        """The kinds of spec that have a schema, sorted."""
        return tuple(
            sorted(name.removesuffix(_SUFFIX) for name in self.documents if name != SHARED)
        )

    def starter(self, kind: str) -> str:
        """The file among the samples from which ``sorites init`` starts a spec of a kind."""
        return str(self.documents[kind + _SUFFIX]["starter"])

    def validator(self, kind: str) -> Validator:
        """The validator of a kind; a reference to anything but these schemas is an error."""
        registry: Registry[Any] = Registry().with_resources(
            (name, Resource.from_contents(document, default_specification=DRAFT7))
            for name, document in self.documents.items()
        )
        return _VALIDATOR(self.documents[kind + _SUFFIX], registry=registry)


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
