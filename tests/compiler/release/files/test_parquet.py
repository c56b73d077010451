from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites.release.content import Content
from sorites.release.files import parquet
from sorites.release.files.parquet import shard_paths, write_split
from tests.compiler.release.sample import ITEM_COLUMNS, items, split_of


def test_the_bytes_do_not_follow_the_chunks_of_the_table(tmp_path: Path) -> None:
    split = split_of("items", "test", ITEM_COLUMNS, items("t", 500))
    pieces = pa.concat_tables([split.table.slice(start, 7) for start in range(0, 500, 7)])
    one = write_split(split, tmp_path / "one")
    other = write_split(replace(split, table=pieces), tmp_path / "other")
    assert one == other


def test_a_table_with_metadata_of_its_own_gives_the_same_bytes(tmp_path: Path) -> None:
    split = split_of("items", "test", ITEM_COLUMNS, items("t", 5))
    marked = replace(split, table=split.table.replace_schema_metadata({"pandas": "{}"}))
    assert write_split(split, tmp_path / "one") == write_split(marked, tmp_path / "other")


def test_many_rows_fill_several_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS_PER_SHARD", 100)
    split = split_of("items", "test", ITEM_COLUMNS, items("t", 250))
    written = write_split(split, tmp_path)
    assert [(file.path, file.rows) for file in written] == [
        ("data/items/test-00000-of-00003.parquet", 100),
        ("data/items/test-00001-of-00003.parquet", 100),
        ("data/items/test-00002-of-00003.parquet", 50),
    ]
    assert tuple(file.path for file in written) == shard_paths("items", "test", 250)
    read = pa.concat_tables([pq.read_table(tmp_path / file.path) for file in written])
    assert read.to_pylist() == split.table.to_pylist()
    assert [file.bytes for file in written] == [
        (tmp_path / file.path).stat().st_size for file in written
    ]


def test_rows_come_in_groups_that_a_viewer_can_fetch(tmp_path: Path) -> None:
    split = split_of("items", "test", ITEM_COLUMNS, items("t", 25_000))
    (file,) = write_split(split, tmp_path)
    metadata = pq.ParquetFile(tmp_path / file.path).metadata
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    assert [group.num_rows for group in groups] == [10_000, 10_000, 5_000]
    assert {group.column(0).compression for group in groups} == {"ZSTD"}
    assert all(group.column(0).has_offset_index for group in groups)


def test_structs_lists_and_nulls_come_back(content: Content, tmp_path: Path) -> None:
    for split in content.splits:
        (file,) = write_split(split, tmp_path)
        read = pq.read_table(tmp_path / file.path)
        assert read.to_pylist() == split.table.to_pylist()
        assert read.schema.remove_metadata() == split.table.schema
