"""A release's column types in the notations that its readers know.

The card's YAML carries them as the ``dataset_info`` of Hugging Face ``datasets``, and the manifest
and the card's tables name each type in words. They are written here, not by ``datasets``, so that
a release's bytes do not depend on the version of a library that only reads them. The Parquet files
say nothing of them: their Arrow types say all, and what ``datasets`` 4 writes there of a list,
``datasets`` 3 cannot read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from sorites.canonical import Json
from sorites.errors import SoritesError
from sorites.release.content import Column

__all__ = ["type_name", "yaml_features"]

_NAMES: Mapping[pa.DataType, str] = {
    pa.string(): "string",
    pa.bool_(): "bool",
    pa.int8(): "int8",
    pa.int16(): "int16",
    pa.int32(): "int32",
    pa.int64(): "int64",
    pa.uint8(): "uint8",
    pa.uint16(): "uint16",
    pa.uint32(): "uint32",
    pa.uint64(): "uint64",
    pa.float32(): "float32",
    pa.float64(): "float64",
}


def type_name(kind: pa.DataType) -> str:
    """A column type in words, the same in every version of Arrow.

    >>> type_name(pa.list_(pa.struct([("symbol", pa.string()), ("rank", pa.int64())])))
    'list<struct<symbol: string, rank: int64>>'

    Raises SoritesError for a type that releases do not use.
    """
    if pa.types.is_list(kind):
        return f"list<{type_name(kind.value_type)}>"
    if pa.types.is_struct(kind):
        return f"struct<{', '.join(f'{f.name}: {type_name(f.type)}' for f in kind.fields)}>"
    if kind not in _NAMES:
        known = ", ".join(sorted(_NAMES.values()))
        raise SoritesError(
            f"a release cannot hold columns of the type {kind}: "
            f"use one of {known}, or a list or struct of them"
        )
    return _NAMES[kind]


def yaml_features(columns: Sequence[Column]) -> list[dict[str, Json]]:
    """Features as the ``dataset_info`` of a dataset card lists them."""
    return [{"name": column.name, **_yaml(column.type)} for column in columns]


def _yaml(kind: pa.DataType) -> dict[str, Json]:
    if pa.types.is_list(kind):
        inner = _yaml(kind.value_type)
        # A list of a plain type, or of a struct, is written without the key of its element.
        short = next(iter(inner)) if len(inner) == 1 else ""
        return {"list": inner[short] if short in ("dtype", "struct") else inner}
    if pa.types.is_struct(kind):
        return {"struct": [{"name": field.name, **_yaml(field.type)} for field in kind.fields]}
    return {"dtype": type_name(kind)}
