"""Parquet that is small on disk and endless when decoded is refused before it is all decoded."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites_eval.contract import parquet
from sorites_eval.contract.parquet import FloodError, portions, whole_table


def written(folder: Path, table: pa.Table, **options: object) -> Path:
    path = folder / "file.parquet"
    pq.write_table(table, path, **options)
    return path


def test_portions_hold_every_row_in_its_order(tmp_path: Path) -> None:
    table = pa.table({"a": [f"text {i}" for i in range(10_000)], "b": range(10_000)})
    path = written(tmp_path, table, row_group_size=999)
    with pq.ParquetFile(path) as file:
        read = [*portions(file, ["b", "a"], most_rows=10_000, most_bytes=1 << 30)]
        assert max(batch.num_rows for batch in read) <= 4_096
        assert pa.Table.from_batches(read).select(["a", "b"]) == table
        assert whole_table(file, most_rows=10_000, most_bytes=1 << 30) == table


def test_a_table_without_rows_has_its_columns(tmp_path: Path) -> None:
    table = pa.table({"a": pa.array([], pa.string())})
    with pq.ParquetFile(written(tmp_path, table)) as file:
        assert whole_table(file, most_rows=0, most_bytes=100) == table


def test_a_value_that_repeats_is_decoded_only_as_far_as_the_budget_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gigabyte once decoded, from some kilobytes."""
    text = pa.array(["x" * 1_000_000] * 1, pa.string())
    table = pa.table({"a": pa.DictionaryArray.from_arrays(pa.array([0] * 1_000), text)})
    path = written(tmp_path, table.cast(pa.schema({"a": pa.dictionary(pa.int64(), pa.string())})))
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(parquet, "_PORTION", 4_000_000)
    sizes: list[int] = []
    with pq.ParquetFile(path) as file:
        read = portions(file, ["a"], most_rows=1_000, most_bytes=10_000_000)
        with pytest.raises(FloodError) as caught:
            sizes.extend(batch.num_rows for batch in read)
    assert 0 < max(sizes) <= 4
    assert str(caught.value).endswith(" bytes once decoded; at most 10,000,000 are read")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (pa.nulls(5_000), "5,000 rows once decoded; at most 1,000 are read"),
        (
            pa.array([[None] * 5_000], pa.list_(pa.int64())),
            "5,000 values in a row group once decoded; at most 1,000 are read",
        ),
        (
            pa.array(["x" * 9] * 999),
            " bytes once decoded; at most 500 are read",
        ),
    ],
)
def test_what_the_record_says_is_enough_to_refuse(
    values: pa.Array, said: str, tmp_path: Path
) -> None:
    path = written(tmp_path, pa.table({"a": values}), use_dictionary=False)
    with pq.ParquetFile(path) as file, pytest.raises(FloodError) as caught:
        next(portions(file, ["a"], most_rows=1_000, most_bytes=500 if "bytes" in said else 1 << 30))
    assert str(caught.value).endswith(said)


def test_columns_that_are_not_read_count_for_nothing(tmp_path: Path) -> None:
    table = pa.table({"a": [1] * 10, "b": ["x" * 10_000] * 10})
    with pq.ParquetFile(written(tmp_path, table)) as file:
        (batch,) = portions(file, ["a"], most_rows=10, most_bytes=1_000)
    assert batch.num_rows == 10
