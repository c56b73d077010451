from __future__ import annotations

import pyarrow as pa
import pytest
from datasets import Features

from sorites.errors import SoritesError
from sorites.release.content import Column, schema_of
from sorites.release.files.features import type_name, yaml_features
from tests.compiler.release.sample import ITEM_COLUMNS, PAIR_COLUMNS

NESTED = (
    Column("deep", pa.list_(pa.list_(pa.float64())), ""),
    Column("structs", pa.struct([("inner", pa.struct([("flag", pa.bool_())]))]), ""),
    Column("lists", pa.struct([("names", pa.list_(pa.string()))]), ""),
    Column("small", pa.int8(), ""),
)


@pytest.mark.parametrize("columns", [ITEM_COLUMNS, PAIR_COLUMNS, NESTED])
def test_the_card_has_the_features_that_datasets_finds_in_the_files(columns) -> None:
    read = Features.from_arrow_schema(schema_of(columns))
    assert yaml_features(columns) == read._to_yaml_list()
    assert Features._from_yaml_list(yaml_features(columns)) == read


def test_a_type_that_releases_do_not_use_is_refused() -> None:
    with pytest.raises(SoritesError) as caught:
        type_name(pa.timestamp("s"))
    assert str(caught.value) == (
        "a release cannot hold columns of the type timestamp[s]: use one of bool, float32, "
        "float64, int16, int32, int64, int8, string, uint16, uint32, uint64, uint8, "
        "or a list or struct of them"
    )
