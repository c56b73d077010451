"""Words as numbers, and vectors for them from a file, for networks that start from words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sorites_eval.errors import RunError

__all__ = ["PADDING", "UNKNOWN", "Vocabulary", "cut", "read_vectors"]

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


def read_vectors(path: Path, words: Collection[str]) -> dict[str, npt.NDArray[np.float32]]:
    """The vectors of the words that a file in the format of GloVe has.

    Raises RunError for a file that cannot be read, a line without numbers, lines of different
    lengths, and a file that has none of the words.
    """
    found: dict[str, npt.NDArray[np.float32]] = {}
    dimensions = 0
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                word, _, numbers = line.rstrip("\n").partition(" ")
                if word not in words:
                    continue
                vector = np.array(numbers.split(" "), dtype=np.float32)
                if dimensions and len(vector) != dimensions:
                    raise RunError(
                        f"{path}:{number}: {len(vector)} numbers, where others have {dimensions}"
                    )
                dimensions = len(vector)
                found[word] = vector
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"{path}: cannot be read: {error}") from None
    except ValueError:
        raise RunError(f"{path}:{number}: not a word and its numbers") from None
    if not found:
        raise RunError(f"{path}: has none of the {len(words):,} words of the data")
    return found
