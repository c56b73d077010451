"""A manifest read back from a release that anyone may have written, checked before it is used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft7Validator

from sorites.canonical import Json
from sorites.errors import InvalidRelease
from sorites.release.files.parquet import DataFile
from sorites_eval.contract.identity import (
    InvalidIdentity,
    Version,
    parse_name,
    parse_version,
)

__all__ = ["RecordedColumn", "RecordedSplit", "Release", "read_manifest", "read_release_json"]

_LARGEST = 64 * 1024 * 1024

_HASH: Final = {"type": "string", "pattern": r"^[0-9a-f]{64}\Z"}
_COUNT: Final = {"type": "integer", "minimum": 0}
_TEXT: Final = {"type": "string"}


def _object(**properties: object) -> dict[str, object]:
    return {"type": "object", "required": [*properties], "properties": properties}


# Names and paths are held to what this program writes: none can lead outside the release.
_SCHEMA: Final = _object(
    manifest={"const": 1},
    name=_TEXT,
    version=_TEXT,
    title=_TEXT,
    kind=_TEXT,
    license=_TEXT,
    created_by={"type": "object", "additionalProperties": _TEXT},
    spec=_object(sha256=_HASH, document={"type": "object"}),
    sources={
        "type": "object",
        "additionalProperties": _object(version=_TEXT, license=_TEXT, sha256=_HASH),
    },
    content_sha256=_HASH,
    splits={
        "type": "array",
        "minItems": 1,
        "items": _object(
            config={"type": "string", "pattern": r"^[A-Za-z0-9]+([._-][A-Za-z0-9]+)*\Z"},
            split={"type": "string", "pattern": r"^[A-Za-z0-9][A-Za-z0-9_]*\Z"},
            description=_TEXT,
            rows=_COUNT,
            content_sha256=_HASH,
            columns={
                "type": "array",
                "items": _object(name=_TEXT, type=_TEXT, description=_TEXT),
            },
            files={
                "type": "array",
                "minItems": 1,
                "items": _object(
                    path={
                        "type": "string",
                        "pattern": r"^data/[A-Za-z0-9]+([._-][A-Za-z0-9]+)*/"
                        r"[A-Za-z0-9][A-Za-z0-9_]*-[0-9]{5}-of-[0-9]{5}\.parquet\Z",
                    },
                    rows=_COUNT,
                    bytes=_COUNT,
                    sha256=_HASH,
                ),
            },
        ),
    },
    files={
        "type": "object",
        "propertyNames": {"pattern": r"^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*\Z"},
        "additionalProperties": _HASH,
    },
)
# Releases of before there were certificates have no such section.
_TOLD: Final = _object(version=_TEXT, readings={"type": "object"})
_VALIDATOR = Draft7Validator({"allOf": [_SCHEMA, {"properties": {"certificates": _TOLD}}]})


@dataclass(frozen=True, slots=True)
class RecordedColumn:
    """A column as the manifest names it; ``type`` is in words (see ``features.type_name``)."""

    name: str
    type: str
    description: str


@dataclass(frozen=True, slots=True)
class RecordedSplit:
    """A split as the manifest records it."""

    config: str
    split: str
    description: str
    rows: int
    content_sha256: str
    columns: tuple[RecordedColumn, ...]
    files: tuple[DataFile, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """A release as its manifest records it; ``document`` is the resolved spec.

    ``certificates`` is what check.py is told; empty where there are none.
    """

    directory: Path
    name: str
    version: Version
    title: str
    kind: str
    license: str
    created_by: Mapping[str, str]
    spec_sha256: str
    document: Mapping[str, Json]
    sources: Mapping[str, Mapping[str, Json]]
    content_sha256: str
    splits: tuple[RecordedSplit, ...]
    files: Mapping[str, str]
    certificates: Mapping[str, Json] = field(default_factory=dict)

    def data_files(self) -> tuple[DataFile, ...]:
        """Every Parquet file, in the order of the manifest."""
        return tuple(file for split in self.splits for file in split.files)


def read_manifest(directory: Path) -> Release:
    """The manifest of the release in a directory.

    Raises InvalidRelease if there is none, or if it is not what this program writes.
    """
    value = read_release_json(directory / "release.json")
    error = next(iter(sorted(_VALIDATOR.iter_errors(value), key=lambda e: e.json_path)), None)
    if error is not None:
        raise InvalidRelease(f"{directory / 'release.json'}: {error.json_path}: {error.message}")
    try:
        name, version = parse_name(value["name"]), parse_version(value["version"])
    except InvalidIdentity as wrong:
        raise InvalidRelease(f"{directory / 'release.json'}: {wrong}") from wrong
    return Release(
        directory=directory,
        name=name,
        version=version,
        title=value["title"],
        kind=value["kind"],
        license=value["license"],
        created_by=value["created_by"],
        spec_sha256=value["spec"]["sha256"],
        document=value["spec"]["document"],
        sources=value["sources"],
        content_sha256=value["content_sha256"],
        splits=tuple(map(_split, value["splits"])),
        files=value["files"],
        certificates=value.get("certificates", {}),
    )


# What JSON holds is known only after the schema has accepted it: hence Any, here alone.
def _split(value: Mapping[str, Any]) -> RecordedSplit:
    return RecordedSplit(
        config=value["config"],
        split=value["split"],
        description=value["description"],
        rows=value["rows"],
        content_sha256=value["content_sha256"],
        columns=tuple(
            RecordedColumn(column["name"], column["type"], column["description"])
            for column in value["columns"]
        ),
        files=tuple(
            DataFile(file["path"], file["rows"], file["bytes"], file["sha256"])
            for file in value["files"]
        ),
    )


def read_release_json(path: Path) -> dict[str, Any]:
    """A JSON file of a release that must hold an object.

    Raises InvalidRelease if it is not there, is a link, is too large or is not JSON.
    """
    if not path.is_file() or path.is_symlink():
        raise InvalidRelease(f"{path}: there is no such file, so this is not a whole release")
    if path.stat().st_size > _LARGEST:
        raise InvalidRelease(f"{path}: larger than {_LARGEST:,} bytes")
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        raise InvalidRelease(f"{path}: not JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidRelease(f"{path}: not a JSON object")
    return value
