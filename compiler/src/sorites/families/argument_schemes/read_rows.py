"""The sentences of a row read back to formulas, by the spec's templates and the row's names."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import cast

from sorites.canonical import Json
from sorites.characters import fold
from sorites.errors import InvalidSpec, Problem, SoritesError
from sorites.families.argument_schemes.english import EnglishReader
from sorites.families.argument_schemes.read_words import read_words
from sorites.families.argument_schemes.words import DENIED, Words
from sorites.logic.formulas import Formula, negation
from sorites.logic.read_back import Names, Reading
from sorites.specfile.complaints import complaints
from sorites.specfile.reader import read_text
from sorites.specfile.schemas import load_schemas

__all__ = ["RowReader", "SaidRow", "words_of_release"]

KIND = "argument-schemes"

Row = Mapping[str, object]

_MOST_KNOWN = 65_536
"""Sentences that are remembered, a few hundred bytes each. Items of one argument stand together."""


def words_of_release(document: Mapping[str, Json]) -> Words:
    """The words of the spec that a release records.

    Raises SoritesError where the spec is not one that this version of the compiler reads.
    """
    try:
        spec = read_text(json.dumps(document, ensure_ascii=False), Path("release.json"))
    except InvalidSpec as error:
        raise SoritesError(f"the spec of the release cannot be read: {error}") from None
    found = [*complaints(load_schemas().validator(KIND).iter_errors(spec.data))]
    problems: list[Problem] = [spec.problem(each.path, each.message) for each in found]
    if not problems:
        languages = cast("Sequence[str]", document["languages"])
        words = read_words(spec, languages[0], problems)
        if not problems:
            return words
    raise SoritesError(f"the spec of the release is not one that this version reads: {problems[0]}")


@dataclass(frozen=True, slots=True)
class SaidRow:
    """What a row says in words: its premises, its conclusion, and what keeps them from being read.

    Where there are faults, premises and conclusion are not to be used.
    """

    premises: tuple[Formula, ...]
    conclusion: Formula | None
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence over the names that occur in it: its readings, or why English says otherwise."""

    readings: tuple[Reading, ...]
    fault: str | None


