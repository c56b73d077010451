"""The sections ``vocabulary`` and ``templates`` of a spec, read into ``Words``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, cast

from sorites.canonical import Json
from sorites.errors import Problem
from sorites.families.argument_schemes.read_formula import read_formula
from sorites.families.argument_schemes.words import ASSERTED, DENIED, PLAIN, Vocabulary, Words
from sorites.logic.sentence_templates import (
    MAIN,
    Forms,
    Phrase,
    Saying,
    SentenceRules,
    Template,
    TemplateError,
    Templates,
    Wording,
    read_phrase,
    read_template,
)
from sorites.specfile.reader import Document

__all__ = ["read_words"]

_Section: TypeAlias = Mapping[str, Json]

_MEMBER = re.compile(r"\{member(?::([A-Za-z][A-Za-z0-9_-]*))?\}")


def read_words(document: Document, language: str, problems: list[Problem]) -> Words:
    """The words of a spec that fits its JSON Schema; what is wrong goes to ``problems``."""
    data = cast("_Section", document.data)
    section = cast("_Section", data["vocabulary"])
    vocabulary = Vocabulary(
        _forms(section["class"]), _forms(section["individual"]), _forms(section["member"])
    )
    rules = _rules(cast("_Section", section.get("sentence", {})))
    glosses: dict[tuple[str, str], str] = {}
    phrases = {
        key: _read_phrase(document, key, section[key], glosses, problems)
        for key in (ASSERTED, DENIED)
    }
    reader = _TemplateReader(document, vocabulary, rules, glosses, problems)
    templates = reader.templates()
    return Words(language, vocabulary, templates, phrases, rules, glosses, reader.places)


def _forms(value: Json) -> Forms:
    if isinstance(value, Mapping):
        return {name: str(text) for name, text in value.items()}
    return {"": str(value)}


def _rules(section: _Section) -> SentenceRules:
    return SentenceRules(
        capital=section.get("capital", "added") == "added",
        full_stop=str(section.get("full_stop", ".")),
    )


def _read_phrase(
    document: Document,
    key: str,
    value: Json,
    glosses: dict[tuple[str, str], str],
    problems: list[Problem],
) -> Phrase:
    text = value
    if isinstance(value, Mapping):
        text = value["text"]
        glosses["", key] = str(value["gloss"])
    try:
        return read_phrase(str(text))
    except TemplateError as error:
        problems.append(document.problem(("vocabulary", key), str(error)))
        return Phrase("", "")


class _TemplateReader:
    """Reads the templates one after the other; each shape may have one entry."""

    def __init__(
        self,
        document: Document,
        vocabulary: Vocabulary,
        rules: SentenceRules,
        glosses: dict[tuple[str, str], str],
        problems: list[Problem],
    ) -> None:
        self._document = document
        self._vocabulary = vocabulary
        self._rules = rules
        self._glosses = glosses
        self._problems = problems
        self.places: dict[tuple[str, str], tuple[str | int, ...]] = {}

    def templates(self) -> Templates:
        data = cast("_Section", self._document.data)
        found: dict[str, Saying] = {}
        seen: dict[str, int] = {}
        for position, entry in enumerate(cast("Sequence[_Section]", data["templates"])):
            place: tuple[str | int, ...] = ("templates", position)
            formula = read_formula(
                self._document, (*place, "formula"), str(entry["formula"]), self._problems
            )
            if formula is None:
                continue
            if formula.shape in seen:
                self._report(
                    (*place, "formula"),
                    f"templates[{seen[formula.shape]}] is for a formula of the same shape",
                    "keep one template for each shape; it can have several texts",
                )
            seen[formula.shape] = position
            wordings: list[Wording] = []
            if ("text" in entry) == ("texts" in entry):
                self._report(place, "a template has either a text or texts")
                continue
            for at, name, clauses, gloss in _wordings(entry):
                if name in [each.name for each in wordings]:
                    self._report((*place, *at), f'the wording "{name}" stands twice')
                read: dict[str, Template] = {}
                for clause, text in clauses.items():
                    where = (*place, *at, *(() if len(clauses) == 1 else (clause,)))
                    try:
                        read[clause] = read_template(
                            formula,
                            self._with_member(text),
                            forms=(
                                _named(self._vocabulary.classes),
                                _named(self._vocabulary.individuals),
                            ),
                        )
                    except TemplateError as error:
                        self._report(
                            where, str(error), "use each symbol of the formula as {SYMBOL}"
                        )
                    if fault := self._rules.fault(text):
                        self._report(where, fault, "see vocabulary.sentence: capital and full_stop")
                if MAIN in read:
                    wordings.append(Wording(name, read))
                    self.places[formula.shape, name] = (*place, *at)
                if gloss is not None:
                    self._glosses[formula.shape, name] = gloss
            if wordings:
                found[formula.shape] = Saying(formula, tuple(wordings))
        return Templates(found)

    def _with_member(self, text: str) -> str:
        members = self._vocabulary.members

        def named(match: re.Match[str]) -> str:
            form = match[1] or (next(iter(members)) if len(members) == 1 else "")
            if form not in members:
                raise TemplateError(
                    f"the placeholder {match[0]} must ask for a form that the noun has: "
                    + ", ".join(f"{{member:{each}}}" for each in _named(members))
                )
            return members[form].replace("{", "{{").replace("}", "}}")

        return _MEMBER.sub(named, text)

    def _report(self, place: tuple[str | int, ...], message: str, hint: str = "") -> None:
        self._problems.append(self._document.problem(place, message, hint))


def _named(forms: Forms) -> tuple[str, ...]:
    return tuple(form for form in forms if form)


def _wordings(
    entry: _Section,
) -> Iterator[tuple[tuple[str | int, ...], str, Mapping[str, str], str | None]]:
    """The wordings of an entry: place, name, text of each form of clause, gloss."""
    if "text" in entry:
        gloss = entry.get("gloss")
        yield ("text",), PLAIN, _clauses(entry["text"]), None if gloss is None else str(gloss)
        return
    for position, wording in enumerate(cast("Sequence[_Section]", entry["texts"])):
        gloss = wording.get("gloss", entry.get("gloss"))
        yield (
            ("texts", position, "text"),
            str(wording["name"]),
            _clauses(wording["text"]),
            None if gloss is None else str(gloss),
        )


def _clauses(value: Json) -> Mapping[str, str]:
    if isinstance(value, Mapping):
        return {name: str(text) for name, text in value.items()}
    return {MAIN: str(value)}
