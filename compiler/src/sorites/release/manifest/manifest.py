"""release.json: what a release is made of, with a checksum for every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version

from sorites.canonical import Json, digest
from sorites.release.content import Content, Split, SplitName
from sorites.release.files.features import type_name
from sorites.release.files.fingerprint import content_sha256
from sorites.release.files.parquet import DataFile
from sorites.specfile.model import SourcePin, Spec

__all__ = ["FORMAT", "all_content_sha256", "created_by", "manifest"]

FORMAT = 1
"""The format of the manifest, its entry ``manifest``."""


def manifest(
    spec: Spec,
    content: Content,
    data_files: Mapping[SplitName, Sequence[DataFile]],
    text_files: Mapping[str, str],
    source_bytes: Mapping[str, int],
) -> dict[str, Json]:
    """The content of release.json.

    ``data_files`` are the Parquet files by split, ``text_files`` the SHA-256 of every other
    file by name, ``source_bytes`` the size of each source's content by id, where it is known.
    """
    splits = [_split(split, data_files[split.config, split.name]) for split in content.splits]
    return {
        "manifest": FORMAT,
        "name": spec.name,
        "version": str(spec.version),
        "title": spec.title,
        "kind": spec.kind,
        "license": spec.license,
        "created_by": created_by(),
        "seed": spec.seed,
        "spec": {"sha256": digest(spec.document.data), "document": spec.document.data},
        "sources": {
            name: _source(pin, source_bytes.get(name)) for name, pin in spec.sources.items()
        },
        "content_sha256": all_content_sha256(splits),
        "splits": splits,
        "files": dict(text_files),
        "counts": dict(content.counts),
        "shortfalls": list(content.shortfalls),
        **({"certificates": content.certificates} if content.certificates else {}),
    }


def all_content_sha256(splits: Sequence[Mapping[str, Json]]) -> str:
    """The hash over the content hashes of all splits, in the order of the manifest."""
    return digest([[split["config"], split["split"], split["content_sha256"]] for split in splits])


def _split(split: Split, files: Sequence[DataFile]) -> dict[str, Json]:
    return {
        "config": split.config,
        "split": split.name,
        "description": split.description,
        "rows": split.table.num_rows,
        "content_sha256": content_sha256(split.table),
        "columns": [
            {
                "name": column.name,
                "type": type_name(column.type),
                "description": column.description,
            }
            for column in split.columns
        ],
        "files": [
            {"path": file.path, "rows": file.rows, "bytes": file.bytes, "sha256": file.sha256}
            for file in files
        ],
    }


def _source(pin: SourcePin, size: int | None) -> dict[str, Json]:
    entry: dict[str, Json] = {
        "version": pin.version,
        "license": pin.license,
        "attribution": pin.attribution,
        "sha256": pin.sha256,
    }
    if pin.url is not None:
        entry["url"] = pin.url
    if pin.file is not None:
        # The name alone: where it lay on this machine is nobody's business.
        entry["file"] = pin.file.name
    if pin.made is not None:
        entry["file"], entry["made"] = pin.made
    if size is not None:
        entry["bytes"] = size
    return entry


def created_by() -> dict[str, Json]:
    """The versions that shape the bytes: of this program, and of what writes the Parquet files."""
    return {"sorites": _installed("sorites"), "pyarrow": _installed("pyarrow")}


def _installed(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        # A checkout on the path is a program without a version.
        return "unknown"
