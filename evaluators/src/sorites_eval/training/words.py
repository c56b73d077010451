"""Words as numbers, for networks that start from words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["PADDING", "UNKNOWN", "Vocabulary", "cut"]

PADDING, UNKNOWN = 0, 1

_TOKEN = re.compile(r"\w+|[^\w\s]")
_LONGEST = 256
"""Words of a text that are read; the rest is left out."""


def cut(text: str) -> list[str]:
    """The words and the marks of a text, in small letters.

    >>> cut("Ann, Bob and Chris swam")
    ['ann', ',', 'bob', 'and', 'chris', 'swam']
    """
    return _TOKEN.findall(text.lower())[:_LONGEST]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words to numbers from 2 on; 0 is padding and 1 any other word."""

    numbers: dict[str, int]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Vocabulary:
        """Every word of the texts, the most frequent first."""
        counts = Counter(word for text in texts for word in cut(text))
        ordered = sorted(counts, key=lambda word: (-counts[word], word))
        return cls({word: number for number, word in enumerate(ordered, 2)})

    def __len__(self) -> int:
        return len(self.numbers) + 2

    def encode(self, text: str) -> list[int]:
        """The numbers of a text's words; one unknown word for a text without any."""
        return [self.numbers.get(word, UNKNOWN) for word in cut(text)] or [UNKNOWN]
