"""Sentences of a spec and of a release, read by English function words instead of templates.

Reading with the templates that wrote a sentence shows that it is unambiguous, not that it is
right: a template of "some" that says "every" would pass. So each text, or the gloss that a
person has reviewed in its place, is read by a grammar that knows no template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from sorites.characters import fold
from sorites.families.argument_schemes.words import ASSERTED, Words
from sorites.logic.formulas import Formula, negation, parse, rename
from sorites.logic.grammar.function_words import CLASS, INDIVIDUAL, MEMBER, readings
from sorites.logic.prover import Answer, Prover
from sorites.logic.read_back import Names
from sorites.logic.sentence_templates import MAIN, Saying, Template, read_phrase

__all__ = ["EnglishReader"]

ENGLISH = "en"

FIRST_TOKEN = 0xE100
"""Characters for private use, one for each name of an item while its sentence is read."""


class EnglishReader:
    """Compares what texts say by their function words with what formulas say."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._prover = Prover()
        self._alike: dict[tuple[Formula, Formula], bool] = {}
        nouns = sorted(
            {fold(text) for text in words.vocabulary.members.values()}, key=len, reverse=True
        )
        self._nouns = re.compile(r"\b(?:" + "|".join(map(re.escape, nouns)) + r")\b")

    def template_fault(self, saying: Saying, wording: str) -> str | None:
        """Why a wording, or its gloss, does not say its formula; None if it does."""
        gloss = self._words.glosses.get((saying.formula.shape, wording))
        found = saying.formula.symbols
        order = [*found.predicates, *found.individuals]
        if gloss is not None:
            text, used = self._from_gloss(gloss, found.predicates, found.individuals)
            what = "the gloss"
        elif self._words.language != ENGLISH:
            return "the text is not in English: it needs a gloss"
        else:
            template = saying.wording(wording).clauses[MAIN]
            text, used = _filled(template, order, len(found.predicates))
            what = "the text"
        return self._fault(self._nouns.sub(MEMBER, text), used, saying.formula, what)

    def phrase_fault(self, key: str) -> str | None:
        """Why a phrase, or its gloss, does not assert or deny; None if it does."""
        clause = f"{INDIVIDUAL} is in {CLASS}"
        gloss = self._words.glosses.get(("", key))
        if gloss is None and self._words.language != ENGLISH:
            return "the phrase is not in English: it needs a gloss"
        phrase = self._words.phrases[key] if gloss is None else read_phrase(gloss)
        core = parse("F(a)")
        wanted = core if key == ASSERTED else negation(core)
        names = [("F", CLASS), ("a", INDIVIDUAL)]
        return self._fault(phrase.around(clause), names, wanted, "the phrase")

    def reads(self, shape: str, wording: str, phrase: str = "") -> bool:
        """Whether the sentences of a wording are in English themselves, without a gloss."""
        return (
            self._words.language == ENGLISH
            and (shape, wording) not in self._words.glosses
            and (not phrase or ("", phrase) not in self._words.glosses)
        )

    def sentence_fault(self, text: str, names: Names, formula: Formula) -> str | None:
        """Why a sentence of an item does not say a formula; ``names`` are folded."""
        called: dict[str, tuple[str, str]] = {}
        for kind, known in ((CLASS, names.classes), (INDIVIDUAL, names.individuals)):
            for symbol, forms in known.items():
                called |= dict.fromkeys(forms.values(), (symbol, kind))
        shown = fold(text)
        tokens: dict[str, tuple[str, str]] = {}
        # The longest names first, for a name may stand in another.
        for number, form in enumerate(sorted(called, key=len, reverse=True)):
            tokens[chr(FIRST_TOKEN + number)] = called[form]
            shown = shown.replace(form, chr(FIRST_TOKEN + number))
        used = [tokens[character] for character in shown if character in tokens]
        for character, (_, kind) in tokens.items():
            shown = shown.replace(character, kind)
        return self._fault(self._nouns.sub(MEMBER, shown), used, formula, "the sentence")

    def _from_gloss(
        self, gloss: str, predicates: Sequence[str], individuals: Sequence[str]
    ) -> tuple[str, list[tuple[str, str]]]:
        kinds = dict.fromkeys(predicates, CLASS) | dict.fromkeys(individuals, INDIVIDUAL)
        used: list[tuple[str, str]] = []

        def token(match: re.Match[str]) -> str:
            kind = kinds.get(match[1])
            if kind is None:
                return match[0]
            used.append((match[1], kind))
            return kind

        return re.sub(r"\{(\w+)\}", token, gloss), used

    def _fault(
        self, text: str, used: Sequence[tuple[str, str]], formula: Formula, what: str
    ) -> str | None:
        found = readings(text)
        if not found:
            return f"no grammar of English function words reads {what}"
        names = dict(_numbered(used))
        for reading in found:
            said = rename(reading, names)
            if not self._equivalent(said, formula):
                return f"by its function words {what} says {said}, not {formula}"
        return None

    def _equivalent(self, one: Formula, other: Formula) -> bool:
        if one == other:
            return True
        known = self._alike.get((one, other))
        if known is None:
            known = {
                self._prover.entails([one], other),
                self._prover.entails([other], one),
            } == {Answer.YES}
            self._alike[one, other] = known
        return known


def _filled(
    template: Template, order: Sequence[str], predicates: int
) -> tuple[str, list[tuple[str, str]]]:
    """A template with a token for each name, and the names in the order of the text."""
    text = ""
    used: list[tuple[str, str]] = []
    for literal, index, _ in template.parts:
        text += fold(literal)
        if index >= 0:
            kind = CLASS if index < predicates else INDIVIDUAL
            used.append((order[index], kind))
            text += kind
    return text, used


def _numbered(used: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The grammar's symbol of each token, with what the token stands for."""
    letters: Mapping[str, str] = {CLASS: "C", INDIVIDUAL: "a"}
    counts = dict.fromkeys(letters, 0)
    for symbol, kind in used:
        counts[kind] += 1
        yield f"{letters[kind]}{counts[kind]}", symbol
