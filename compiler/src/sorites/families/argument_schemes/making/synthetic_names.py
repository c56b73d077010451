"""Names for individuals that do not exist, to tell reasoning from remembering."""

from __future__ import annotations

import string
from collections.abc import Iterable
from random import Random

__all__ = ["SyntheticNames"]

_ALPHABETS = {"L": string.ascii_uppercase, "D": string.digits}

MAX_ATTEMPTS = 1_000


class SyntheticNames:
    """Draws names by a pattern in which L is a capital letter and D a digit.

    No name equals a real one, whatever the case of its letters, nor another drawn with it.
    """

    def __init__(self, pattern: str, real: Iterable[str]) -> None:
        self.pattern = pattern
        self._real = frozenset(name.casefold() for name in real)

    def draw(self, random: Random, taken: Iterable[str] = ()) -> str:
        """A name that is neither real nor taken.

        Raises ValueError where real names leave the pattern no room.
        """
        barred = {name.casefold() for name in taken}
        for _ in range(MAX_ATTEMPTS):
            name = "".join(
                random.choice(_ALPHABETS[letter]) if letter in _ALPHABETS else letter
                for letter in self.pattern
            )
            if name.casefold() not in self._real and name.casefold() not in barred:
                return name
        raise ValueError(f"almost every name of the pattern {self.pattern} is a real one")
