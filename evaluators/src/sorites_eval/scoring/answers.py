"""What a model wrote, read as an answer or as none; never a guess.

The rule, in time linear in the text:

1. A label is named where its words stand as whole words, in any case ("true", "<True>",
   "The conclusion follows. True"); a label of one letter only in its own case. "P1" is not
   part of "P10", nor "1" of "1.5" or "21". A longer label wins over one inside it.
2. Every label named must be the same one: "True or False" is no answer.
3. A label is denied where one of the three words before it in the same clause is a negation
   ("not true", "cannot be true"). A text that denies a label gives no answer: what the model
   would say instead is not for a reader to decide.
4. A label before the word "that" repeats a statement ("it is false that …") and is passed over.
5. Where the task asks for a selection, it is the set of all marked numbers ("P1, P3"). A range
   ("P1-P3"), a number that lost its marker ("P1, 2") or a denied one ("not P2") makes the
   selection unreadable; the label still stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["MAX_CHARACTERS", "Outcome", "Reader", "Reading"]

MAX_CHARACTERS = 200_000
"""Of a longer text only this much is read; no task asks for a tenth of it."""

_WORD = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’_-][^\W_]+)*|\S")
_NEGATIONS = frozenset({"not", "never", "no", "cannot", "neither", "nor", "without", "untrue"})
_CLAUSE_WORDS = frozenset({"so", "therefore", "hence", "thus", "because", "since", "but"})
_JOINERS = frozenset({",", "and", "&", "/", "or", "to", "through", "-", "–", "—"})
_REACH = 3


class Outcome(StrEnum):
    """What kind of reply it was."""

    ANSWER = "answer"
    IRRELEVANT = "irrelevant"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Reading:
    """A reply as read. ``selection`` is None where none was asked or it is unreadable."""

    outcome: Outcome
    label: str | None = None
    selection: frozenset[int] | None = None


class Reader:
    """Reads replies to one task: its labels, and the marker of its selection if it has one.

    >>> read = Reader(["True", "False"], marker="P").read
    >>> read("<True, P1, P10>").label, sorted(read("<True, P1, P10>").selection)
    ('True', [1, 10])
    >>> read("It is not true.").outcome
    <Outcome.IRRELEVANT: 'irrelevant'>
    """

    def __init__(self, labels: Iterable[str], marker: str | None = None) -> None:
        words = {label: tuple(_words(label)) for label in labels}
        self._longest_first = sorted(words.items(), key=lambda entry: -len(entry[1]))
        own = {word.casefold() for label in words.values() for word in label}
        self._negations = _NEGATIONS - own
        self._marked = re.compile(f"{re.escape(marker)}([0-9]{{1,6}})", re.I) if marker else None

    def read(self, text: str) -> Reading:
        """The answer in a text, if it has one."""
        if not text.strip():
            return Reading(Outcome.EMPTY)
        words = _words(text[:MAX_CHARACTERS])
        named: set[str] = set()
        denied = False
        position = 0
        while position < len(words):
            label, length = self._label_at(words, position)
            if label is None:
                position += 1
                continue
            following = words[position + length] if position + length < len(words) else ""
            if following.casefold() != "that":
                named.add(label)
                denied = denied or self._is_denied(words, position)
            position += length
        if len(named) != 1 or denied:
            return Reading(Outcome.IRRELEVANT)
        return Reading(Outcome.ANSWER, named.pop(), self._selection(words))

    def _label_at(self, words: list[str], start: int) -> tuple[str | None, int]:
        for label, parts in self._longest_first:
            found = words[start : start + len(parts)]
            if len(label) == 1:
                same = found == list(parts)
            else:
                same = [w.casefold() for w in found] == [w.casefold() for w in parts]
            if same:
                return label, len(parts)
        return None, 1

    def _is_denied(self, words: list[str], position: int) -> bool:
        for word in reversed(words[max(0, position - _REACH) : position]):
            folded = word.casefold().replace("’", "'")
            if folded in _CLAUSE_WORDS or not folded[0].isalnum():
                return False
            if folded in self._negations or folded.endswith("n't"):
                return True
        return False

    def _selection(self, words: list[str]) -> frozenset[int] | None:
        if self._marked is None:
            return None
        chosen: set[int] = set()
        for position, word in enumerate(words):
            if not (match := self._marked.fullmatch(word)):
                if self._marked.match(word) and not word.isalnum():
                    return None
                continue
            after = words[position + 1 : position + 3]
            if len(after) == 2 and after[0].casefold() in _JOINERS and after[1][0].isdigit():
                return None
            if after and after[0] in {"-", "–", "—"} and len(after) == 2:
                return None
            if self._is_denied(words, position):
                return None
            chosen.add(int(match[1]))
        return frozenset(chosen)


def _words(text: str) -> list[str]:
    return _WORD.findall(text)
