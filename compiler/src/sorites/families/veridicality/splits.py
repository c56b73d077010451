"""Which rows train, which validate, which test; and labels flipped on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sorites.families.veridicality.embedded import NO, YES
from sorites.families.veridicality.rows import Part, Row
from sorites.seeds import ranked

__all__ = ["flip_labels", "hold_out", "shuffled"]


def hold_out(
    rows: Sequence[Row], share: float, seed: int, purpose: str
) -> tuple[list[Row], list[Row]]:
    """The rows in two: the rest, and a share of each part and each cell of labels.

    Both keep their random order.
    """
    strata: dict[tuple[str | None, ...], list[Row]] = {}
    for row in rows:
        key = (row.part, row.label, row.label_veridical, row.label_embedded)
        strata.setdefault(key, []).append(row)
    held: set[str] = set()
    for stratum in strata.values():
        order = ranked(((row.id, row.id) for row in stratum), seed, purpose)
        held.update(order[: round(len(order) * share)])
    ordered = shuffled(rows, seed)
    return [r for r in ordered if r.id not in held], [r for r in ordered if r.id in held]


def shuffled(rows: Sequence[Row], seed: int) -> list[Row]:
    """The rows in an order that depends on their identities alone."""
    return ranked(((row.id, row) for row in rows), seed, "order of rows")


def flip_labels(rows: Sequence[Row], share: float, seed: int) -> tuple[list[Row], list[bool]]:
    """The rows with the label of a share of the part ``veridical`` flipped, and which those are.

    As many are flipped from yes as from unk, up to one.
    """
    flipped: set[str] = set()
    for label in (YES, NO):
        ids = [row.id for row in rows if row.part == Part.VERIDICAL and row.label == label]
        order = ranked(((name, name) for name in ids), seed, "noise")
        flipped.update(order[: round(len(order) * share)])
    changed = [
        replace(row, label=NO if row.label == YES else YES) if row.id in flipped else row
        for row in rows
    ]
    return changed, [row.id in flipped for row in rows]
