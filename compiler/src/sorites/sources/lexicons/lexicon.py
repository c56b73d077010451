"""The one model into which every WordNet is read: concepts with glosses, words and relations.

A concept is known by its id in the Collaborative Interlingual Index (ILI): that is what links
the synsets of different languages. Synsets without an ILI cannot be linked and are left out.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from sorites.errors import SourceError

__all__ = [
    "Lexicon",
    "LexiconRows",
    "Related",
    "Wordnet",
    "build_lexicon",
    "count_by_pos",
    "file_name",
    "ili_order",
]

Related: TypeAlias = "Mapping[str, frozenset[tuple[str, str]]]"
"""Relation type to the (source ILI, target ILI) that it links."""


@dataclass(frozen=True, slots=True)
class Wordnet:
    """A wordnet that the source says it is made of; ``license`` is as the source words it."""

    id: str
    version: str
    label: str
    language: str
    license: str
    url: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Concepts by ILI, in the languages that were asked for.

    ``pos`` has every concept with its part of speech (``NOUN``, ``VERB``, ``ADJ``, ``ADV``, …;
    an adjective satellite is ``ADJ``). ``glosses``, ``lemmas`` and ``forms`` go from language to
    ILI. ``forms`` are the word forms other than the lemma; words are kept for the concepts that
    have a gloss in every one of the languages. Relation types have their WN-LMF names.
    ``synsets_without_ili`` counts what was left out, ``pos_conflicts`` the concepts whose
    wordnets disagree on the part of speech (the first wordnet is believed).
    """

    pos: Mapping[str, str]
    glosses: Mapping[str, Mapping[str, str]]
    lemmas: Mapping[str, Mapping[str, tuple[str, ...]]]
    forms: Mapping[str, Mapping[str, tuple[str, ...]]]
    synset_relations: Related
    sense_relations: Related
    wordnets: tuple[Wordnet, ...]
    synsets_without_ili: int = 0
    pos_conflicts: int = 0

    def fully_glossed(self, languages: Sequence[str]) -> frozenset[str]:
        """The ILIs of the concepts that have a gloss in every one of the languages."""
        return _in_every(self.glosses, languages)


@dataclass(frozen=True, slots=True)
class LexiconRows:
    """What an adapter reads, row by row; ``scope`` is the lexicon within which an ILI is unique.

    ``synsets``: (scope, synset id, ILI or None, part of speech); ``glosses``: (ILI, language,
    text); ``words``: (ILI, language, form, whether it is the lemma), in the source's order;
    ``synset_relations`` and ``sense_relations``: (type, source ILI, target ILI).
    """

    synsets: Iterable[tuple[str, str, str | None, str]]
    glosses: Iterable[tuple[str, str, str]]
    words: Iterable[tuple[str, str, str, bool]]
    synset_relations: Iterable[tuple[str, str, str]]
    sense_relations: Iterable[tuple[str, str, str]]
    wordnets: Sequence[Wordnet] = field(default=())


def file_name(path: Path) -> str:
    """The name of a source for messages, without the checksum that the cache puts before it.

    >>> file_name(Path("cache", "0" * 64 + "-cygnet.db"))
    'cygnet.db'
    """
    return re.sub(r"^[0-9a-f]{64}-", "", path.name)


def ili_order(ili: str) -> tuple[int, str]:
    """A sort key that puts i9 before i10: by length, then by character.

    >>> sorted(["i10", "i9", "i100"], key=ili_order)
    ['i9', 'i10', 'i100']
    """
    return len(ili), ili


