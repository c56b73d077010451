"""How a spec puts formulas into words: its vocabulary, its phrases and its templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites.logic.formulas import Formula
from sorites.logic.read_back import Names, SentenceReader
from sorites.logic.sentence_templates import Forms, Phrase, SentenceRules, Templates
from sorites.seeds import random_for

__all__ = ["ASSERTED", "DENIED", "PLAIN", "Vocabulary", "Words"]

ASSERTED, DENIED = "asserted", "denied"
"""The two phrases before a conclusion, as the column ``polarity`` names them."""

PLAIN = "plain"
"""The name of a wording that a template gives without a name."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How a class, an individual and any member are called: texts, in each of their forms.

    The texts of classes and individuals hold ``{name}``.
    """

    classes: Forms
    individuals: Forms
    members: Forms

    def name_class(self, name: str) -> Forms:
        """A class as it stands in a sentence."""
        return {form: text.replace("{name}", name) for form, text in self.classes.items()}

    def name_individual(self, name: str) -> Forms:
        """An individual as it stands in a sentence."""
        return {form: text.replace("{name}", name) for form, text in self.individuals.items()}


@dataclass(frozen=True, slots=True)
class Words:
    """All that a spec says about its sentences.

    ``glosses`` are English readings by the shape of a formula and the name of a wording, and of
    the phrases by their key: what a person has reviewed where no grammar reads the text itself.
    ``places`` says where in the spec the wording of a shape stands.
    """

    language: str
    vocabulary: Vocabulary
    templates: Templates
    phrases: Mapping[str, Phrase]
    rules: SentenceRules
    glosses: Mapping[tuple[str, str], str]
    places: Mapping[tuple[str, str], tuple[str | int, ...]]

    def name_class(self, name: str) -> Forms:
        """A class as it stands in a sentence, in each of its forms."""
        return self.vocabulary.name_class(name)

    def name_individual(self, name: str) -> Forms:
        """An individual as it stands in a sentence, in each of its forms."""
        return self.vocabulary.name_individual(name)

    def wordings(self) -> tuple[str, ...]:
        """The names of the wordings among which an item draws."""
        names = self.templates.wordings()
        return tuple(name for name in names if name != PLAIN) or names

    def wording_for(self, seed: int, *purpose: str) -> str:
        """The wording that an item draws; shapes without one of that name use their first."""
        return random_for(seed, "wording", *purpose).choice(self.wordings())

    def premise(self, formula: Formula, called: Mapping[str, Forms], wording: str) -> str:
        """A premise as a sentence."""
        return self.rules.sentence(self.templates.verbalise(formula, called, wording=wording))

    def conclusion(
        self, core: Formula, called: Mapping[str, Forms], wording: str, *, denied: bool
    ) -> str:
        """A conclusion as a sentence: a clause with the phrase that asserts or denies it."""
        phrase = self.phrases[DENIED if denied else ASSERTED]
        clause = self.templates.verbalise(core, called, wording=wording, clause=phrase.clause)
        return self.rules.sentence(phrase.around(clause))

    def reader(self) -> SentenceReader:
        """Reads the sentences back."""
        return SentenceReader(self.templates, self.phrases, self.rules)

    def names(self, classes: Mapping[str, str], individuals: Mapping[str, str]) -> Names:
        """The names of an item's symbols, folded, for the reader."""
        return Names(
            {symbol: self.name_class(name) for symbol, name in classes.items()},
            {symbol: self.name_individual(name) for symbol, name in individuals.items()},
        ).folded()
