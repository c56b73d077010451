"""Sentences read back to formulas, by the templates that words are made with and given names.

The reader tries every template with every name at every place, so that a sentence which can be
read in two ways has two readings. It reads as people do: case, forms of a character in Unicode,
runs of spaces and invisible characters make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sorites.characters import fold
from sorites.logic.formulas import Formula, rename
from sorites.logic.sentence_templates import (
    MAIN,
    Forms,
    Phrase,
    SentenceRules,
    Template,
    Templates,
    in_form,
)

__all__ = ["Names", "Reading", "SentenceReader"]


@dataclass(frozen=True, slots=True)
class Names:
    """How the symbols of an item are called: classes and individuals, each in its forms."""

    classes: Mapping[str, Forms]
    individuals: Mapping[str, Forms]

    def folded(self) -> Names:
        """The names as a reader sees them."""
        return Names(
            {symbol: _folded(forms) for symbol, forms in self.classes.items()},
            {symbol: _folded(forms) for symbol, forms in self.individuals.items()},
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence says: a formula, after which phrase (by its key), in which wording."""

    formula: Formula
    phrase: str
    wording: str


@dataclass(frozen=True, slots=True)
class _Form:
    formula: Formula
    wording: str
    parts: tuple[tuple[str, int, str], ...]


class SentenceReader:
    """Reads premises, and conclusions after the phrases that are known."""

    def __init__(
        self, templates: Templates, phrases: Mapping[str, Phrase], rules: SentenceRules
    ) -> None:
        self._stop = fold(rules.full_stop)
        self._forms: dict[str, list[_Form]] = {}
        for saying in templates.by_shape.values():
            for wording in saying.wordings:
                for clause, template in wording.clauses.items():
                    self._forms.setdefault(clause, []).append(
                        _Form(saying.formula, wording.name, _parts(template))
                    )
        self._phrases = {
            key: Phrase(fold(phrase.before), fold(phrase.after), phrase.clause)
            for key, phrase in phrases.items()
        }

    def premise(self, text: str, names: Names) -> tuple[Reading, ...]:
        """Everything that a premise can say; ``names`` are folded."""
        clause = self._clause(text)
        found = [] if clause is None else self._read(clause, MAIN, names)
        return tuple(dict.fromkeys(Reading(formula, "", name) for formula, name in found))

    def conclusion(self, text: str, names: Names) -> tuple[Reading, ...]:
        """Everything that a conclusion can say, the phrase before it told by its key."""
        said = self._clause(text)
        if said is None:
            return ()
        found: dict[Reading, None] = {}
        for key, phrase in self._phrases.items():
            if len(said) < len(phrase.before) + len(phrase.after):
                continue
            if said.startswith(phrase.before) and said.endswith(phrase.after):
                clause = said[len(phrase.before) : len(said) - len(phrase.after)]
                for formula, wording in self._read(clause, phrase.clause, names):
                    found[Reading(formula, key, wording)] = None
        return tuple(found)

    def _clause(self, text: str) -> str | None:
        folded = fold(text)
        return folded.removesuffix(self._stop) if folded.endswith(self._stop) else None

    def _read(self, clause: str, form: str, names: Names) -> Iterator[tuple[Formula, str]]:
        for each in self._forms.get(form, ()):
            # Most templates fall at their first words.
            if clause.startswith(each.parts[0][0]):
                for symbols in _matches(clause, 0, each, 0, names, {}):
                    order = (*each.formula.symbols.predicates, *each.formula.symbols.individuals)
                    yield (
                        rename(each.formula, {name: symbols[i] for i, name in enumerate(order)}),
                        each.wording,
                    )


def _matches(
    clause: str, at: int, form: _Form, number: int, names: Names, bound: dict[int, str]
) -> Iterator[dict[int, str]]:
    """The ways to read a clause from a place on with what is left of a template."""
    if number == len(form.parts):
        if at == len(clause):
            yield bound
        return
    literal, index, wanted = form.parts[number]
    if not clause.startswith(literal, at):
        return
    at += len(literal)
    if index < 0:
        yield from _matches(clause, at, form, number + 1, names, bound)
        return
    known = names.classes if index < len(form.formula.symbols.predicates) else names.individuals
    for symbol, forms in known.items():
        # Two symbols of a formula are two things: one name read twice is one symbol.
        if bound.get(index, symbol) != symbol or (index not in bound and symbol in bound.values()):
            continue
        name = in_form(forms, wanted)
        if clause.startswith(name, at):
            yield from _matches(
                clause, at + len(name), form, number + 1, names, {**bound, index: symbol}
            )


def _parts(template: Template) -> tuple[tuple[str, int, str], ...]:
    return tuple((fold(literal), index, form) for literal, index, form in template.parts)


def _folded(forms: Forms) -> Forms:
    return {form: fold(text) for form, text in forms.items()}
