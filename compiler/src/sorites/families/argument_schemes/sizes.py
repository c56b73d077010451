"""How many rows a spec asks for, and the disk that they take: known before any work."""

from __future__ import annotations

import shutil
from pathlib import Path

from sorites.errors import CutShort
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme

__all__ = [
    "BYTES_OF_A_RELEASE",
    "BYTES_ON_THE_WAY",
    "in_words",
    "refuse_small_disk",
    "rows_at_most",
]

BYTES_ON_THE_WAY = 3_000
"""Bytes of a row while a compile lasts: 2,200 where five distractors are shown, and to spare."""

BYTES_OF_A_RELEASE = 100
"""Bytes of a row in a release, with its share of the certificates: items that repeat each other
are packed to 53 bytes, others to a hundred."""


def rows_at_most(plan: ArgumentPlan) -> dict[str, int]:
    """The rows of each config if the ontology has bindings enough for every scheme."""
    rows = {"items": 0, "denials": 0, "counterfactual": 0, "exemplars": len(plan.exemplars)}
    for scheme in plan.schemes:
        namings = 2 if plan.synthetic_pattern is not None and _names_somebody(scheme) else 1
        arguments = plan.arguments + sum(plan.splits.arguments.values())
        rows["items"] += 2 * arguments * (plan.distractors + 1) * namings
        denied = min(plan.denials.arguments, plan.arguments)
        rows["denials"] += 2 * denied * len(plan.denials.levels) * namings
        asked = plan.counterfactual
        rows["counterfactual"] += 2 * asked.arguments * len(asked.levels)
    return rows


def refuse_small_disk(plan: ArgumentPlan, folder: Path) -> None:
    """Raise CutShort where a folder has too little room for what a compile makes on its way.

    What lies there already need not be made.
    """
    rows = sum(rows_at_most(plan).values())
    needed, free = rows * BYTES_ON_THE_WAY, shutil.disk_usage(folder).free
    there = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    if needed > free + there:
        raise CutShort(
            f"{folder}: up to {rows:,} rows need {in_words(needed)} there while they are made, and "
            f"{in_words(free)} are free. Let SORITES_CACHE name a folder on a larger disk, or ask "
            "for fewer arguments (items.arguments)"
        )


def in_words(size: int) -> str:
    """Bytes as people say them.

    >>> in_words(2_345_000_000)
    '2.3 GB'
    """
    for unit, name in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"


def _names_somebody(scheme: Scheme) -> bool:
    return any(premise.symbols.individuals for premise in scheme.premises)
