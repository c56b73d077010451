"""The ways in which rows of unequal length can go through a model together.

None of them may change an answer. Which of them a model allows is found out by trying
(``wayfinding``), since it depends on what its layers do with padding, positions and what they
keep: in an architecture with a running state, padding inside a row is read like text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["CHOOSING", "ONE_BY_ONE", "UNCACHED", "WRITING", "Way"]


@dataclass(frozen=True, slots=True)
class Way:
    """How rows are put together for a pass.

    ``shares``: what all rows begin with is computed once. ``padding``: on which side shorter rows
    are filled up; with "none" only rows of one length go together. ``positions`` of the tokens
    are given, not left to the model. ``caches``: writing goes on from what the model kept of the
    tokens so far, instead of reading them again; ``masks``: which of these are padding is then
    told again with every new one. ``alone``: one row at a time.
    """

    shares: bool = False
    padding: Literal["right", "left", "none"] = "none"
    positions: bool = False
    caches: bool = False
    masks: bool = True
    alone: bool = False


ONE_BY_ONE = Way(alone=True)
"""Each row alone, read whole for every token: what all other ways are measured by."""

UNCACHED = Way()
"""Rows of one length together, read whole for every token."""

CHOOSING = (
    Way(shares=True, padding="right", positions=True),
    Way(shares=True, padding="right"),
    Way(padding="right", positions=True),
    Way(padding="right"),
    Way(positions=True),
    UNCACHED,
    ONE_BY_ONE,
)
"""For scores of labels, the quickest first; the last one is right by definition."""

WRITING = (
    Way(shares=True, padding="right", positions=True, caches=True),
    Way(shares=True, positions=True, caches=True),
    Way(shares=True, caches=True),
    Way(padding="left", positions=True, caches=True),
    Way(padding="left", caches=True),
    Way(padding="left", caches=True, masks=False),
    Way(positions=True, caches=True),
    Way(caches=True),
    Way(caches=True, masks=False),
    Way(caches=True, alone=True),
    Way(caches=True, masks=False, alone=True),
    Way(padding="right", positions=True),
    UNCACHED,
    ONE_BY_ONE,
)
"""For text, the quickest first; the last one is right by definition."""