class RowReader:
    """Reads rows; sentences that stand in many rows are read once."""

    def __init__(self, words: Words, assumptions: str | None) -> None:
        self._words = words
        self._assumptions = assumptions
        self._reader = words.reader()
        self._english = EnglishReader(words)
        self._known: dict[tuple[bool, str, tuple[tuple[str, str], ...]], _Read] = {}
        self._names = lru_cache(maxsize=65_536)(self._folded_name)
        self._folded = lru_cache(maxsize=65_536)(fold)

    def read(self, row: Row, predicates: Collection[str]) -> SaidRow:
        """What a row says; ``predicates`` are those of its symbols that stand for classes."""
        names = self._names_of(row, predicates)
        faults = [*_shared_names(names), *self._told(row), *_domain_faults(row, names)]
        said: list[Reading] = []
        sentences = [*cast("Sequence[str]", row["premises"]), cast(str, row["conclusion"])]
        for position, text in enumerate(sentences, 1):
            last = position == len(sentences)
            where = "the conclusion" if last else f"premise {position}"
            found = self._sentence(text, names, conclusion=last)
            formulas = {(reading.formula, reading.phrase) for reading in found.readings}
            if not formulas:
                faults.append(f'{where} is no sentence of the templates: "{text}"')
            elif len(formulas) > 1:
                shown = " or ".join(sorted({str(_whole(reading)) for reading in found.readings}))
                faults.append(f'{where} can be read as {shown}: "{text}"')
            elif found.fault:
                faults.append(f'{where}: {found.fault}: "{text}"')
            else:
                said.append(found.readings[0])
                if fault := self._wording_fault(found.readings, row):
                    faults.append(f"{where} {fault}")
        if faults:
            return SaidRow((), None, tuple(faults))
        polarity = said[-1].phrase
        if polarity != row["polarity"]:
            return SaidRow(
                (), None, (f"the conclusion is {polarity} in words, not {row['polarity']}",)
            )
        return SaidRow(tuple(reading.formula for reading in said[:-1]), _whole(said[-1]), ())

    def _names_of(self, row: Row, predicates: Collection[str]) -> Names:
        classes: dict[str, Mapping[str, str]] = {}
        individuals: dict[str, Mapping[str, str]] = {}
        for binding in cast("Sequence[Mapping[str, str]]", row["bindings"]):
            symbol = binding["symbol"]
            is_class = symbol in predicates
            (classes if is_class else individuals)[symbol] = self._names(is_class, binding["name"])
        return Names(classes, individuals)

    def _folded_name(self, is_class: bool, name: str) -> Mapping[str, str]:
        forms = self._words.name_class(name) if is_class else self._words.name_individual(name)
        return {form: fold(text) for form, text in forms.items()}

    def _told(self, row: Row) -> Iterator[str]:
        if row["assumptions"] != self._assumptions:
            yield f"assumptions says {row['assumptions']!r}, and the spec {self._assumptions!r}"

    def _wording_fault(self, readings: Sequence[Reading], row: Row) -> str | None:
        wanted = cast("str | None", row["wording"])
        saying = self._words.templates.by_shape[readings[0].formula.shape]
        name = saying.wording(wanted).name
        if name in [reading.wording for reading in readings]:
            return None
        return f'is in the wording "{readings[0].wording}", not "{name}"'

    def _sentence(self, text: str, names: Names, *, conclusion: bool) -> _Read:
        folded = self._folded(text)
        near = Names(
            {symbol: forms for symbol, forms in names.classes.items() if _occurs(forms, folded)},
            {
                symbol: forms
                for symbol, forms in names.individuals.items()
                if _occurs(forms, folded)
            },
        )
        key = (
            conclusion,
            text,
            tuple(
                (symbol, next(iter(forms.values())))
                for symbol, forms in (*near.classes.items(), *near.individuals.items())
            ),
        )
        known = self._known.get(key)
        if known is None:
            read = self._reader.conclusion if conclusion else self._reader.premise
            readings = read(text, near)
            known = _Read(readings, self._english_fault(text, near, readings))
            if len(self._known) == _MOST_KNOWN:
                self._known.clear()
            self._known[key] = known
        return known

    def _english_fault(self, text: str, names: Names, readings: Sequence[Reading]) -> str | None:
        if len({(reading.formula, reading.phrase) for reading in readings}) != 1:
            return None
        first = readings[0]
        if not self._english.reads(first.formula.shape, first.wording, first.phrase):
            return None
        return self._english.sentence_fault(text, names, _whole(first))


def _whole(reading: Reading) -> Formula:
    return negation(reading.formula) if reading.phrase == DENIED else reading.formula


def _occurs(forms: Mapping[str, str], text: str) -> bool:
    for form in forms.values():  # noqa: SIM110  (asked a million times: a generator costs twice)
        if form in text:
            return True
    return False


def _shared_names(names: Names) -> Iterator[str]:
    """Symbols that a reader could not tell apart by their names, in any form."""
    called: dict[str, str] = {}
    for symbol, forms in (*names.classes.items(), *names.individuals.items()):
        for text in dict.fromkeys(forms.values()):
            other = called.setdefault(text, symbol)
            if other != symbol:
                yield f'{other} and {symbol} have one name: "{text}"'


def _domain_faults(row: Row, names: Names) -> Iterator[str]:
    domain = row["domain"]
    if domain is None:
        return
    for binding in cast("Sequence[Mapping[str, str]]", row["bindings"]):
        if binding["symbol"] in names.classes and fold(binding["name"]) == fold(cast(str, domain)):
            yield f'the domain and {binding["symbol"]} have one name: "{domain}"'
