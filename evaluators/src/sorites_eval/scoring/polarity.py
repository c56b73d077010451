"""Whether words deny or doubt what stands beside them."""

from __future__ import annotations

from collections.abc import Iterable

from sorites_eval.scoring.function_words import (
    DENYING,
    DENYING_PIECES,
    DOUBTING,
    DOUBTING_PIECES,
    WRONG,
)
from sorites_eval.scoring.tokens import Token

__all__ = ["Polarity"]


class Polarity:
    """Denials and doubts, but for the words of the labels themselves (``own``)."""

    def __init__(self, own: frozenset[str]) -> None:
        self._denying = (DENYING | WRONG) - own
        self._doubting = DOUBTING - own

    def denies(self, words: Iterable[Token]) -> bool:
        """Whether any of the words is a denial."""
        return any(
            word.folded in self._denying or _has_piece(word, DENYING_PIECES) for word in words
        )

    def doubts(self, word: Token) -> bool:
        """Whether a word says that something may or may not be so."""
        return word.folded in self._doubting or _has_piece(word, DOUBTING_PIECES)


def _has_piece(word: Token, pieces: Iterable[str]) -> bool:
    return word.unspaced and any(piece in word.text for piece in pieces)
