"""Sentences of a grammar with their formulas, composed together and without a parser.

A *shape* is a derivation whose open places (names, verbs) are not yet filled. Its words and its
formula are composed once, by NLTK's unification and beta reduction; filling the places is then
a substitution in both. Words of one category are interchangeable, so that whatever holds of a
shape holds of all its sentences.
"""

from __future__ import annotations

import re
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

__all__ = [
    "EMBEDDED",
    "INFINITIVE",
    "Fragment",
    "Sentence",
    "Shape",
    "capitalised",
    "read_fragment",
]

_SLOT = re.compile(r"\bslot\d+\b")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)

INFINITIVE = "infinitive"
"""The value of TENSE for sentences such as *Ann to swim*: a subject and what it may control."""

EMBEDDED = "embedded"
"""The value of CLAUSE for clauses whose words below a verb come in an order of their own."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A derivation with open places, in every form.

    ``leaves`` holds, by form, the words in their order; an integer is the index of a place. A
    form is a tense; or ``past embedded``, where a clause below a verb has another order of words
    (CLAUSE=embedded); or ``infinitive``, for sentences whose subject may be controlled.
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

    def words(self, form: str) -> str:
        """The clause in a form, without a capital that its first word does not have itself.

        Raises KeyError for a form that the grammar does not have.
        """
        return " ".join(self._leaves(form)).replace(" ,", ",")

    def below_a_verb(self, tense: str) -> str:
        """The clause in a tense as it stands below a verb."""
        form = f"{tense} {EMBEDDED}"
        return self.words(form if form in self.shape.leaves else tense)

    @property
    def controlled(self) -> tuple[str, str, str] | None:
        """The subject, its symbol, and the infinitive that it may control; None without one."""
        leaves = self.shape.leaves.get(INFINITIVE)
        if leaves is None:
            return None
        subject, *rest = self._leaves(INFINITIVE)
        place = leaves[0]
        assert isinstance(place, int), "a shape with another infinitive is refused when it is read"
        return subject, self.symbols[place], " ".join(rest).replace(" ,", ",")

    def _leaves(self, form: str) -> list[str]:
        slots = self.shape.slots[form]
        return [
            leaf if isinstance(leaf, str) else slots[leaf].words[self.symbols[leaf]]
            for leaf in self.shape.leaves[form]
        ]


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

    @cached_property
    def _named(self) -> Mapping[str, Shape]:
        return {shape.name: shape for shape in self.shapes}

    def sentence(self, name: str, text: str) -> Sentence | None:
        """The sentence of the shape of that name whose formula has that text; None if none is."""
        shape = self._named.get(name)
        if shape is None:
            return None
        places, found = _SLOT.findall(shape.formula.text), _NAME.findall(text)
        filled = dict(zip(places, found, strict=False))
        sentence = Sentence(
            shape, tuple(filled.get(f"slot{i}", "") for i in range(len(shape.categories)))
        )
        known = (self.vocabulary[category] for category in shape.categories)
        if not all(name in of for name, of in zip(sentence.symbols, known, strict=True)):
            return None
        return sentence if sentence.formula.text == text else None


@lru_cache(maxsize=8)
def read_fragment(text: str) -> Fragment:
    """The fragment of English that a grammar describes.

    Raises GrammarError for whatever ``read_grammar`` refuses, a start symbol without a tense,
    a sentence that has no formula, a word that is missing in one tense, a shape that exists in
    one tense only, an infinitive that does not begin with one open word, and more than 2,000
    shapes.
    """
    grammar = read_grammar(text)
    vocabulary = vocabulary_of(grammar)
    by_key: dict[tuple[str, ...], dict[str, Derivation]] = {}
    composer = Composer(grammar)
    for derivation in composer.derivations(grammar.start, 0):
        tense = derivation.category.get("TENSE")
        if not isinstance(tense, str):
            raise GrammarError(f"the start symbol {grammar.start} has no tense: add TENSE=…")
        embedded = derivation.category.get("CLAUSE") == EMBEDDED
        form = f"{tense} {EMBEDDED}" if embedded else tense
        known = by_key.setdefault(derivation.key, {})
        if form in known:
            raise GrammarError(f"two rules give one sentence: {derivation.name} ({form})")
        known[form] = derivation
        if len(by_key) > MAX_SHAPES:
            raise GrammarError(f"the grammar has more than {MAX_SHAPES:,} shapes of sentence")
    forms = dict.fromkeys(form for known in by_key.values() for form in known)
    finite = tuple(form for form in forms if form != INFINITIVE)
    shapes = tuple(_shape(known, finite, vocabulary) for known in by_key.values())
    tenses = tuple(form for form in finite if not form.endswith(EMBEDDED))
    return Fragment(grammar, tenses, shapes, vocabulary)


def capitalised(clause: str) -> str:
    """A clause as a sentence of its own: with a capital, and without a full stop."""
    return clause[:1].upper() + clause[1:]


def _shape(
    by_form: Mapping[str, Derivation],
    finite: Sequence[str],
    vocabulary: Mapping[str, tuple[str, ...]],
) -> Shape:
    first = by_form[finite[0]] if finite[0] in by_form else next(iter(by_form.values()))
    missing = [form for form in finite if form not in by_form]
    if missing:
        raise GrammarError(f"'{first.name}' has no sentence with {_features(missing[0])}")
    formula = _formula(first)
    categories = tuple(slot.category for slot in first.slots)
    for category in set(categories):
        if categories.count(category) > len(vocabulary[category]):
            raise GrammarError(
                f"'{first.name}' needs {categories.count(category)} different words of the "
                f"category {category}, which has {len(vocabulary[category])}"
            )
    places = {form: _places(derivation, first, formula) for form, derivation in by_form.items()}
    if INFINITIVE in by_form and not isinstance(by_form[INFINITIVE].leaves[0], int):
        raise GrammarError(
            f"'{by_form[INFINITIVE].name}' does not begin with its subject, one open word, as a "
            f"sentence with TENSE={INFINITIVE} must"
        )
    return Shape(
        first.name,
        categories,
        {form: _leaves(derivation, places[form]) for form, derivation in by_form.items()},
        {form: _slots(derivation, places[form]) for form, derivation in by_form.items()},
        formula,
        _connectives(formula.tree),
        _depth(formula.tree),
    )


def _features(form: str) -> str:
    tense, _, clause = form.partition(" ")
    return f"TENSE={tense}" + (f" and CLAUSE={clause}" if clause else "")


def _places(derivation: Derivation, first: Derivation, formula: Formula) -> Mapping[int, int]:
    """Each place of a derivation to that of the first one with the same role in the formula.

    Words may come in another order in another form: see(slot0,slot1) is then see(slot0,slot2).
    """
    own = _formula(derivation)
    pairs = dict(zip(_SLOT.findall(own.text), _SLOT.findall(formula.text), strict=False))
    places = {int(one[4:]): int(other[4:]) for one, other in pairs.items()}
    same = (
        rename(own, pairs) == formula
        and sorted(places.values()) == [*range(len(first.slots))]
        and all(derivation.slots[a].category == first.slots[b].category for a, b in places.items())
    )
    if not same:
        raise GrammarError(f"'{first.name}' does not say the same in every tense")
    return places


def _leaves(derivation: Derivation, places: Mapping[int, int]) -> tuple[str | int, ...]:
    return tuple(leaf if isinstance(leaf, str) else places[leaf] for leaf in derivation.leaves)


def _slots(derivation: Derivation, places: Mapping[int, int]) -> tuple[Slot, ...]:
    by_place = {place: derivation.slots[own] for own, place in places.items()}
    return tuple(by_place[place] for place in range(len(by_place)))


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
