from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
import pytest

from sorites.errors import SoritesError
from sorites.release.content import Column, Content
from sorites.release.manifest.contents import check_contents
from tests.compiler.release.sample import ITEM_COLUMNS, PAIR_COLUMNS, items, pairs, split_of

ROWS = items("t", 4)
FAULTS = {
    "no splits": ((), "a release needs at least one split"),
    "twice": (
        (split_of("a", "b", ITEM_COLUMNS, ROWS), split_of("a", "b", ITEM_COLUMNS, ROWS)),
        "the split a/b is there 2 times",
    ),
    "a path as a config": (
        (split_of("../a", "b", ITEM_COLUMNS, ROWS),),
        "'../a' cannot name a config: use letters and digits, with single . _ or -",
    ),
    "a dash in a split": (
        (split_of("a", "b-c", ITEM_COLUMNS, ROWS),),
        "'b-c' cannot name a split: use letters, digits and _",
    ),
    "columns that differ within a config": (
        (split_of("a", "b", ITEM_COLUMNS, ROWS), split_of("a", "c", PAIR_COLUMNS, pairs(2))),
        "a/c: all splits of a config need the same columns",
    ),
    "another table than declared": (
        (
            replace(
                split_of("a", "b", (Column("id", pa.string(), ""),), [{"id": "1"}]),
                table=pa.table({"id": [1]}),
            ),
        ),
        "a/b: its table has the columns id (int64), but it declares id (string)",
    ),
    "no rows": ((split_of("a", "b", ITEM_COLUMNS, []),), "a/b: it has no rows"),
    "an id twice": (
        (split_of("a", "b", ITEM_COLUMNS, [*ROWS, ROWS[0]]),),
        "a/b: the id t0000 is there 2 times",
    ),
}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_what_cannot_be_written_is_said(fault: str, content: Content) -> None:
    splits, message = FAULTS[fault]
    with pytest.raises(SoritesError) as caught:
        check_contents(replace(content, splits=splits))
    assert str(caught.value) == message
