"""Vectors of words from a text file, as GloVe, word2vec and fastText publish them.

A line is a word and its numbers with single spaces between (Pennington, Socher and Manning 2014).
A first line of two whole numbers, the words and the dimensions, is passed over. A word may hold
spaces: the numbers are counted from the end of the line.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sorites_eval.errors import RunError

__all__ = ["MAX_DIMENSIONS", "Vectors", "read_vectors"]

Vectors = dict[str, npt.NDArray[np.float32]]
"""Vectors by word, all of one length."""

MAX_DIMENSIONS = 4_096
"""The most numbers that a line may have."""

_HEADER = re.compile(r"[0-9]+ [0-9]+")
_MAX_LINE = 200_000
"""Bytes of a line that are read before it is refused."""


def read_vectors(path: Path, words: Collection[str]) -> Vectors:
    """The vectors of the words that a file has, the first of each; no more of it is kept.

    Raises RunError, with the line, for a file that cannot be read, a line that is too long, not
    UTF-8 or no word with numbers, lines of different lengths, more than MAX_DIMENSIONS numbers,
    and a file that has none of the words.
    """
    found: Vectors = {}
    dimensions = 0
    try:
        if path.exists() and not path.is_file():
            raise RunError(f"{path}: is not a file")
        with path.open("rb") as lines:
            number = 0
            while line := lines.readline(_MAX_LINE + 1):
                number += 1
                here = f"{path}:{number}"
                text = _decoded(line, here)
                if number == 1 and _HEADER.fullmatch(text):
                    continue
                word = text.partition(" ")[0]
                if dimensions and (word in found or word not in words):
                    continue
                cells = text.split(" ")
                dimensions = dimensions or _dimensions(cells, here)
                # No word of the data holds a space: a line of one that does is not needed.
                if word in words and not (len(cells) > dimensions + 1 and _is_text(cells[1])):
                    found[word] = _vector(cells[1:], dimensions, here)
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not found:
        raise RunError(f"{path}: has none of the {len(words):,} words of the data")
    return found


def _decoded(line: bytes, here: str) -> str:
    if len(line) > _MAX_LINE:
        raise RunError(f"{here}: longer than {_MAX_LINE:,} bytes, which no word with its vector is")
    try:
        return line.decode("utf-8").rstrip(" \r\n")
    except UnicodeDecodeError:
        raise RunError(f"{here}: not UTF-8") from None


def _dimensions(cells: list[str], here: str) -> int:
    """How many numbers stand at the end of a line, behind its word."""
    numbers = 0
    while numbers < len(cells) - 1 and not _is_text(cells[-1 - numbers]):
        numbers += 1
    if not numbers:
        raise RunError(f"{here}: not a word and its numbers")
    if numbers > MAX_DIMENSIONS:
        raise RunError(f"{here}: {numbers:,} numbers; at most {MAX_DIMENSIONS:,} are read")
    return numbers


def _is_text(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return True
    return False


def _vector(cells: list[str], dimensions: int, here: str) -> npt.NDArray[np.float32]:
    if len(cells) != dimensions:
        raise RunError(f"{here}: {len(cells)} numbers, where others have {dimensions}")
    try:
        with np.errstate(over="ignore"):
            vector = np.array(cells, dtype=np.float32)
    except ValueError:
        raise RunError(f"{here}: not a word and its numbers") from None
    if not np.isfinite(vector).all():
        raise RunError(f"{here}: holds a number that is not finite")
    return vector