def build_lexicon(
    rows: LexiconRows, languages: Sequence[str], *, where: str, glossed: Mapping[str, int]
) -> Lexicon:
    """Check and index rows.

    ``where`` (the file) starts every message; ``glossed`` says how many synsets each language
    of the source has a gloss for.

    Raises SourceError for: a language without glosses, an ILI that two synsets of one lexicon
    use, two glosses for one ILI and language.
    """
    for language in languages:
        if not glossed.get(language):
            known = ", ".join(f"{code} ({n})" for code, n in sorted(glossed.items()) if n)
            raise SourceError(
                f"{where}: no synset has a gloss in '{language}'; languages with glosses: "
                f"{known or 'none'}; correct `languages`, or add a wordnet of that language"
            )
    pos, without_ili, conflicts = _concepts(rows.synsets, where)
    glosses = _glosses(rows.glosses, languages, where)
    lemmas, forms = _words(rows.words, languages, _in_every(glosses, languages))
    return Lexicon(
        pos=pos,
        glosses=glosses,
        lemmas=lemmas,
        forms=forms,
        synset_relations=_by_type(rows.synset_relations),
        sense_relations=_by_type(rows.sense_relations),
        wordnets=tuple(rows.wordnets),
        synsets_without_ili=without_ili,
        pos_conflicts=conflicts,
    )


def _concepts(
    synsets: Iterable[tuple[str, str, str | None, str]], where: str
) -> tuple[dict[str, str], int, int]:
    pos: dict[str, str] = {}
    owner: dict[tuple[str, str], str] = {}
    conflicts: set[str] = set()
    without_ili = 0
    for scope, synset, ili, part in synsets:
        if not ili:
            without_ili += 1
            continue
        other = owner.setdefault((scope, ili), synset)
        if other != synset:
            lexicon = f"lexicon '{scope}': " if scope else ""
            raise SourceError(
                f"{where}: {lexicon}ILI '{ili}' is used by two synsets, '{other}' and '{synset}'; "
                "an ILI stands for one concept: merge the synsets, or correct one of the two"
            )
        if pos.setdefault(ili, part) != part:
            conflicts.add(ili)
    return pos, without_ili, len(conflicts)


def _glosses(
    rows: Iterable[tuple[str, str, str]], languages: Sequence[str], where: str
) -> dict[str, dict[str, str]]:
    glosses: dict[str, dict[str, str]] = {language: {} for language in languages}
    for ili, language, text in rows:
        other = glosses[language].get(ili)
        if other is not None:
            raise SourceError(
                f"{where}: ILI '{ili}' has two glosses in '{language}', '{other}' and '{text}'; "
                "a synset has one gloss a language: remove one of the two"
            )
        glosses[language][ili] = text
    return glosses


_Words: TypeAlias = "dict[str, dict[str, tuple[str, ...]]]"


def _in_every(glosses: Mapping[str, Mapping[str, str]], languages: Sequence[str]) -> frozenset[str]:
    return frozenset.intersection(*(frozenset(glosses[each]) for each in languages))


def _words(
    rows: Iterable[tuple[str, str, str, bool]], languages: Sequence[str], ilis: frozenset[str]
) -> tuple[_Words, _Words]:
    collected: tuple[dict[str, dict[str, dict[str, None]]], ...] = tuple(
        {language: defaultdict(dict) for language in languages} for _ in range(2)
    )
    for ili, language, form, is_lemma in rows:
        if ili in ilis:
            collected[0 if is_lemma else 1][language][ili][form] = None
    lemmas, forms = (
        {
            language: {ili: tuple(words) for ili, words in by_ili.items()}
            for language, by_ili in by_language.items()
        }
        for by_language in collected
    )
    return lemmas, forms


def _by_type(rows: Iterable[tuple[str, str, str]]) -> dict[str, frozenset[tuple[str, str]]]:
    related: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for name, source, target in rows:
        related[name].add((source, target))
    return {name: frozenset(pairs) for name, pairs in related.items()}


def count_by_pos(lexicon: Lexicon, ilis: Iterable[str]) -> dict[str, int]:
    """How many of the concepts are nouns, verbs and so on, the most frequent first."""
    return dict(Counter(lexicon.pos[ili] for ili in ilis).most_common())
