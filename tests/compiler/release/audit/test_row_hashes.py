"""Rows by their hashes: what is repeated, distinct or shared is counted as with the rows."""

from __future__ import annotations

from collections import Counter

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sorites.release.audit.row_hashes import distinct, hashes_of, in_common, repeated

ROWS = st.lists(st.tuples(st.sampled_from(["", "a", "b", "\x00"]), st.integers(0, 2)), max_size=30)


def table(rows: list[tuple[str, int]]) -> pa.Table:
    return pa.table(
        {"text": pa.array([t for t, _ in rows], pa.string()), "n": [n for _, n in rows]},
        schema=pa.schema([("text", pa.string()), ("n", pa.int64())]),
    )


@given(rows=ROWS, others=ROWS)
def test_counts_are_those_of_the_rows(
    rows: list[tuple[str, int]], others: list[tuple[str, int]]
) -> None:
    found, other = (hashes_of(table(each), ["text", "n"]) for each in (rows, others))
    assert len(found) == len(rows)
    assert distinct(found) == len({*rows})
    assert in_common(found, other) == len({*rows} & {*others})
    times = Counter(rows)
    first = next((at for at, row in enumerate(rows) if times[row] > 1), None)
    assert repeated(found) == (None if first is None else (first, times[rows[first]]))


def test_no_columns_make_all_rows_equal() -> None:
    assert distinct(hashes_of(table([("a", 1), ("b", 2)]), [])) == 1


def test_what_json_does_not_have_is_hashed_as_well() -> None:
    odd = pa.table({"f": [float("nan"), 1.5, float("nan")], "b": [b"x", b"y", b"x"]})
    assert distinct(hashes_of(odd, ["f", "b"])) == 2
