"""Formulas put into sentences by templates that are keyed by the shape of a formula.

A template belongs to a shape, not to a scheme: ``all x.(F(x) -> G(x))`` with the text
``every gene in {F} is also in {G}`` serves every formula that says this of two classes. The
placeholders are the symbols of the template's own formula. Where names have several forms, such
as cases, a placeholder says which: ``{F:dative}``.

A shape can have several wordings, each by its name, and a wording several forms of the clause:
``main``, and others such as ``subordinate``, for languages in which a clause changes its order.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Formatter

from sorites.errors import SoritesError
from sorites.logic.formulas import Formula

__all__ = [
    "MAIN",
    "Forms",
    "Phrase",
    "Saying",
    "SentenceRules",
    "Template",
    "TemplateError",
    "Templates",
    "Wording",
    "read_phrase",
    "read_template",
]

MAIN = "main"
"""The form of a clause that stands alone."""

Forms = Mapping[str, str]
"""A name in each of its forms, by the name of the form; an only form may have no name."""

_FORM = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class TemplateError(SoritesError):
    """A template whose placeholders are not exactly the symbols of its formula."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text cut at its placeholders: literal text, the index of a symbol, its form, and so on.

    Symbols are numbered in the order of their first occurrence in the formula, predicates
    before individuals; -1 ends the text. A form that is not named is the empty string.
    """

    parts: tuple[tuple[str, int, str], ...]

    def fill(self, names: Sequence[Forms]) -> str:
        """The text with the names of the symbols, by their numbers.

        Raises KeyError for a form that a name does not have.
        """
        return "".join(
            literal if index < 0 else literal + in_form(names[index], form)
            for literal, index, form in self.parts
        )


def in_form(name: Forms, form: str) -> str:
    """A name in one of its forms, or in its only form where none is named."""
    return name[form] if form else next(iter(name.values()))


def read_template(
    formula: Formula, text: str, *, forms: tuple[Iterable[str], Iterable[str]] = ((), ())
) -> Template:
    """Read the text of a template for a formula.

    ``forms`` are the forms that classes and that individuals have. Raises TemplateError for a
    placeholder that is no symbol of the formula or asks for an unknown form, a symbol that the
    text does not use, or an unmatched brace.
    """
    found = formula.symbols
    order = [*found.predicates, *found.individuals]
    parts: list[tuple[str, int, str]] = []
    try:
        pieces = list(Formatter().parse(text))
    except ValueError as error:
        raise TemplateError(f"the text cannot be read: {error}") from None
    for literal, field, format_spec, conversion in pieces:
        if field is None:
            parts.append((literal, -1, ""))
            continue
        form = format_spec or ""
        if conversion or (form and not _FORM.fullmatch(form)):
            raise TemplateError(f"the placeholder {{{field}}} may not have a format")
        if field not in order:
            raise TemplateError(
                f"the placeholder {{{field}}} is no symbol of {formula}; its symbols are "
                + ", ".join(f"{{{name}}}" for name in order)
            )
        known = [*forms[0 if field in found.predicates else 1]]
        if not form and len(known) > 1:
            raise TemplateError(
                f"the placeholder {{{field}}} must say which form it means: "
                + ", ".join(f"{{{field}:{each}}}" for each in known)
            )
        if form and form not in known:
            raise TemplateError(
                f"the placeholder {{{field}:{form}}} asks for a form that "
                f"{'classes' if field in found.predicates else 'individuals'} do not have: "
                + (f"their forms are {', '.join(known)}" if known else "they have one form")
            )
        parts.append((literal, order.index(field), form))
    used = {index for _, index, _ in parts}
    for index, name in enumerate(order):
        if index not in used:
            raise TemplateError(f"the text does not use {{{name}}}, which {formula} speaks of")
    return Template(tuple(parts))


@dataclass(frozen=True, slots=True)
class Wording:
    """One way to say a formula: a template for each form of the clause, ``main`` among them."""

    name: str
    clauses: Mapping[str, Template]


@dataclass(frozen=True, slots=True)
class Saying:
    """A formula that stands for its shape, and the wordings that say it, the first by default."""

    formula: Formula
    wordings: tuple[Wording, ...]

    def wording(self, name: str | None) -> Wording:
        """The wording of a name, or the first where there is none of that name."""
        return next((each for each in self.wordings if each.name == name), self.wordings[0])


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of a spec, by shape."""

    by_shape: Mapping[str, Saying]

    def covers(self, formula: Formula) -> bool:
        """Whether there is a template for the shape of a formula."""
        return formula.shape in self.by_shape

    def missing(self, formulas: Iterable[Formula]) -> list[Formula]:
        """The formulas without a template, one for each shape, in the order given."""
        first: dict[str, Formula] = {}
        for formula in formulas:
            first.setdefault(formula.shape, formula)
        return [formula for key, formula in first.items() if key not in self.by_shape]

    def wordings(self) -> tuple[str, ...]:
        """The names of all wordings, in the order in which the templates bring them up."""
        names = (each.name for saying in self.by_shape.values() for each in saying.wordings)
        return tuple(dict.fromkeys(names))

    def verbalise(
        self,
        formula: Formula,
        names: Mapping[str, Forms],
        *,
        wording: str | None = None,
        clause: str = MAIN,
    ) -> str:
        """The clause for a formula, as the template has it: no capital added, no full stop.

        ``names`` says how each predicate and individual is called in a sentence. Raises
        KeyError for a shape without a template or a clause without that form: ``check`` has
        refused such a spec.
        """
        found = formula.symbols
        template = self.by_shape[formula.shape].wording(wording).clauses[clause]
        return template.fill([names[name] for name in (*found.predicates, *found.individuals)])


@dataclass(frozen=True, slots=True)
class Phrase:
    """What is said about a clause: words before it and after it, and the form that it takes."""

    before: str
    after: str
    clause: str = MAIN

    def around(self, clause: str) -> str:
        """The phrase with a clause in it.

        >>> read_phrase("it is false that {sentence}").around("Tom is old")
        'it is false that Tom is old'
        """
        return f"{self.before}{clause}{self.after}"


def read_phrase(text: str) -> Phrase:
    """Read a phrase: a text with ``{sentence}`` once, or ``{sentence:FORM}`` for a form of clause.

    Raises TemplateError for any other text.
    """
    cut = re.fullmatch(r"([^{}]*)\{sentence(?::([A-Za-z][A-Za-z0-9_-]*))?\}([^{}]*)", text)
    if cut is None:
        raise TemplateError("the text must hold {sentence} once and no other braces")
    return Phrase(cut[1], cut[3], cut[2] or MAIN)


@dataclass(frozen=True, slots=True)
class SentenceRules:
    """What makes a clause a sentence: a capital that is added or not, and the mark at its end."""

    capital: bool = True
    full_stop: str = "."

    def sentence(self, clause: str) -> str:
        """A clause as a sentence of its own.

        >>> SentenceRules().sentence("gene TP53 is in the pathway")
        'Gene TP53 is in the pathway.'
        """
        start = clause[:1].upper() if self.capital else clause[:1]
        return start + clause[1:] + self.full_stop

    def fault(self, text: str) -> str | None:
        """How the text of a template breaks the rules; None if it keeps them."""
        if self.full_stop and text.rstrip().endswith(self.full_stop):
            return f"the text ends in {self.full_stop!r}, which is added to every sentence"
        if self.capital and text[:1].isupper():
            return "the text begins with a capital, which is added where a sentence begins"
        if text != text.strip():
            return "the text begins or ends with a space"
        return None
