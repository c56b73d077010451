"""The first letter of a sentence that becomes a clause: small, unless the word is a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sorites.errors import SoritesError

__all__ = ["Capitals", "UncertainCapital"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_FUNCTION_WORDS = _words(
    "a an the this that these those some no nobody none there it he she they we you one two "
    "three four five six seven eight nine ten several many few all both each every another "
    "someone somebody everyone everybody people his her its their in on at near with"
)


class UncertainCapital(SoritesError):
    """A first word that may be a name or not."""


@dataclass(frozen=True, slots=True)
class Capitals:
    """Words seen within sentences with a small letter, and words seen there with a capital."""

    small: frozenset[str]
    large: frozenset[str]

    @classmethod
    def of(cls, sentences: Iterable[str]) -> Capitals:
        """Read off how words are written where no sentence begins."""
        small: set[str] = set()
        large: set[str] = set()
        for sentence in sentences:
            for word in sentence.split(" ")[1:]:
                (large if word[:1].isupper() else small).add(word.strip(",.;:!?\"'"))
        return cls(frozenset(small), frozenset(large))

    def lowered(self, sentence: str) -> str:
        """The sentence as a clause.

        Raises UncertainCapital for a first word that is no function word and that the
        sentences show with neither, or with both, kinds of first letter.
        """
        first = sentence.split(" ", 1)[0].strip(",.;:!?\"'")
        lower = first[:1].lower() + first[1:]
        if lower in _FUNCTION_WORDS:
            return sentence[:1].lower() + sentence[1:]
        if (lower in self.small) == (first in self.large):
            raise UncertainCapital(f"'{first}' may be a name")
        if first in self.large:
            return sentence
        return sentence[:1].lower() + sentence[1:]
