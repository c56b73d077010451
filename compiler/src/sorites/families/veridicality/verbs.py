"""Clause-embedding verbs: their forms, and what they commit a speaker to.

A signature such as ``+/o`` says what follows about the complement from the verb in a positive
and in a negated clause: ``+`` that it is true, ``-`` that it is false, ``o`` nothing (Nairn,
Condoravdi and Karttunen 2006).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import lemminflect

from sorites.errors import SoritesError
from sorites.families.veridicality.polarity import Environment, Level, Sign

__all__ = ["Complement", "Sign", "UnknownForm", "Verb", "derive_form"]


class Complement(StrEnum):
    """What a verb takes: a clause with a subject of its own, or an infinitive without one."""

    THAT = "that"
    TO = "to"


class UnknownForm(SoritesError):
    """A form of a verb that the dictionary does not have, or has more than once."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb with one kind of complement.

    ``present`` is the third person singular; where a plural form is None it is the lemma in the
    present and the singular's in the past, as in English. ``marker`` tells a verb with an
    infinitive apart by name. ``judgements`` holds mean ratings of human studies by the name of
    the study.
    """

    lemma: str
    present: str
    past: str
    positive: Sign
    negative: Sign
    judgements: Mapping[str, float]
    complement: Complement = Complement.THAT
    participle: str | None = None
    present_plural: str | None = None
    past_plural: str | None = None
    marker: str = "to"

    @property
    def name(self) -> str:
        """The lemma, with the marker of an infinitive where it takes one: ``remember to``."""
        return self.lemma if self.complement is Complement.THAT else f"{self.lemma} {self.marker}"

    @property
    def signature(self) -> str:
        """The signature as it is written, such as ``+/o``."""
        return f"{self.positive.value}/{self.negative.value}"

    @property
    def forms(self) -> tuple[str, ...]:
        """Every form that the verb may have in a sentence, each once."""
        plurals = (self.present_plural, self.past_plural, self.participle)
        known = (self.lemma, self.present, self.past, *(form for form in plurals if form))
        return tuple(dict.fromkeys(known))

    def finite(self, tense: str, *, plural: bool) -> str:
        """The form that agrees with a subject in the third person, or with any in the plural."""
        if tense == "past":
            return self.past_plural or self.past if plural else self.past
        return self.present_plural or self.lemma if plural else self.present

    def level(self, environment: Environment) -> Level:
        """The verb in an environment, as the algebra of polarity sees it."""
        return Level(self.positive, self.negative, environment)


def derive_form(lemma: str, tag: str) -> str:
    """The form of an English verb with a Penn tag (``VBZ``, ``VBD``, ``VBN``), looked up.

    Raises UnknownForm unless lemminflect's dictionary has exactly one: nothing is guessed from
    the spelling.
    """
    forms: tuple[str, ...] = lemminflect.getInflection(lemma, tag, inflect_oov=False)
    if len(forms) == 1:
        return forms[0]
    if forms:
        raise UnknownForm(f"{lemma} has more than one such form: {', '.join(forms)}")
    raise UnknownForm(f"{lemma} has no such form in the dictionary")
