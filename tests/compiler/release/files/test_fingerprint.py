from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sorites.release.files.fingerprint import content_sha256

TYPE = pa.struct([("word", pa.string()), ("many", pa.list_(pa.int64())), ("yes", pa.bool_())])
SCHEMA = pa.schema([("text", pa.string()), ("number", pa.float64()), ("parts", pa.list_(TYPE))])

_part = st.none() | st.fixed_dictionaries(
    {
        "word": st.none() | st.text(max_size=4),
        "many": st.none() | st.lists(st.none() | st.integers(-3, 3), max_size=3),
        "yes": st.none() | st.booleans(),
    }
)
_row = st.fixed_dictionaries(
    {
        "text": st.none() | st.text(max_size=4),
        "number": st.none() | st.floats(allow_nan=False),
        "parts": st.none() | st.lists(_part, max_size=3),
    }
)
_rows = st.lists(_row, max_size=6)


def table(rows: list) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMA)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(_rows, st.integers(0, 6), st.integers(1, 5))
def test_chunks_and_slices_do_not_matter(rows: list, cut: int, padding: int) -> None:
    whole = table(rows)
    pieces = pa.concat_tables([whole.slice(0, cut), whole.slice(cut)])
    inner = pa.concat_tables([whole] * 3 + [whole.slice(0, padding)]).slice(len(rows), len(rows))
    assert content_sha256(pieces) == content_sha256(inner) == content_sha256(whole)


@given(_rows, _rows)
def test_equal_hashes_mean_equal_rows(one: list, other: list) -> None:
    same = table(one).to_pylist() == table(other).to_pylist()
    # 0.0 and -0.0 are equal in Python and different as values.
    if same and str(one) != str(other):
        return
    assert (content_sha256(table(one)) == content_sha256(table(other))) == same


@settings(max_examples=30)
@given(_rows)
def test_a_parquet_file_keeps_the_hash(tmp_path_factory: pytest.TempPathFactory, rows) -> None:
    path = tmp_path_factory.mktemp("hash") / "x.parquet"
    pq.write_table(table(rows), path, row_group_size=3)
    assert content_sha256(pq.read_table(path)) == content_sha256(table(rows))


def test_what_lies_beneath_a_null_does_not_matter() -> None:
    mask = pa.array([False, True])
    hidden = pa.StructArray.from_arrays(
        [pa.array(["a", "hidden"]), pa.array([[1], [2, 3]]), pa.array([True, True])],
        fields=list(TYPE.fields),
        mask=mask,
    )
    plain = pa.array([{"word": "a", "many": [1], "yes": True}, None], type=TYPE)
    assert content_sha256(pa.table({"x": hidden})) == content_sha256(pa.table({"x": plain}))
    lists = pa.ListArray.from_arrays(pa.array([0, 1, 3]), pa.array([1, 2, 3]), mask=mask)
    assert content_sha256(pa.table({"x": lists})) == content_sha256(
        pa.table({"x": pa.array([[1], None], type=pa.list_(pa.int64()))})
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([None], [""]),
        (["ab", "c"], ["a", "bc"]),
        (["a"], ["a", None]),
        (["a", "b"], ["b", "a"]),
    ],
)
def test_different_rows_differ(one: list, other: list) -> None:
    tables = [pa.table({"x": pa.array(rows, type=pa.string())}) for rows in (one, other)]
    assert content_sha256(tables[0]) != content_sha256(tables[1])


def test_names_and_types_count_and_metadata_does_not() -> None:
    plain = pa.table({"x": pa.array([1], type=pa.int64())})
    assert content_sha256(plain) == content_sha256(plain.replace_schema_metadata({"a": "b"}))
    assert content_sha256(plain) != content_sha256(plain.rename_columns(["y"]))
    assert content_sha256(plain) != content_sha256(pa.table({"x": pa.array([1], pa.int32())}))


def test_the_hash_of_a_known_table_never_changes() -> None:
    known = table(
        [
            {
                "text": "tea",
                "number": 0.5,
                "parts": [{"word": "a", "many": [1, None], "yes": None}],
            },
            {"text": None, "number": None, "parts": [None]},
        ]
    )
    assert content_sha256(known) == (
        "588a6caef88ba7de00e156ec42c34b9903886b4e9e55368ee1230794565cd6fd"
    )


def test_more_rows_than_a_block() -> None:
    rows = pa.table({"x": pa.array(range(70_000), type=pa.int64())})
    parts = pa.concat_tables([rows.slice(start, 9_999) for start in range(0, 70_000, 9_999)])
    assert content_sha256(parts) == content_sha256(rows)
    assert content_sha256(rows.slice(0, 69_999)) != content_sha256(rows)
