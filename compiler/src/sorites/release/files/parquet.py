"""Parquet files whose bytes depend on their rows alone: every writer option is fixed here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from sorites.release.content import Split, schema_of

__all__ = ["ROWS_PER_SHARD", "DataFile", "file_sha256", "shard_paths", "write_split"]

ROWS_PER_SHARD = 200_000
"""Rows of a file. At a kilobyte or two a row, a file stays well below half a gigabyte."""

_ROWS_PER_GROUP = 10_000
"""Rows of a row group: what a viewer fetches to show one page, a few megabytes."""


_OPTIONS: Mapping[str, Any] = {
    "version": "2.6",
    "data_page_version": "1.0",
    "data_page_size": 1024 * 1024,
    "write_batch_size": 1024,
    "dictionary_pagesize_limit": 1024 * 1024,
    "use_dictionary": True,
    "use_byte_stream_split": False,
    "compression": "zstd",
    "compression_level": 9,
    "write_statistics": True,
    "write_page_index": True,
    "write_page_checksum": True,
    "use_content_defined_chunking": {
        "min_chunk_size": 256 * 1024,
        "max_chunk_size": 1024 * 1024,
        "norm_level": 0,
    },
    "store_schema": True,
    "use_compliant_nested_type": True,
    "store_decimal_as_integer": False,
}
"""Everything that a version of the writer could decide otherwise."""


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a split: its path in the release (with ``/``), rows, bytes and SHA-256."""

    path: str
    rows: int
    bytes: int
    sha256: str


def shard_paths(config: str, split: str, rows: int) -> tuple[str, ...]:
    """The paths in the release of the files that hold ``rows`` rows of a split.

    >>> shard_paths("items", "test", 3)
    ('data/items/test-00000-of-00001.parquet',)
    """
    shards = max(1, -(-rows // ROWS_PER_SHARD))
    return tuple(
        f"data/{config}/{split}-{shard:05d}-of-{shards:05d}.parquet" for shard in range(shards)
    )


def write_split(split: Split, directory: Path) -> tuple[DataFile, ...]:
    """Write a split's files under the directory of a release, and say what was written.

    Raises OSError when the disk will not take them.
    """
    written = []
    for shard, path in enumerate(shard_paths(split.config, split.name, split.table.num_rows)):
        rows = split.table.slice(shard * ROWS_PER_SHARD, ROWS_PER_SHARD)
        target = directory / path
        target.parent.mkdir(parents=True, exist_ok=True)
        _write(rows, schema_of(split.columns), target)
        written.append(DataFile(path, rows.num_rows, target.stat().st_size, file_sha256(target)))
    return tuple(written)


def _write(table: pa.Table, schema: pa.Schema, target: Path) -> None:
    """Write a file, of which one row group at a time is in memory."""
    with pq.ParquetWriter(target, schema, **_OPTIONS) as writer:
        for start in range(0, max(1, table.num_rows), _ROWS_PER_GROUP):
            group = table.slice(start, _ROWS_PER_GROUP).cast(schema)
            # One array a column: the writer's pages would otherwise follow the table's chunks.
            writer.write_table(group.combine_chunks(), row_group_size=_ROWS_PER_GROUP)


def file_sha256(path: Path) -> str:
    """SHA-256, in hexadecimal, of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
