"""The one model into which every WordNet is read: concepts with glosses, words and relations.

A concept is known by its id in the Collaborative Interlingual Index (ILI): that is what links
the synsets of different languages. A synset without an ILI cannot be linked: it is left out, or,
for a data set in one language, known by its own id.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from sorites.sources.lexicons.policies import NO_REPEATS, Repeats

__all__ = ["Lexicon", "Related", "Wordnet", "count_by_pos", "file_name", "ili_order"]

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
    have a gloss in every one of the languages. Relation types have their WN-LMF names; one that
    is ``other`` stands there under its ``dc:type`` as well, as ``other:TYPE``.

    Counted are ``synsets_without_ili``, left out or kept; ``pos_conflicts``, the concepts whose
    wordnets disagree on the part of speech (the first wordnet is believed);
    ``repeated_glosses`` and ``repeated_ilis``; ``other_glosses``, those in languages that were
    not asked for, by the code that the source gives them; ``secondary_glosses``, those of a
    variant or of another language's lexicon that were not needed; ``cleaned_glosses``, those that
    held characters which are not seen.
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
    repeated_glosses: Repeats = NO_REPEATS
    repeated_ilis: Repeats = NO_REPEATS
    other_glosses: Mapping[str, int] = field(default_factory=dict)
    secondary_glosses: int = 0
    cleaned_glosses: int = 0

    def fully_glossed(self, languages: Sequence[str]) -> frozenset[str]:
        """The ILIs of the concepts that have a gloss in every one of the languages."""
        return frozenset.intersection(*(frozenset(self.glosses[each]) for each in languages))


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


def count_by_pos(lexicon: Lexicon, ilis: Iterable[str]) -> dict[str, int]:
    """How many of the concepts are nouns, verbs and so on, the most frequent first."""
    return dict(Counter(lexicon.pos[ili] for ili in ilis).most_common())
