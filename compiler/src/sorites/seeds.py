"""Randomness from a seed and from what is drawn for, never from when or where it is drawn."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from random import Random
from typing import TypeVar

__all__ = ["random_for", "ranked"]

Item = TypeVar("Item")


def random_for(seed: int, *purpose: str, separator: str = "\x1f", digest_bytes: int = 32) -> Random:
    """A generator for one purpose: equal seeds and purposes give equal draws on any machine.

    ``separator`` and ``digest_bytes`` (1 to 32, the bytes of a SHA-256 that become the
    generator's seed) are part of what a family draws: another value gives other releases.

    >>> random_for(0, "order", "a").random() == random_for(0, "order", "a").random()
    True
    >>> random_for(0, "order", "a").random() == random_for(0, "order", "b").random()
    False
    """
    return Random(_number(seed, purpose, separator, digest_bytes))


def ranked(items: Iterable[tuple[str, Item]], seed: int, purpose: str) -> list[Item]:
    """Items in a random order that depends on each one's identity alone.

    Items are (identity, item); identities are distinct. One item more or less leaves the order
    of the others as it is.

    >>> ranked([("a", 1), ("b", 2), ("c", 3)], 0, "order")
    [2, 3, 1]
    """
    ordered = sorted(items, key=lambda pair: (_number(seed, (purpose, pair[0])), pair[0]))
    return [item for _, item in ordered]


def _number(
    seed: int, purpose: tuple[str, ...], separator: str = "\x1f", digest_bytes: int = 32
) -> int:
    text = separator.join((str(seed), *purpose))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:digest_bytes], "big")
