"""Which rows of a split were added, removed or changed from one version to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from sorites.canonical import Json, json_line

__all__ = ["RowChanges", "row_changes"]


@dataclass(frozen=True, slots=True)
class RowChanges:
    """Rows of a split by their id: how many, and the first ids of each kind as examples.

    ``relabelled`` are rows whose gold column differs, ``altered`` rows where only others do.
    """

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    reordered: bool = False


def row_changes(old: pa.Table, new: pa.Table, golds: frozenset[str]) -> RowChanges:
    """Compare the rows of two tables in the columns that both have; ``golds`` hold labels."""
    shared = [name for name in old.column_names if name in new.column_names]
    before, after = _by_identity(old, shared), _by_identity(new, shared)
    labels = [index for index, name in enumerate(shared) if name in golds]
    relabelled, altered = [], []
    for identity, row in before.items():
        other = after.get(identity)
        if other is None or other == row:
            continue
        if any(other[index] != row[index] for index in labels):
            relabelled.append(identity)
        else:
            altered.append(identity)
    return RowChanges(
        added=tuple(identity for identity in after if identity not in before),
        removed=tuple(identity for identity in before if identity not in after),
        relabelled=tuple(relabelled),
        altered=tuple(altered),
        reordered=[key for key in before if key in after]
        != [key for key in after if key in before],
    )


def _by_identity(table: pa.Table, columns: Sequence[str]) -> dict[str, list[Json]]:
    """Rows as lists of values, by their id; by the whole row (and its repetition) without one."""
    rows = [list(row.values()) for row in _rows(table, columns)]
    if "id" in columns:
        return dict(zip(map(str, table["id"].to_pylist()), rows, strict=True))
    keyed: dict[str, list[Json]] = {}
    seen: dict[str, int] = {}
    for row in rows:
        text = json_line(row)
        seen[text] = seen.get(text, 0) + 1
        keyed[f"{text} #{seen[text]}"] = row
    return keyed


def _rows(table: pa.Table, columns: Sequence[str]) -> Iterator[Mapping[str, Json]]:
    for batch in table.select(list(columns)).to_batches(max_chunksize=10_000):
        yield from batch.to_pylist()
