"""Whether a gloss contains a word: that which it defines, or its partner's."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from sorites.families.sense_relations.folding import fold
from sorites.families.sense_relations.plan import Lexicalisation
from sorites.sources.lexicons.language_codes import base_language
from sorites.sources.lexicons.lexicon import Lexicon

__all__ = ["UNSEGMENTED", "Leak", "contains", "find_leak", "first_word_in"]

UNSEGMENTED = frozenset({"ja", "zh", "cmn", "yue", "wuu", "th", "lo", "km", "my", "bo", "dz"})
"""Languages written without spaces, in which the neighbours of a word say nothing."""


@dataclass(frozen=True, slots=True)
class Leak:
    """A word of a synset that its own gloss contains."""

    ili: str
    language: str
    word: str
    gloss: str


def contains(gloss: str, word: str, *, whole: bool) -> bool:
    """Whether a folded gloss contains a folded word, ``whole``: as a word of its own.

    A letter and its combining marks are one: a word is not found in a gloss where its last
    letter bears a mark that the word's does not.

    >>> contains("a small cathedral", "cat", whole=False)
    True
    >>> contains("a small cathedral", "cat", whole=True)
    False
    """
    if not word:
        return False
    start = gloss.find(word)
    while start >= 0:
        end = start + len(word)
        after = gloss[end : end + 1]
        marked = bool(after) and unicodedata.combining(after) != 0
        before = gloss[start - 1 : start] if start else ""
        if not marked and not (whole and (_is_letter(before) or _is_letter(after))):
            return True
        start = gloss.find(word, start + 1)
    return False


def find_leak(
    lexicon: Lexicon,
    ili: str,
    languages: Sequence[str],
    choices: Lexicalisation,
    *,
    words_of: str | None = None,
) -> Leak | None:
    """The first word of a concept that one of its glosses contains, or None.

    ``words_of`` names another concept whose words are looked for instead. With
    ``languages: all``, a leak counts only if there is one in every language.
    """
    owner = ili if words_of is None else words_of
    found = [_leak_in(lexicon, ili, owner, language, choices) for language in languages]
    leaks = [leak for leak in found if leak is not None]
    if not leaks or (choices.languages == "all" and len(leaks) < len(found)):
        return None
    return leaks[0]


def first_word_in(
    gloss: str, words: Sequence[str], language: str, choices: Lexicalisation
) -> str | None:
    """The first of some words that a gloss contains, compared as the choices say, or None."""
    unaccented = language in choices.unaccented
    whole = choices.match == "word" and base_language(language) not in UNSEGMENTED
    folded = fold(gloss, language, choices.case, unaccented=unaccented)
    for word in words:
        if contains(folded, fold(word, language, choices.case, unaccented=unaccented), whole=whole):
            return word
    return None


def _leak_in(
    lexicon: Lexicon, ili: str, owner: str, language: str, choices: Lexicalisation
) -> Leak | None:
    gloss = lexicon.glosses[language].get(ili)
    if gloss is None:
        return None
    words = lexicon.lemmas[language].get(owner, ())
    if choices.words == "forms":
        words += lexicon.forms[language].get(owner, ())
    word = first_word_in(gloss, words, language, choices)
    return None if word is None else Leak(ili, language, word, gloss)


def _is_letter(character: str) -> bool:
    return character.isalnum() or character == "_"
