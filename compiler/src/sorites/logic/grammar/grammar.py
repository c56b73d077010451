"""A feature grammar with lambda terms: reading it, and refusing what cannot be generated from.

The notation is NLTK's (Bird, Klein and Loper 2009, chapters 9 and 10). The feature ``SEM`` of a
category is its meaning; the start symbol has a feature ``TENSE``. A rule of words alone is a
lexical entry: its meaning names one symbol, as in ``IV[SEM=<\\x.swim(x)>] -> 'swam'``, or none,
as ``'and'`` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from nltk.featstruct import FeatStruct
from nltk.grammar import FeatStructNonterminal, FeatureGrammar, Production
from nltk.sem.logic import Expression, LogicalExpressionException

from sorites.errors import SoritesError

__all__ = ["Grammar", "GrammarError", "Word", "category_name", "meaning", "read_grammar"]

MAX_GRAMMAR_LENGTH = 100_000
"""Characters; a fragment for a benchmark needs a few thousand."""

MAX_LAMBDAS = 8
"""Lambdas in the meaning of one rule: each may double what is applied to it."""

_LAMBDAS = re.compile(r"\\([^.]*)\.")
_LINE = re.compile(r"Unable to parse line (\d+)")


class GrammarError(SoritesError):
    """A grammar that cannot be used; ``line`` counts from 1 in its text, 0 where no line is."""

    def __init__(self, message: str, line: int = 0) -> None:
        self.reason = message
        self.line = line
        super().__init__(f"line {line} of the grammar: {message}" if line else message)


@dataclass(frozen=True, slots=True)
class Word:
    """A lexical entry: the words of a rule, and the symbol of its meaning if it has one."""

    production: Production
    words: tuple[str, ...]
    symbol: str | None


@dataclass(frozen=True, slots=True)
class Grammar:
    """A grammar whose sentences are finite in number: rules over categories, and words."""

    parsed: FeatureGrammar
    start: str
    rules: tuple[Production, ...]
    words: tuple[Word, ...]


def read_grammar(text: str) -> Grammar:
    """Read a grammar.

    Raises GrammarError for: a text that NLTK cannot read, a category that contains itself
    (named with the rules that lead back to it), one that is never expanded, a category without
    a meaning, a rule that mixes words and categories with an open meaning, a word whose meaning
    names more than one symbol.
    """
    if len(text) > MAX_GRAMMAR_LENGTH:
        raise GrammarError(
            f"the grammar has {len(text):,} characters; at most {MAX_GRAMMAR_LENGTH:,} are read"
        )
    try:
        parsed = FeatureGrammar.fromstring(text)
    except (ValueError, LogicalExpressionException, RecursionError) as error:
        found = _LINE.search(str(error))
        reason = str(error).splitlines()[-1] if str(error) else type(error).__name__
        raise GrammarError(f"cannot be read: {reason}", int(found[1]) if found else 0) from None
    productions: list[Production] = parsed.productions()
    _refuse_undefined(productions)
    _refuse_recursion(productions)
    _refuse_missing_meaning(productions)
    return Grammar(
        parsed,
        category_name(parsed.start()),
        tuple(p for p in productions if not _is_word(p)),
        tuple(_word(p) for p in productions if _is_word(p)),
    )


def category_name(category: FeatStructNonterminal) -> str:
    """The name of a category without its features: ``NP`` for ``NP[NUM=plural]``."""
    return str(next(value for key, value in category.items() if str(key) == "*type*"))


def meaning(category: FeatStruct) -> Expression:
    """The feature ``SEM`` of a category."""
    return category["SEM"]


def _is_word(production: Production) -> bool:
    return all(isinstance(part, str) for part in production.rhs())


def _word(production: Production) -> Word:
    term = meaning(production.lhs())
    symbols = sorted(str(symbol) for symbol in term.constants() | term.predicates())
    words = tuple(production.rhs())
    if len(symbols) > 1:
        raise GrammarError(
            f"the meaning of '{' '.join(words)}' names {' and '.join(symbols)}; a word has one "
            "symbol, or none if it is a connective"
        )
    if not words:
        raise GrammarError(f"{category_name(production.lhs())} is expanded to nothing")
    return Word(production, words, symbols[0] if symbols else None)


def _refuse_undefined(productions: list[Production]) -> None:
    known = {category_name(production.lhs()) for production in productions}
    for production in productions:
        for part in production.rhs():
            if not isinstance(part, str) and category_name(part) not in known:
                raise GrammarError(f"{category_name(part)} is used but no rule expands it")


def _refuse_missing_meaning(productions: list[Production]) -> None:
    for production in productions:
        name = category_name(production.lhs())
        if "SEM" not in production.lhs():
            raise GrammarError(f"a rule for {name} has no meaning: write {name}[SEM=…]")
        bound = _LAMBDAS.findall(str(meaning(production.lhs())))
        if sum(len(variables.split()) for variables in bound) > MAX_LAMBDAS:
            raise GrammarError(f"a meaning of {name} binds more than {MAX_LAMBDAS} variables")
        if _is_word(production) and not isinstance(meaning(production.lhs()), Expression):
            raise GrammarError(
                f"the meaning of '{' '.join(production.rhs())}' is no lambda term: write it "
                "between angle brackets, as in SEM=<\\x.swim(x)>"
            )


def _refuse_recursion(productions: list[Production]) -> None:
    inner: dict[str, dict[str, bool]] = {}
    for production in productions:
        children = inner.setdefault(category_name(production.lhs()), {})
        for position, part in enumerate(production.rhs()):
            if not isinstance(part, str):
                name = category_name(part)
                children[name] = children.get(name, False) or position == 0
    cycle = next((cycle for name in inner for cycle in _cycles(name, inner)), None)
    if cycle is None:
        return
    left = all(inner[outer][part] for outer, part in pairwise(cycle))
    raise GrammarError(
        f"the grammar is {'left-' if left else ''}recursive: {' -> '.join(cycle)}; its sentences "
        "would have no greatest length: give the inner category another name"
    )


def _cycles(name: str, inner: dict[str, dict[str, bool]]) -> Iterator[tuple[str, ...]]:
    """The shortest way from a category back to itself, if there is one."""
    ways: list[tuple[str, ...]] = [(name,)]
    seen: set[str] = set()
    for way in ways:
        for part in inner.get(way[-1], {}):
            if part == name:
                yield (*way, part)
                return
            if part not in seen:
                seen.add(part)
                ways.append((*way, part))
