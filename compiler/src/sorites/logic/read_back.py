"""Sentences read back to formulas, by the templates that words are made with and given names.

The reader tries every template with every name at every place, so that a sentence which can be
read in two ways has two readings. It reads as people do: case, forms of a character in Unicode,
runs of spaces and invisible characters make no difference.

Most sentences differ from others in their names alone. Where each name stands at one place, apart
from the others, and none is in the words of a template, a sentence is read with marks for names,
and what was read of another with the same marks serves it too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

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
        literals = {part[0] for forms in self._forms.values() for f in forms for part in f.parts}
        self._literals = "\n".join(sorted(literals))
        self._fold = lru_cache(maxsize=65_536)(fold)
        self._marked = lru_cache(maxsize=65_536)(self._read_marked)
        self._renamed = lru_cache(maxsize=65_536)(_renamed)

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
        folded = self._fold(text)
        return folded.removesuffix(self._stop) if folded.endswith(self._stop) else None

    def _read(self, clause: str, form: str, names: Names) -> Iterator[tuple[Formula, str]]:
        marked = _with_marks(clause, names, self._literals)
        if marked is None:
            for each, symbols in self._read_all(clause, form, names):
                yield self._renamed(each.formula, symbols), each.wording
            return
        text, called = marked
        for each, marks in self._marked(text, form):
            symbols = tuple(called[mark] for mark in marks)
            yield self._renamed(each.formula, symbols), each.wording

    def _read_marked(self, text: str, form: str) -> tuple[tuple[_Form, tuple[str, ...]], ...]:
        """The readings of a clause whose names are marks, each a symbol that is called so."""
        classes = {mark: _Mark(mark) for mark in text if mark in _CLASSES}
        individuals = {mark: _Mark(mark) for mark in text if mark in _INDIVIDUALS}
        return tuple(self._read_all(text, form, Names(classes, individuals)))

    def _read_all(
        self, clause: str, form: str, names: Names
    ) -> Iterator[tuple[_Form, tuple[str, ...]]]:
        """The templates that read a clause, with the symbols of their formulas, in order."""
        for each in self._forms.get(form, ()):
            # Most templates fall at their first words.
            if clause.startswith(each.parts[0][0]):
                for symbols in _matches(clause, 0, each, 0, names, {}):
                    yield each, tuple(symbols[at] for at in range(len(symbols)))


class _Mark(dict[str, str]):
    """A mark for a name of one form, whatever form it is."""

    def __init__(self, mark: str) -> None:
        super().__init__({"": mark})

    def __missing__(self, form: str) -> str:
        return self[""]


_CLASSES = frozenset(map(chr, range(0xE000, 0xE100)))
_INDIVIDUALS = frozenset(map(chr, range(0xE100, 0xE200)))
"""Marks that stand for names, of a private area of Unicode."""
_MARK = re.compile("[\ue000-\ue1ff]")


def _with_marks(clause: str, names: Names, literals: str) -> tuple[str, dict[str, str]] | None:
    """A clause with marks for names, in the order in which they stand, and their symbols.

    None where another reading is thinkable than the one with each name at its place: a name
    stands twice, inside another, or in the words of a template, or has several forms.
    """
    places: list[tuple[int, int, str, bool]] = []
    for is_class, known in ((True, names.classes), (False, names.individuals)):
        for symbol, forms in known.items():
            if len(forms) > 1:
                return None
            (name,) = forms.values()
            at = clause.find(name)
            if at < 0:
                continue
            if clause.find(name, at + 1) >= 0 or name in literals:
                return None
            places.append((at, at + len(name), symbol, is_class))
    if len(places) > len(_CLASSES) or _MARK.search(clause):
        return None
    places.sort()
    parts: list[str] = []
    called: dict[str, str] = {}
    end = 0
    for number, (start, stop, symbol, is_class) in enumerate(places):
        if start < end:
            return None
        mark = chr((0xE000 if is_class else 0xE100) + number)
        called[mark] = symbol
        parts += (clause[end:start], mark)
        end = stop
    return "".join((*parts, clause[end:])), called


def _renamed(formula: Formula, symbols: tuple[str, ...]) -> Formula:
    """A formula with these symbols, predicates before individuals."""
    own = (*formula.symbols.predicates, *formula.symbols.individuals)
    return rename(formula, dict(zip(own, symbols, strict=True)))


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
