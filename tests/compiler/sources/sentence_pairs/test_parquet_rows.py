"""Parquet of strangers: read as other tables are, or refused by name and within a budget."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites.errors import SourceError
from sorites.sources.sentence_pairs import parquet_rows as module
from sorites.sources.sentence_pairs.parquet_rows import parquet_names, parquet_rows

ROWS = [
    {"a": "one", "b": [1, 2], "c": {"d": True}},
    {"a": None, "b": None, "c": {"d": None}},
    {"a": "zwei €", "b": [], "c": None},
]


def written(folder: Path, table: pa.Table) -> Path:
    path = folder / "file.parquet"
    pq.write_table(table, path)
    return path


def refused(path: Path, column: str = "a") -> str:
    with pytest.raises(SourceError) as caught:
        [*parquet_rows(path, [column])]
    return str(caught.value)


def test_rows_are_values(tmp_path: Path) -> None:
    path = written(tmp_path, pa.Table.from_pylist(ROWS))
    assert parquet_names(path) == ["a", "b", "c"]
    assert [*parquet_rows(path, ["c", "a", "b"])] == ROWS


def test_who_stops_reading_leaves_no_process_behind(tmp_path: Path) -> None:
    path = written(tmp_path, pa.table({"a": ["x" * 1_000] * 10_000}))
    rows = parquet_rows(path, ["a"])
    assert next(rows) == {"a": "x" * 1_000}
    rows.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("cut", [5, 100, 400])
def test_a_file_that_is_cut_is_named(cut: int, tmp_path: Path) -> None:
    path = written(tmp_path, pa.table({"a": [f"text {i}" for i in range(1_000)]}))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert refused(path).startswith("file.parquet: not Parquet: ")


def test_pages_that_are_damaged_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, pa.table({"a": [f"text {i}" for i in range(1_000)]}))
    whole = bytearray(path.read_bytes())
    whole[30:300] = b"\xff" * 270
    path.write_bytes(whole)
    assert refused(path).startswith("file.parquet: ")


def test_text_that_is_none_is_named(tmp_path: Path) -> None:
    binary = pa.array([b"\xff\xfe"], pa.binary())
    path = written(tmp_path, pa.table({"a": binary.view(pa.string())}))
    assert refused(path) == "file.parquet: a text is not UTF-8"


@pytest.mark.parametrize(
    ("kind", "told"),
    [(pa.binary(), "binary"), (pa.list_(pa.date32()), "list<element: date32[day]>")],
)
def test_columns_of_other_types_are_named(kind: pa.DataType, told: str, tmp_path: Path) -> None:
    path = written(tmp_path, pa.table({"a": pa.nulls(1, kind)}))
    assert refused(path) == (
        f"file.parquet: the column a has the type {told}; text, numbers, true/false, and lists and "
        "structures of them are read"
    )


def test_more_rows_than_the_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_ROWS", 10)
    path = written(tmp_path, pa.table({"a": pa.nulls(11)}))
    assert refused(path) == "file.parquet: 11 rows once decoded; at most 10 are read"


def test_a_record_that_lies_ends_a_process_and_not_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists of one long text, of which the record of sizes tells nothing: 4 GB once decoded."""
    text = pa.array(["x" * 1_000_000])
    long = pa.DictionaryArray.from_arrays(pa.array([0] * 4_000), text)
    table = pa.table({"a": pa.ListArray.from_arrays(pa.array([0, 4_000], pa.int32()), long)})
    path = written(tmp_path, table)
    assert path.stat().st_size < 200_000
    monkeypatch.setattr(module, "MEMORY", 200 << 20)
    said = refused(path)
    assert said.startswith("file.parquet: ")
    assert "of memory" in said or "once decoded" in said or "list" in said
