"""Randomness that depends on what is drawn for, never on when or where it is drawn."""

from __future__ import annotations

import hashlib
from random import Random

__all__ = ["random_for"]


def random_for(seed: int, *purpose: str) -> Random:
    """A generator for one purpose: equal seeds and purposes give equal draws on any machine."""
    text = "\x1f".join([str(seed), *purpose])
    return Random(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))
