"""The finite verbs of a simple present-tense sentence, found without a tagger.

Closed-class forms (``is``, ``have``, ``doesn't``) are certain; any other word is looked up in
the dictionary of lemminflect, which says whether it can be a verb in the present tense. Where
the words around it do not settle that it is one, or that it is none, the sentence is refused: a
statistical tagger would guess, and a wrong guess becomes a sentence that is not English.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from sorites.errors import SoritesError
from sorites.families.veridicality.english.word_readings import Readings, readings

__all__ = ["FiniteVerb", "UncertainVerb", "finite_verbs"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CERTAIN = _words(
    "is are am isn't aren't has hasn't haven't does doesn't don't cannot can't "
    "must should could would might"
)
_PAST = _words("was were wasn't weren't had hadn't did didn't couldn't wouldn't shouldn't")
_MODALS = _words("can could will would shall should may might must cannot to")
_BOUNDARIES = _words(
    "and or but nor while when where because as if since so before after until though although "
    "whose whom than who which that i you he she we they"
)
_RELATIVES = frozenset(("who", "which", "that"))
_SUBJECTS = _words("i you he she we they")
_PRONOUNS = _words("i you he she it we they who which that there")
_DETERMINERS = _words(
    "a an the this these those some many several few both all two three four five six seven "
    "eight nine ten no any each every other another his her its their my your our"
)
_PREPOSITIONS = _words(
    "in on at with without of for from by to into onto over under through near beside behind "
    "along across around against between among past off up down out outside inside above below "
    "toward towards upon within during like beyond next about not also"
)
_IRREGULAR_PLURALS = _words("people men women children")
_CONTRACTED = re.compile(r"(?:there|it|he|she|that|who|what|here)'s|\w+'(?:re|ve|ll|d|m)")
_PUNCTUATION = ',.;:!?"“”()'


class UncertainVerb(SoritesError):
    """A sentence whose finite verbs cannot be told for certain."""


@dataclass(frozen=True, slots=True)
class FiniteVerb:
    """A finite verb in the present: the index of its word, and its lemma (None: closed class)."""

    index: int
    lemma: str | None


def finite_verbs(words: tuple[str, ...]) -> tuple[FiniteVerb, ...]:
    """All finite verbs of a sentence that is cut at its spaces, in their order.

    Raises UncertainVerb where a word may or may not be one, where there is none, and where one
    is in the past already.
    """
    cores = tuple(word.strip(_PUNCTUATION).lower() for word in words)
    found: list[FiniteVerb] = []
    plural = False
    for start, end in _segments(words, cores):
        certain = [i for i in range(start, end) if _is_certain(cores, i)]
        if cores[start] in _RELATIVES:
            found += _of_relative(cores, start + 1, end, certain, begun=bool(found))
        elif certain:
            _refuse_second(cores, start, end, certain)
            found += [FiniteVerb(index, None) for index in certain]
        else:
            found += _open_class(cores, start, end, plural)
        if certain:
            plural = cores[certain[-1]] in ("are", "have", "aren't", "haven't", "do", "don't")
    if not found:
        raise UncertainVerb("no finite verb")
    return tuple(found)


def _segments(words: tuple[str, ...], cores: tuple[str, ...]) -> list[tuple[int, int]]:
    """Stretches between conjunctions, pronouns and commas; each opens with its own.

    But for relative clauses, a stretch has one finite verb at most.
    """
    starts = {0}
    for index, word in enumerate(words):
        if cores[index] in _BOUNDARIES:
            starts.add(index)
        if word.endswith((",", ";", ":")) and index + 1 < len(words):
            starts.add(index + 1)
    ordered = [*sorted(starts), len(words)]
    return list(pairwise(ordered))


def _is_certain(cores: tuple[str, ...], index: int) -> bool:
    """Whether a word is a finite verb by its form and its neighbours alone."""
    word = cores[index]
    before = cores[index - 1] if index else ""
    after = cores[index + 1] if index + 1 < len(cores) else ""
    if word in _PAST:
        raise UncertainVerb(f"'{word}' is in the past already")
    if _CONTRACTED.fullmatch(word):
        raise UncertainVerb(f"'{word}' is contracted")
    if word in _CERTAIN:
        return True
    if word == "have":
        return before not in _MODALS and before not in ("do", "does", "not")
    if word == "do":
        if after == "not" or before in _RELATIVES:
            return True
        if before in _MODALS:
            return False
        raise UncertainVerb("'do' may be finite or not")
    if word in ("can", "will", "may", "shall"):
        if before in _PRONOUNS:
            return True
        if before in _DETERMINERS or before in _PREPOSITIONS or before.endswith("ing"):
            return False
        raise UncertainVerb(f"'{word}' may be a verb or a noun")
    return False


def _open_class(cores: tuple[str, ...], start: int, end: int, plural: bool) -> list[FiniteVerb]:
    """The finite verbs of a stretch that has no closed-class one."""
    opening = cores[start]
    first = start + 1 if opening in _BOUNDARIES else start
    if opening in _SUBJECTS and first < end and readings(cores[first]).finite:
        raise UncertainVerb(f"'{cores[first]}' may be a verb")
    return [*_scan(cores, first, end, [], plural)]


def _scan(
    cores: tuple[str, ...], first: int, end: int, certain: list[int], plural: bool
) -> Iterator[FiniteVerb]:
    """The open-class finite verbs from one word to another."""
    for index in range(first, end):
        word = cores[index]
        if index in certain or word in _DETERMINERS or word in _PREPOSITIONS or not word.isalpha():
            continue
        known = readings(word)
        if known.third is not None and _is_verb(cores, index, first, known):
            yield FiniteVerb(index, known.third)
        if known.base is not None:
            _refuse_bare_verb(cores, index, first, known, plural)
        if known.past_only:
            raise UncertainVerb(f"'{word}' is in the past already")


def _refuse_second(cores: tuple[str, ...], start: int, end: int, certain: list[int]) -> None:
    """Refuse a verb in -s beside a closed-class one, as in 'the coat she mends is grey'."""
    for index in range(start, end):
        known = readings(cores[index])
        if index not in certain and known.third is not None and not known.noun:
            raise UncertainVerb(f"'{cores[index]}' and '{cores[certain[0]]}' are both finite")


def _of_relative(
    cores: tuple[str, ...], first: int, end: int, certain: list[int], *, begun: bool
) -> list[FiniteVerb]:
    """The finite verbs of a stretch that opens with a relative pronoun.

    It holds the verb of the relative clause and, where the main clause has not begun and no
    comma comes between, the main verb too, as in 'a woman who owns a shop is waiting'.
    """
    if first == end and cores[end : end + 1] and cores[end] in _SUBJECTS:
        # The relative pronoun is an object, and its clause comes next: 'which you cannot see'.
        return []
    place = first
    while place < end and (cores[place].endswith("ly") or cores[place] in ("also", "both", "all")):
        place += 1
    verbs = [FiniteVerb(index, None) for index in certain]
    if place in certain:
        rest = place + 1
    elif place < end and readings(cores[place]).third is not None:
        verbs.append(FiniteVerb(place, readings(cores[place]).third))
        rest = place + 1
    elif place < end and readings(cores[place]).base is not None and cores[first - 1] == "who":
        verbs.append(FiniteVerb(place, cores[place]))
        rest = place + 1
    elif certain:
        # An object relative, such as 'that the tailor is mending'.
        rest = first
    else:
        raise UncertainVerb(f"no verb is certain after '{cores[first - 1]}'")
    if len(verbs) < 2 and not (begun and rest > first):
        verbs += _scan(cores, rest, end, certain, plural=True)
    return sorted(verbs, key=lambda verb: verb.index)


def _is_verb(cores: tuple[str, ...], index: int, first: int, known: Readings) -> bool:
    """Whether a word in -s is a verb (True) or a noun; refuses where it may be either."""
    word = cores[index]
    if not known.noun:
        return True
    if index == 0:
        return False
    before = cores[index - 1]
    if index > first:
        if before in _DETERMINERS or before in _PREPOSITIONS or before.endswith(("ing", "'s")):
            return False
        earlier = cores[index - 2] if index > first + 1 else ""
        if readings(before).adjective and (earlier in _DETERMINERS or index - 1 == 0):
            return False
    raise UncertainVerb(f"'{word}' may be a verb or a noun")


def _refuse_bare_verb(
    cores: tuple[str, ...], index: int, first: int, known: Readings, plural: bool
) -> None:
    """Refuse a word that may be a verb in the plural present, such as 'people play'."""
    word = cores[index]
    before = cores[index - 1] if index else ""
    after_subject = index > first and (
        before in _IRREGULAR_PLURALS or readings(before).plural_noun or before == "both"
    )
    joined = index == first and index > 0 and cores[index - 1] in ("and", "or", "but")
    if after_subject or (joined and (plural or not known.noun)):
        raise UncertainVerb(f"'{word}' may be a verb")
