"""The choice of languages: which sets of them share how many glossed synsets.

A set of languages never has more synsets than its subsets, so a search that adds languages one
by one drops a branch as soon as too few synsets are left (the Eclat algorithm; Zaki, 2000). The
2^40 sets of forty languages need not be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sorites.errors import SoritesError

__all__ = ["MOST_SETS", "LanguageSet", "language_sets"]

MOST_SETS = 20_000
"""More sets than this are not a choice but a flood: the search stops."""

_MOST_STEPS = 100_000


@dataclass(frozen=True, slots=True)
class LanguageSet:
    """Languages, sorted by code, and how many synsets have a gloss in every one of them."""

    languages: tuple[str, ...]
    synsets: int


def language_sets(
    coverage: Mapping[frozenset[str], int], *, at_least: int, synsets: int
) -> list[LanguageSet]:
    """Every set of at least so many languages that share at least so many synsets, best first.

    ``coverage`` counts the synsets by the set of languages that gloss them. Best is most
    synsets, then most languages, then the alphabet.

    Raises SoritesError when there are more than ``MOST_SETS`` such sets, or too many smaller ones
    on the way to them, or when a bound is below 1.

    >>> language_sets({frozenset({"en", "el"}): 3, frozenset({"en"}): 4}, at_least=1, synsets=3)[0]
    LanguageSet(languages=('en',), synsets=7)
    """
    if at_least < 1 or synsets < 1:
        raise SoritesError("--at-least and --synsets must be 1 or more")
    found: list[LanguageSet] = []
    for steps, each in enumerate(_search(_rows(coverage), at_least, synsets)):
        if len(each.languages) >= at_least:
            found.append(each)
        if len(found) > MOST_SETS or steps > _MOST_STEPS:
            raise SoritesError(
                f"too many sets of languages share {synsets:,} synsets to look at them all; "
                "raise --synsets"
            )
    return sorted(found, key=lambda each: (-each.synsets, -len(each.languages), each.languages))


def _rows(coverage: Mapping[frozenset[str], int]) -> dict[str, int]:
    """Language to a bit row over the synsets: bit i says whether synset i has a gloss in it."""
    rows: dict[str, int] = {}
    start = 0
    for languages, count in coverage.items():
        block = ((1 << count) - 1) << start
        for language in languages:
            rows[language] = rows.get(language, 0) | block
        start += count
    return rows


def _search(rows: Mapping[str, int], at_least: int, synsets: int) -> Iterator[LanguageSet]:
    """Sets that share enough synsets, also the small ones on the way to larger ones."""
    # Rare languages first: their branches die early.
    start = sorted(rows.items(), key=lambda each: (each[1].bit_count(), each[0]))
    pending: list[tuple[tuple[str, ...], list[tuple[str, int]]]] = [((), start)]
    while pending:
        chosen, candidates = pending.pop()
        for position, (language, row) in enumerate(candidates):
            count = row.bit_count()
            if count < synsets:
                continue
            languages = (*chosen, language)
            yield LanguageSet(tuple(sorted(languages)), count)
            rest = [
                (other, shared)
                for other, other_row in candidates[position + 1 :]
                if (shared := row & other_row).bit_count() >= synsets
            ]
            if rest and len(languages) + len(rest) >= at_least:
                pending.append((languages, rest))
