"""Chance from a seed and from what is decided, never from the order in which things happen."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from typing import TypeVar

__all__ = ["generator", "ranked"]

Item = TypeVar("Item")


def generator(seed: int, *purpose: str) -> random.Random:
    """A generator of its own for one purpose."""
    return random.Random(_number(seed, purpose))


def ranked(items: Iterable[tuple[str, Item]], seed: int, purpose: str) -> list[Item]:
    """Items in a random order that depends on each one's identity alone.

    Items are (identity, item); identities are distinct.
    """
    ordered = sorted(items, key=lambda pair: (_number(seed, (purpose, pair[0])), pair[0]))
    return [item for _, item in ordered]


def _number(seed: int, purpose: tuple[str, ...]) -> int:
    text = "\x1f".join((str(seed), *purpose))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")
