"""Sentences of a grammar with their formulas, composed together and without a parser.

A *shape* is a derivation whose open places (names, verbs) are not yet filled. Its words and its
formula are composed once, by NLTK's unification and beta reduction; filling the places is then
a substitution in both. Words of one category are interchangeable, so that whatever holds of a
shape holds of all its sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from nltk.sem.logic import (
    ApplicationExpression,
    BinaryExpression,
    Expression,
    NegatedExpression,
)

from sorites.logic.formulas import Formula, FormulaError, is_quantified, parse, rename
from sorites.logic.grammar.derivations import MAX_SHAPES, Composer, Derivation, Slot
from sorites.logic.grammar.derivations import vocabulary as vocabulary_of
from sorites.logic.grammar.grammar import (
    Grammar,
    GrammarError,
    meaning,
    read_grammar,
)

__all__ = ["Fragment", "Sentence", "Shape", "capitalised", "read_fragment"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A derivation with open places, in every tense.

    ``leaves`` holds, by tense, the words in their order; an integer is the index of a place.
    ``formula`` is over the symbols ``slot0``, ``slot1``, … of the places. ``connectives``
    counts the negations, conjunctions and disjunctions of the formula, ``depth`` those inside
    one another (a chain of one connective counts once).
    """

    name: str
    categories: tuple[str, ...]
    leaves: Mapping[str, tuple[str | int, ...]]
    slots: Mapping[str, tuple[Slot, ...]]
    formula: Formula
    connectives: int
    depth: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A shape whose places are filled, each with a symbol."""

    shape: Shape
    symbols: tuple[str, ...]

    @property
    def formula(self) -> Formula:
        """What the sentence says."""
        names = {f"slot{index}": symbol for index, symbol in enumerate(self.symbols)}
        return rename(self.shape.formula, names)

    def words(self, tense: str) -> str:
        """The clause in a tense, without a capital that its first word does not have itself.

        Raises KeyError for a tense that the grammar does not have.
        """
        slots = self.shape.slots[tense]
        leaves = (
            leaf if isinstance(leaf, str) else slots[leaf].words[self.symbols[leaf]]
            for leaf in self.shape.leaves[tense]
        )
        return " ".join(leaves).replace(" ,", ",")


@dataclass(frozen=True)
class Fragment:
    """The sentences of a grammar: their shapes, in the order of its rules, and its words."""

    grammar: Grammar
    tenses: tuple[str, ...]
    shapes: tuple[Shape, ...]
    vocabulary: Mapping[str, tuple[str, ...]]

    @cached_property
    def _literals(self) -> Mapping[str, Shape]:
        """For each shape of an atom or a negated atom, the shortest sentence that says it."""
        found: dict[str, Shape] = {}
        for candidate in self.shapes:
            if not _is_literal(candidate.formula.tree):
                continue
            key = candidate.formula.shape
            if key not in found or _length(candidate) < _length(found[key]):
                found[key] = candidate
        return found

    def says(self, literal: Formula) -> Sentence | None:
        """The shortest sentence whose formula is an atom or a negated atom; None if none is."""
        found = self._literals.get(literal.shape)
        if found is None:
            return None
        wanted, own = literal.symbols, found.formula.symbols
        filled = dict(
            zip(
                (*own.predicates, *own.individuals),
                (*wanted.predicates, *wanted.individuals),
                strict=True,
            )
        )
        return Sentence(
            found, tuple(filled[f"slot{index}"] for index in range(len(found.categories)))
        )


@lru_cache(maxsize=8)
def read_fragment(text: str) -> Fragment:
    """The fragment of English that a grammar describes.

    Raises GrammarError for whatever ``read_grammar`` refuses, a start symbol without a tense,
    a sentence that has no formula, a word that is missing in one tense, a shape that exists in
    one tense only, and more than 2,000 shapes.
    """
    grammar = read_grammar(text)
    vocabulary = vocabulary_of(grammar)
    by_key: dict[tuple[str, ...], dict[str, Derivation]] = {}
    composer = Composer(grammar)
    for derivation in composer.derivations(grammar.start, 0):
        tense = derivation.category.get("TENSE")
        if not isinstance(tense, str):
            raise GrammarError(f"the start symbol {grammar.start} has no tense: add TENSE=…")
        known = by_key.setdefault(derivation.key, {})
        if tense in known:
            raise GrammarError(f"two rules give one sentence: {derivation.name} ({tense})")
        known[tense] = derivation
        if len(by_key) > MAX_SHAPES:
            raise GrammarError(f"the grammar has more than {MAX_SHAPES:,} shapes of sentence")
    tenses = tuple(dict.fromkeys(tense for known in by_key.values() for tense in known))
    shapes = tuple(_shape(known, tenses, vocabulary) for known in by_key.values())
    return Fragment(grammar, tenses, shapes, vocabulary)


def capitalised(clause: str) -> str:
    """A clause as a sentence of its own: with a capital, and without a full stop."""
    return clause[:1].upper() + clause[1:]


def _shape(
    by_tense: Mapping[str, Derivation],
    tenses: Sequence[str],
    vocabulary: Mapping[str, tuple[str, ...]],
) -> Shape:
    first = next(iter(by_tense.values()))
    missing = [tense for tense in tenses if tense not in by_tense]
    if missing:
        raise GrammarError(f"'{first.name}' has no sentence with TENSE={missing[0]}")
    formulas = {tense: _formula(derivation) for tense, derivation in by_tense.items()}
    formula = next(iter(formulas.values()))
    if len(set(formulas.values())) > 1:
        raise GrammarError(f"'{first.name}' does not say the same in every tense")
    categories = tuple(slot.category for slot in first.slots)
    for category in set(categories):
        if categories.count(category) > len(vocabulary[category]):
            raise GrammarError(
                f"'{first.name}' needs {categories.count(category)} different words of the "
                f"category {category}, which has {len(vocabulary[category])}"
            )
    return Shape(
        first.name,
        categories,
        {tense: derivation.leaves for tense, derivation in by_tense.items()},
        {tense: derivation.slots for tense, derivation in by_tense.items()},
        formula,
        _connectives(formula.tree),
        _depth(formula.tree),
    )


def _formula(derivation: Derivation) -> Formula:
    try:
        formula = parse(str(meaning(derivation.category)))
        if is_quantified(formula.tree):
            raise FormulaError("it has a quantifier, and hypotheses are made of atoms", 1)
        return formula
    except FormulaError as error:
        raise GrammarError(
            f"'{derivation.name}' has no formula: {error.reason} "
            f"(its meaning is {meaning(derivation.category)})"
        ) from None


def _length(candidate: Shape) -> int:
    return min(len(leaves) for leaves in candidate.leaves.values())


def _is_literal(term: Expression) -> bool:
    atom = term.term if isinstance(term, NegatedExpression) else term
    return isinstance(atom, ApplicationExpression)


def _connectives(term: Expression) -> int:
    match term:
        case NegatedExpression():
            return 1 + _connectives(term.term)
        case BinaryExpression():
            return 1 + _connectives(term.first) + _connectives(term.second)
    return 0


def _depth(term: Expression, above: type[Expression] | None = None) -> int:
    match term:
        case NegatedExpression():
            return 1 + _depth(term.term, NegatedExpression)
        case BinaryExpression():
            own = type(term)
            inner = max(_depth(term.first, own), _depth(term.second, own))
            return inner if own is above else inner + 1
    return 0
