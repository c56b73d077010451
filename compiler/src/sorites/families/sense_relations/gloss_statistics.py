"""How long the glosses of each language are, in words and in characters."""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sorites.families.sense_relations.leaks import UNSEGMENTED
from sorites.sources.lexicons.language_codes import base_language

__all__ = ["GlossStatistics", "count_words", "gloss_statistics"]

_WORD = re.compile(r"\w+(?:['’.-]\w+)*")


@dataclass(frozen=True, slots=True)
class GlossStatistics:
    """The glosses of a language; word figures are None where no tokenizer knows the language."""

    glosses: int
    words_mean: float | None
    words_median: float | None
    words_longest: int | None
    characters_mean: float
    characters_longest: int


def gloss_statistics(glosses: Mapping[str, Sequence[str]]) -> dict[str, GlossStatistics]:
    """Statistics for each language's glosses (at least one); means have one decimal."""
    return {language: _statistics(language, texts) for language, texts in glosses.items()}


def count_words(language: str) -> Callable[[str], int] | None:
    """A counter of words for a language, or None where words cannot be told.

    Japanese is cut by Janome, a morphological analyser whose dictionary comes with it, and
    punctuation is not counted. Other languages written without spaces are not cut at all.

    >>> count_words("en")("a member of the cat family; has two-coloured fur")
    9
    """
    base = base_language(language)
    if base == "ja":
        return _count_japanese
    if base in UNSEGMENTED:
        return None
    return _count_spaced


def _statistics(language: str, texts: Sequence[str]) -> GlossStatistics:
    counter = count_words(language)
    words = [counter(text) for text in texts] if counter else []
    characters = [len(text) for text in texts]
    return GlossStatistics(
        glosses=len(texts),
        words_mean=_mean(words) if words else None,
        words_median=statistics.median(words) if words else None,
        words_longest=max(words) if words else None,
        characters_mean=_mean(characters),
        characters_longest=max(characters),
    )


def _mean(counts: Iterable[int]) -> float:
    return round(statistics.fmean(counts), 1)


def _count_spaced(text: str) -> int:
    return len(_WORD.findall(text))


def _count_japanese(text: str) -> int:
    return sum(any(map(str.isalnum, token)) for token in _cut_japanese()(text))


@cache
def _cut_japanese() -> Callable[[str], Iterable[str]]:
    from janome.tokenizer import Tokenizer  # a dictionary of 50 MB, only where it is needed

    tokenizer = Tokenizer(wakati=True)
    return lambda text: map(str, tokenizer.tokenize(text))
