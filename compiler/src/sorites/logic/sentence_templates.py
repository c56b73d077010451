"""Formulas put into sentences by templates that are keyed by the shape of a formula.

A template belongs to a shape, not to a scheme: ``all x.(F(x) -> G(x))`` with the text
``every gene in {F} is also in {G}`` serves every formula that says this of two classes. The
placeholders are the symbols of the template's own formula.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import Formatter

from sorites.errors import SoritesError
from sorites.logic.formulas import Formula

__all__ = ["Template", "TemplateError", "Templates", "read_template", "sentence"]


class TemplateError(SoritesError):
    """A template whose placeholders are not exactly the symbols of its formula."""


@dataclass(frozen=True, slots=True)
class Template:
    """A text cut at its placeholders: literal text, then the index of a symbol, and so on.

    Symbols are numbered in the order of their first occurrence in the formula, predicates
    before individuals; -1 ends the text.
    """

    parts: tuple[tuple[str, int], ...]


def read_template(formula: Formula, text: str) -> Template:
    """Read the text of a template for a formula.

    Raises TemplateError for a placeholder that is no symbol of the formula, a symbol that the
    text does not use, a format specification, or an unmatched brace.
    """
    found = formula.symbols
    order = [*found.predicates, *found.individuals]
    parts: list[tuple[str, int]] = []
    try:
        pieces = list(Formatter().parse(text))
    except ValueError as error:
        raise TemplateError(f"the text cannot be read: {error}") from None
    for literal, field, format_spec, conversion in pieces:
        if field is None:
            parts.append((literal, -1))
            continue
        if format_spec or conversion:
            raise TemplateError(f"the placeholder {{{field}}} may not have a format")
        if field not in order:
            raise TemplateError(
                f"the placeholder {{{field}}} is no symbol of {formula}; its symbols are "
                + ", ".join(f"{{{name}}}" for name in order)
            )
        parts.append((literal, order.index(field)))
    used = {index for _, index in parts}
    for index, name in enumerate(order):
        if index not in used:
            raise TemplateError(f"the text does not use {{{name}}}, which {formula} speaks of")
    return Template(tuple(parts))


@dataclass(frozen=True, slots=True)
class Templates:
    """The templates of a spec, by shape."""

    by_shape: Mapping[str, Template]

    def covers(self, formula: Formula) -> bool:
        """Whether there is a template for the shape of a formula."""
        return formula.shape in self.by_shape

    def missing(self, formulas: Iterable[Formula]) -> list[Formula]:
        """The formulas without a template, one for each shape, in the order given."""
        first: dict[str, Formula] = {}
        for formula in formulas:
            first.setdefault(formula.shape, formula)
        return [formula for key, formula in first.items() if key not in self.by_shape]

    def verbalise(self, formula: Formula, names: Mapping[str, str]) -> str:
        """The clause for a formula: small first letter where the template has one, no full stop.

        ``names`` says how each predicate and individual is called in a sentence. Raises
        KeyError for a shape without a template: ``check`` has refused such a spec.
        """
        found = formula.symbols
        order = [*found.predicates, *found.individuals]
        return "".join(
            literal if index < 0 else literal + names[order[index]]
            for literal, index in self.by_shape[formula.shape].parts
        )


def sentence(clause: str) -> str:
    """A clause with a capital and a full stop.

    >>> sentence("gene TP53 is in the pathway")
    'Gene TP53 is in the pathway.'
    """
    return clause[:1].upper() + clause[1:] + "."
