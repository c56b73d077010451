"""Derivations of a grammar, bottom up: words, open places and meaning composed together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from nltk.featstruct import unify
from nltk.grammar import FeatStructNonterminal, Production
from nltk.sem.logic import Expression

from sorites.logic.grammar.grammar import Grammar, GrammarError, category_name, meaning

__all__ = ["MAX_SHAPES", "Composer", "Derivation", "Slot", "vocabulary"]

MAX_SHAPES = 2_000
"""More than this from one grammar is a mistake in it, and would take minutes."""

MAX_DERIVATIONS = 4 * MAX_SHAPES
MAX_TERM_LENGTH = 5_000
"""Characters of a meaning; a formula may have 2,000."""


@dataclass(frozen=True, slots=True)
class Slot:
    """An open place: its category, and the word for each symbol that may fill it."""

    category: str
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Derivation:
    """A category with its features and meaning, the words below it, and its open places.

    An integer among the ``leaves`` is the index of a place, counted from the offset at which
    the derivation stands; ``key`` is the same for derivations that differ in agreement or in the
    order of their parts alone.
    """

    category: FeatStructNonterminal
    leaves: tuple[str | int, ...]
    slots: tuple[Slot, ...]
    key: tuple[str, ...]

    @property
    def name(self) -> str:
        """The words, with the categories of the open places: for a whole sentence only."""
        leaves = (
            leaf if isinstance(leaf, str) else self.slots[leaf].category for leaf in self.leaves
        )
        return " ".join(leaves).replace(" ,", ",")


class Composer:
    """Derivations of a category, bottom up; the places of each are numbered from an offset."""

    def __init__(self, grammar: Grammar) -> None:
        self._known: dict[tuple[str, int], tuple[Derivation, ...]] = {}
        self._rules: dict[str, list[Production]] = {}
        for rule in grammar.rules:
            self._rules.setdefault(category_name(rule.lhs()), []).append(rule)
        self._entries: dict[str, list[_Entry]] = {}
        for entry in _entries(grammar):
            self._entries.setdefault(category_name(entry.category), []).append(entry)

    def derivations(self, name: str, offset: int) -> tuple[Derivation, ...]:
        """All derivations of a category; raises GrammarError where there are too many."""
        known = self._known.get((name, offset))
        if known is None:
            entries = (_lexical(entry, offset) for entry in self._entries.get(name, []))
            composed = (
                derivation
                for rule in self._rules.get(name, [])
                for derivation in self._apply(rule, offset)
            )
            known = tuple(islice(chain(entries, composed), MAX_DERIVATIONS + 1))
            if len(known) > MAX_DERIVATIONS:
                raise GrammarError(f"{name} has more than {MAX_DERIVATIONS:,} shapes")
            self._known[name, offset] = known
        return known

    def _apply(self, rule: Production, offset: int) -> Iterator[Derivation]:
        parts = [part if isinstance(part, str) else category_name(part) for part in rule.rhs()]
        shown = f"{category_name(rule.lhs())} -> {' '.join(parts)}"
        key = f"{category_name(rule.lhs())} -> {' '.join(sorted(parts))}"
        partial: list[tuple[dict[object, object], tuple[Derivation | str, ...], int]] = [
            ({}, (), offset)
        ]
        for part in rule.rhs():
            if isinstance(part, str):
                partial = [(bound, (*done, part), next_) for bound, done, next_ in partial]
                continue
            grown = []
            for bound, done, next_ in partial:
                for child in self.derivations(category_name(part), next_):
                    bindings = dict(bound)
                    if unify(part, child.category, bindings, rename_vars=False) is not None:
                        grown.append((bindings, (*done, child), next_ + len(child.slots)))
                    if len(grown) > MAX_DERIVATIONS:
                        raise GrammarError(f"'{shown}' has more than {MAX_DERIVATIONS:,} shapes")
            partial = grown
        for bound, children, _ in partial:
            try:
                yield _composed(rule.lhs().substitute_bindings(bound), key, children)
            except RecursionError:
                raise GrammarError(f"the meaning of '{shown}' grows without end") from None


@dataclass(frozen=True, slots=True)
class _Entry:
    """The lexical entries of one category, alike but for word and symbol."""

    category: FeatStructNonterminal
    term: str
    words: Mapping[str, str]
    fixed: str | None


def _entries(grammar: Grammar) -> list[_Entry]:
    """Function words one by one; open words gathered by category, features and meaning."""
    fixed: list[_Entry] = []
    gathered: dict[tuple[str, str], tuple[FeatStructNonterminal, dict[str, str]]] = {}
    for word in grammar.words:
        lhs = word.production.lhs()
        text = " ".join(word.words)
        term = str(meaning(lhs))
        if word.symbol is None:
            fixed.append(_Entry(lhs, term, {}, text))
            continue
        term = _with_symbol(term, word.symbol, "slot")
        features = repr(sorted((str(k), str(v)) for k, v in lhs.items() if str(k) != "SEM"))
        _, words = gathered.setdefault((features, term), (lhs, {}))
        if word.symbol in words:
            raise GrammarError(
                f"{word.symbol} has two words for {_features_of(lhs)}: "
                f"'{words[word.symbol]}' and '{text}'"
            )
        words[word.symbol] = text
    return [
        *fixed,
        *(_Entry(lhs, term, words, None) for (_, term), (lhs, words) in gathered.items()),
    ]


def _with_symbol(term: str, old: str, new: str) -> str:
    """A lambda term in which one symbol is replaced by another."""
    return re.sub(rf"\b{re.escape(old)}\b", new, term, flags=re.ASCII)


def _features_of(category: FeatStructNonterminal) -> str:
    """A category as a grammar writes it, without its meaning."""
    features = [f"{k}={v}" for k, v in category.items() if str(k) not in ("SEM", "*type*")]
    return category_name(category) + (f"[{', '.join(sorted(features))}]" if features else "")


def _lexical(entry: _Entry, offset: int) -> Derivation:
    name = category_name(entry.category)
    if entry.fixed is not None:
        return Derivation(entry.category, (*entry.fixed.split(" "),), (), (f"{name}:{entry.term}",))
    category = entry.category.copy(deep=True)
    category["SEM"] = Expression.fromstring(_with_symbol(entry.term, "slot", f"slot{offset}"))
    category.freeze()
    return Derivation(category, (offset,), (Slot(name, entry.words),), (f"{name}:{entry.term}",))


def _composed(
    category: FeatStructNonterminal, key: str, children: Sequence[Derivation | str]
) -> Derivation:
    term = meaning(category)
    if isinstance(term, Expression):
        category = category.copy(deep=True)
        category["SEM"] = term.simplify()
        if len(str(category["SEM"])) > MAX_TERM_LENGTH:
            raise GrammarError(f"the meaning of '{key}' grows without end")
    leaves: list[str | int] = []
    slots: list[Slot] = []
    for child in children:
        if isinstance(child, str):
            leaves.append(child)
            continue
        leaves += child.leaves
        slots += child.slots
    keys = [key]
    for child in _by_category(children):
        keys += child.key
    return Derivation(category, tuple(leaves), tuple(slots), tuple(keys))


def _by_category(children: Sequence[Derivation | str]) -> list[Derivation]:
    """The children by the name of their category, so that word order alone makes no new shape."""
    derived = [child for child in children if isinstance(child, Derivation)]
    return sorted(derived, key=lambda child: category_name(child.category))


def vocabulary(grammar: Grammar) -> Mapping[str, tuple[str, ...]]:
    """Category to its symbols, in the order of the grammar."""
    found: dict[str, dict[str, None]] = {}
    for word in grammar.words:
        if word.symbol is not None:
            found.setdefault(category_name(word.production.lhs()), {})[word.symbol] = None
    owners: dict[str, str] = {}
    for category, names in found.items():
        for name in names:
            if owners.setdefault(name, category) != category:
                raise GrammarError(f"{name} is a symbol of both {owners[name]} and {category}")
    for entry in _entries(grammar):
        if entry.fixed is None:
            wanted = found[category_name(entry.category)]
            missing = [name for name in wanted if name not in entry.words]
            if missing:
                raise GrammarError(
                    f"{missing[0]} has no word for {_features_of(entry.category)}: add one"
                )
    return {category: tuple(names) for category, names in found.items()}
