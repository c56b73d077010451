"""Clause-embedding verbs: their forms, and what they commit a speaker to.

A signature such as ``+/o`` says what follows about the complement from the verb in a positive
and in a negated clause: ``+`` that it is true, ``-`` that it is false, ``o`` nothing (Nairn,
Condoravdi and Karttunen 2006).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

import lemminflect

from sorites.errors import SoritesError

__all__ = ["Sign", "UnknownForm", "Verb", "derive_form"]


class UnknownForm(SoritesError):
    """A form of a verb that the dictionary does not have, or has more than once."""


class Sign(enum.Enum):
    """What a verb in a clause of one polarity says about its complement."""

    TRUE = "+"
    FALSE = "-"
    OPEN = "o"


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb: ``present`` is the third person singular, the lemma serves for the plural.

    ``judgements`` holds mean ratings of human studies by the name of the study.
    """

    lemma: str
    present: str
    past: str
    positive: Sign
    negative: Sign
    judgements: Mapping[str, float]

    @property
    def signature(self) -> str:
        """The signature as it is written, such as ``+/o``."""
        return f"{self.positive.value}/{self.negative.value}"

    def sign(self, *, negated: bool) -> Sign:
        """What the verb says about its complement in a clause of that polarity."""
        return self.negative if negated else self.positive


def derive_form(lemma: str, tag: str) -> str:
    """The form of a verb with a Penn tag (``VBZ``, ``VBD``), from lemminflect's dictionary.

    Raises UnknownForm unless there is exactly one: nothing is guessed from the spelling.
    """
    forms: tuple[str, ...] = lemminflect.getInflection(lemma, tag, inflect_oov=False)
    if len(forms) == 1:
        return forms[0]
    if forms:
        raise UnknownForm(f"{lemma} has more than one such form: {', '.join(forms)}")
    raise UnknownForm(f"{lemma} has no such form in the dictionary")
