"""How much memory a search in an ontology needs, before it begins, and how much there is."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sorites.errors import CutShort, SoritesError
from sorites.families.argument_schemes.search.spaces import LOCAL_BYTES
from sorites.families.argument_schemes.search.sparse_space import REMEMBERED
from sorites.families.argument_schemes.search.world import DENSE_BYTES, World

__all__ = ["LIMIT", "memory_at_hand", "memory_needed", "refuse_too_large"]

LIMIT = "SORITES_MEMORY"
"""Names the memory that all processes of a compile may take: bytes, or with K, M, G or T."""

PROCESS = 250 << 20
"""Bytes of a process that has imported what it needs."""

MEMBERSHIP = 160
"""Bytes for each member of each class: in the ontology, in sorted numbers, by class and back."""

ROW = 2_000
"""Bytes for each class: its name, its place in a domain, its counts in each search."""

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)i?B?", re.IGNORECASE)


def memory_needed(world: World, *, local: bool) -> int:
    """Bytes that one process of a compile takes at most, about; ``local`` domains need more."""
    classes, individuals = len(world.members), len(world.individuals)
    held = min(4 * classes * (classes + individuals), max(2 * DENSE_BYTES, 4 * REMEMBERED))
    memberships = len(world.members.columns) * MEMBERSHIP
    return PROCESS + memberships + classes * ROW + held + (LOCAL_BYTES if local else 0)


def memory_at_hand() -> int | None:
    """Bytes that a compile may take: what LIMIT says, or what the machine or its group allows.

    None where neither is known. Raises SoritesError for a limit that is no size.
    """
    named = os.environ.get(LIMIT, "").strip()
    if named:
        found = _SIZE.fullmatch(named)
        if found is None or float(found[1]) == 0:
            raise SoritesError(f"{LIMIT} is {named!r}: give a size, such as 3G or 800M")
        return int(float(found[1]) * 1024 ** " KMGT".index(found[2].upper() or " "))
    known = [size for size in (_of_machine(), _of_group()) if size is not None]
    return min(known, default=None)


def refuse_too_large(world: World, *, local: bool, workers: int) -> None:
    """Raise CutShort where processes would take more memory than there is."""
    needed, there = memory_needed(world, local=local), memory_at_hand()
    if there is None or needed * workers <= there:
        return
    fitting = there // needed
    advice = (
        f"compile with --workers {fitting}"
        if fitting
        else "keep a branch of the hierarchy (ontology.branch), or fewer members"
    )
    raise CutShort(
        f"the ontology, {len(world.members):,} classes with {len(world.individuals):,} individuals"
        f" and {len(world.members.columns):,} memberships, needs about {needed / 1e6:,.0f} MB of"
        f" memory in each of {workers} processes, and {there / 1e6:,.0f} MB are at hand: {advice},"
        f" or set {LIMIT} if more may be taken"
    )


def _of_machine() -> int | None:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def _of_group() -> int | None:
    """The limit of a container."""
    try:
        text = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None
