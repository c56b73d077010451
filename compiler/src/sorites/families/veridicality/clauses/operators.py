"""Words that change what a clause commits to: a table of them, and finding them in fixed text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["KINDS", "Operators", "words_of"]

KINDS: Mapping[str, str] = {
    "complementisers": "begins another complement",
    "negations": "negates",
    "conditions": "makes a condition",
    "possibilities": "makes a possibility",
    "universals": "quantifies over all",
    "adverbs": "changes what a verb says",
}
"""Kind of operator, as a spec's table of a language names it, to what it does."""

_INSIDE = "'-"
"""What may stand within a word, and not at its ends."""


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, in small letters and without punctuation, in any script.

    >>> words_of("Ann didn’t -- in the well-kept «नदी»")
    ('ann', "didn't", 'in', 'the', 'well-kept', 'नदी')
    """
    folded = text.casefold().replace("’", "'")
    # Marks belong to their letters: Python's \w leaves out most vowel signs.
    kept = "".join(
        c if c in _INSIDE or unicodedata.category(c)[0] in "LMN" else " " for c in folded
    )
    return tuple(word for word in (part.strip(_INSIDE) for part in kept.split()) if word)


@dataclass(frozen=True, slots=True)
class Operators:
    """Words, or several in a row, by kind; ``harmless`` holds phrases that look like one.

    *Few* negates and *a few* does not: where a harmless phrase stands, nothing in it counts.
    """

    words: Mapping[tuple[str, ...], str]
    harmless: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, table: Mapping[str, Iterable[str]]) -> Operators:
        """Read from lists of phrases by kind, one of which may be ``harmless``."""
        return cls(
            {words_of(text): kind for kind in KINDS for text in table.get(kind, ())},
            tuple(words_of(text) for text in table.get("harmless", ())),
        )

    def found(self, text: str) -> tuple[tuple[str, str], ...]:
        """Each operator in a text with its kind, in their order."""
        return tuple(self._scan(words_of(text)))

    def _scan(self, words: Sequence[str]) -> Iterator[tuple[str, str]]:
        place = 0
        longest = max(map(len, (*self.words, *self.harmless)), default=0)
        while place < len(words):
            for length in range(min(longest, len(words) - place), 0, -1):
                phrase = tuple(words[place : place + length])
                if phrase in self.harmless:
                    break
                if phrase in self.words:
                    yield " ".join(phrase), self.words[phrase]
                    break
            else:
                length = 1
            place += length
