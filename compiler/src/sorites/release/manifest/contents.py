"""Whether what a family made can become a release: names, columns, types, ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

import pyarrow as pa

from sorites.errors import SoritesError
from sorites.release.audit.row_hashes import hashes_of, repeated
from sorites.release.content import Content, Split, schema_of
from sorites.release.files.features import type_name

__all__ = ["check_contents"]

_CONFIG = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*", re.ASCII)
_SPLIT = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*", re.ASCII)


def check_contents(content: Content) -> None:
    """Refuse content that cannot be written or read again as it stands.

    Raises SoritesError with every fault, one a line.
    """
    faults = [*_split_faults(content)]
    for split in content.splits:
        faults += [f"{split.config}/{split.name}: {fault}" for fault in _faults(split)]
    if faults:
        raise SoritesError("\n".join(faults))


def _split_faults(content: Content) -> Iterator[str]:
    if not content.splits:
        yield "a release needs at least one split"
    names = Counter((split.config, split.name) for split in content.splits)
    for (config, name), times in names.items():
        if times > 1:
            yield f"the split {config}/{name} is there {times} times"
        if not _CONFIG.fullmatch(config):
            yield f"{config!r} cannot name a config: use letters and digits, with single . _ or -"
        if not _SPLIT.fullmatch(name):
            yield f"{name!r} cannot name a split: use letters, digits and _"
    shapes = {split.config: schema_of(split.columns) for split in reversed(content.splits)}
    for split in content.splits:
        if not schema_of(split.columns).equals(shapes[split.config]):
            yield f"{split.config}/{split.name}: all splits of a config need the same columns"


def _faults(split: Split) -> Iterator[str]:
    declared = schema_of(split.columns)
    for column in split.columns:
        type_name(column.type)
    if not split.table.schema.remove_metadata().equals(declared):
        yield (
            f"its table has the columns {_listed(split.table.schema)}, "
            f"but it declares {_listed(declared)}"
        )
        return
    if split.table.num_rows == 0:
        yield "it has no rows"
    if "id" in split.table.column_names:
        found = repeated(hashes_of(split.table, ["id"]))
        if found is not None:
            position, times = found
            identity = split.table["id"][position].as_py()
            yield f"the id {identity} is there {times} times"


def _listed(schema: pa.Schema) -> str:
    return ", ".join(f"{field.name} ({field.type})" for field in schema)
