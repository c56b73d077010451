"""What a model wrote, read as an answer or as none; never a guess.

The rule, in time linear in the text:

1. The thought is dropped. One that was opened and never closed leaves a reply that was cut off.
2. The text is made plain: one form of every character, no markup, no quotes, and a JSON value as
   lines of ``key: value``.
3. A label counts where it stands alone, is emphasised, or is announced, by a word for an answer or
   by a separator, which needs no language; and at the end of a sentence of a few words. A longer
   label wins over one inside it; a label of one letter keeps its case.
4. Labels that are asked about, doubted, offered beside others, said under a condition, put into
   the mouth of someone else, or a word of a longer sentence are passed over. What is said in
   parentheses is an aside.
5. All labels that count must be the same, and none of them denied.
6. Where the task asks for a selection, it is read from the label's sentence
   (``sorites_eval.scoring.selections``); if it is unclear, the label still stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from sorites_eval.scoring.mentions import Mention, Strength, mentions
from sorites_eval.scoring.naming import named_by
from sorites_eval.scoring.plain import characters, plain
from sorites_eval.scoring.selections import Marker, is_list, read_selection
from sorites_eval.scoring.thought import part_thought
from sorites_eval.scoring.tokens import cut

__all__ = ["Outcome", "Reader", "Reading"]

_ASIDE = re.compile(r"\(([^()\n]{0,500})\)")
_QUOTED = re.compile(r'"([^"\n]{1,300})"')


class Outcome(StrEnum):
    """What kind of reply it was, from an answer to none at all."""

    ANSWER = "answered"
    UNREADABLE = "unreadable"
    CUT_OFF = "cut off"
    EMPTY = "empty"
    REFUSED = "refused"
    ERROR = "error"

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        """Of runs written by version 0.2, which knew fewer."""
        return {"answer": cls.ANSWER, "irrelevant": cls.UNREADABLE}.get(str(value))


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
    <Outcome.UNREADABLE: 'unreadable'>
    """

    def __init__(self, labels: Iterable[str], marker: str | None = None) -> None:
        texts = {label: characters(label) for label in labels}
        self._texts = frozenset(text.casefold() for text in texts.values())
        self._names = named_by(texts)
        self._own = frozenset(
            word.folded
            for several in self._names.values()
            for _, words in several
            for word in words
        )
        self._marker = Marker.of(marker) if marker else None

    def read(self, text: str) -> Reading:
        """The answer in a text, if it has one."""
        parted = part_thought(text)
        if parted.unfinished:
            return Reading(Outcome.CUT_OFF)
        if not parted.answer.strip():
            return Reading(Outcome.EMPTY)
        bare = self._without_asides(_unwrapped(plain(parted.answer, self._texts)))
        marked = self._marker.word if self._marker else None
        found = cut(bare, marked, self._own)
        answer = _agreed(mentions(found, self._names, self._own))
        if answer is None:
            return Reading(Outcome.UNREADABLE)
        if self._marker is None:
            return Reading(Outcome.ANSWER, answer.label)
        start, stop = found.tokens[answer.start].start, found.tokens[answer.end - 1].stop
        selection = read_selection(bare, start, stop, self._marker)
        return Reading(Outcome.ANSWER, answer.label, selection)

    def _without_asides(self, text: str) -> str:
        marked = self._marker.first(text) if self._marker else len(text)
        text = _ASIDE.sub(lambda found: self._aside(found, marked), text)
        return _QUOTED.sub(self._quotation, text)

    def _aside(self, found: re.Match[str], marked: int) -> str:
        """Nothing for an aside; but a label in parentheses is none, nor is a reply's first list."""
        inside = found[1].strip(' "\x02\x03').casefold()
        if inside in self._texts:
            return f"({found[1]})"
        if self._marker and marked >= found.start() and is_list(inside, self._marker):
            return f", {found[1]} "
        return " "

    def _quotation(self, found: re.Match[str]) -> str:
        """Nothing for a quoted sentence; what is quoted if it begins with a label."""
        inside = found[1].strip(" \x02\x03").casefold()
        begins = any(inside.startswith(label) for label in self._texts)
        return found[1] if begins or " " not in inside else " "


def _unwrapped(text: str) -> str:
    """Text without the brackets or quotes that stand around all of it."""
    for opening, closing in ("<>", "()", "[]", "{}", '""', "''"):
        inside = text[1:-1]
        around = text.startswith(opening) and text.endswith(closing) and len(text) > 2
        if around and opening not in inside and closing not in inside:
            return inside.strip()
    return text


def _agreed(found: Sequence[Mention]) -> Mention | None:
    """The first of the plainest mentions if all of them name one label that is nowhere denied."""
    given = [mention for mention in found if not mention.denied]
    strongest = max((mention.strength for mention in given), default=Strength.PLAIN)
    counting = [mention for mention in given if mention.strength is strongest]
    labels = {mention.label for mention in counting}
    denied = {mention.label for mention in found if mention.denied}
    if len(labels) != 1 or labels & denied:
        return None
    return counting[0]
