"""Sentences that are read by templates: the reverse of putting formulas into words.

Unlike ``sorites.logic.read_back``, which knows the names of an item, this reader need not: what
stands at an open place is a name, whatever it is. Of the templates that a sentence fits, the one
with most of its own words reads it, so that *Some dogs are not pets* is not read as *Some {F} are
{G}*; two that fit equally well are an ambiguity, and the sentence is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sorites.characters import fold
from sorites.families.audit.reader import Unread
from sorites.logic.first_order.trees import Node, Symbol, key_of, renamed, symbols_of
from sorites.logic.formulas import Formula
from sorites.logic.notations.nltk_notation import NLTK
from sorites.logic.notations.parser import read_formula
from sorites.logic.notations.writer import write_formula
from sorites.logic.sentence_templates import Forms, Template, in_form

__all__ = ["TemplateReader"]

_MOST_READINGS = 50


@dataclass(frozen=True, slots=True)
class _Pattern:
    """A template: its formula and its parts as ``Template`` has them, folded."""

    formula: Formula
    node: Node
    parts: tuple[tuple[str, int, str], ...]
    words: int


class TemplateReader:
    """Reads sentences by templates; case, spaces and a full stop at the end make no difference.

    ``classes`` and ``individuals`` are the names that may stand in open places, each in its
    forms; where they are empty, anything may.
    """

    reads_words = True

    def __init__(
        self,
        templates: Sequence[tuple[Formula, Template]],
        classes: Sequence[Forms],
        individuals: Sequence[Forms],
        full_stop: str,
    ) -> None:
        self._patterns = [_pattern(formula, template) for formula, template in templates]
        self._names = tuple(_by_form(names) for names in (classes, individuals))
        self._full_stop = fold(full_stop)
        self._known: dict[str, Node | str] = {}

    @property
    def describes(self) -> str:
        """How texts are read, as the end of a sentence."""
        return f"by {len(self._patterns)} templates of the spec"

    def read(self, text: str) -> Node:
        """The formula of a sentence. Raises Unread for none and for two that fit equally."""
        sentence = fold(text).strip()
        if self._full_stop and sentence.endswith(self._full_stop):
            sentence = sentence.removesuffix(self._full_stop).rstrip()
        if sentence not in self._known:
            try:
                self._known[sentence] = self._read(sentence)
            except Unread as error:
                self._known[sentence] = str(error)
        found = self._known[sentence]
        if isinstance(found, str):
            raise Unread(found)
        return found

    def shown(self, text: str, formula: Node) -> str:
        """The formula in the notation of NLTK."""
        return write_formula(formula, NLTK)

    def _read(self, sentence: str) -> Node:
        found: dict[str, Node] = {}
        most = 0
        for pattern in sorted(self._patterns, key=lambda each: -each.words):
            if found and pattern.words < most:
                break
            for symbols in self._splits(sentence, pattern):
                node = _named(pattern, symbols)
                found[key_of(node)] = node
                most = pattern.words
                if len(found) > _MOST_READINGS:
                    break
        if not found:
            raise Unread("no template reads it")
        if len(found) > 1:
            one, other = [write_formula(node, NLTK) for node in found.values()][:2]
            raise Unread(f"it is read in two ways: {one} and {other}")
        return next(iter(found.values()))

    def _splits(self, sentence: str, pattern: _Pattern) -> Iterator[dict[int, str]]:
        """The ways to fit a sentence to a template: a name for each place."""
        predicates = len(pattern.formula.symbols.predicates)
        open_: list[tuple[int, int, dict[int, str]]] = [(0, 0, {})]
        tried = 0
        while open_:
            at, number, bound = open_.pop()
            tried += 1
            if tried > 10_000:
                raise Unread("it fits a template in too many ways")
            literal, index, form = pattern.parts[number]
            if not sentence.startswith(literal, at):
                continue
            at += len(literal)
            if index < 0:
                if at == len(sentence):
                    yield bound
                continue
            if number + 1 == len(pattern.parts):
                ends = [len(sentence)]
            else:
                ends = self._ends(sentence, at, pattern.parts[number + 1])
            names = self._names[0 if index < predicates else 1]
            for end in ends:
                name = sentence[at:end]
                if not name or name != name.strip():
                    continue
                if names is not None:
                    name = names.get((form, name), "")
                if not name or bound.get(index, name) != name:
                    continue
                after = {**bound, index: name}
                if number + 1 < len(pattern.parts):
                    open_.append((end, number + 1, after))
                elif end == len(sentence):
                    yield after

    @staticmethod
    def _ends(sentence: str, at: int, following: tuple[str, int, str]) -> list[int]:
        """Where a name may end: before the words that follow it."""
        literal, index, _ = following
        if index < 0 and not literal:
            return [len(sentence)]
        if not literal:
            return [*range(at + 1, len(sentence) + 1)]
        return [
            match.start()
            for match in re.finditer(f"(?={re.escape(literal)})", sentence)
            if match.start() > at
        ]


def _pattern(formula: Formula, template: Template) -> _Pattern:
    parts = tuple((fold(literal), index, form) for literal, index, form in template.parts)
    words = sum(len("".join(literal.split())) for literal, _, _ in parts)
    # A template may have no words after its last name.
    if parts and parts[-1][1] >= 0:
        parts = (*parts, ("", -1, ""))
    return _Pattern(formula, read_formula(formula.text, NLTK), parts, words)


def _by_form(names: Sequence[Forms]) -> dict[tuple[str, str], str] | None:
    """For each form and folded text, the name by its first form; None where anything is a name."""
    if not names:
        return None
    found: dict[tuple[str, str], str] = {}
    for name in names:
        for form in name:
            found[form, fold(in_form(name, form))] = fold(next(iter(name.values())))
        found.setdefault(("", fold(next(iter(name.values())))), fold(next(iter(name.values()))))
    return found


def _named(pattern: _Pattern, symbols: dict[int, str]) -> Node:
    known = pattern.formula.symbols
    order = (*known.predicates, *known.individuals)
    places = {name: place for place, name in enumerate(order)}
    names: dict[Symbol, str] = {}
    for symbol in symbols_of([pattern.node]):
        text = re.sub(r"\W+", "_", symbols[places[symbol.name]])
        # A predicate of one small letter would be a variable in the notation of NLTK.
        names[symbol] = text[:1].upper() + text[1:] if symbol.is_predicate else text
    return renamed(pattern.node, names)
