"""Formulas in the notation of ``nltk.sem.logic``: reading, symbols, shapes and renaming.

A formula is read once and is one value from then on: its text as NLTK prints it (which is what
rows hold), NLTK's tree, the names in it, and its shape. A free individual variable, such as
``a`` in ``F(a)``, stands for a named individual.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from nltk.sem.logic import (
    AllExpression,
    AndExpression,
    ApplicationExpression,
    BinaryExpression,
    ConstantExpression,
    ExistsExpression,
    Expression,
    FunctionVariableExpression,
    IffExpression,
    ImpExpression,
    IndividualVariableExpression,
    LogicalExpressionException,
    LogicParser,
    NegatedExpression,
    OrExpression,
    QuantifiedExpression,
    Variable,
    VariableExpression,
    is_eventvar,
    is_indvar,
)

from sorites.errors import SoritesError

__all__ = [
    "CanonicalArgument",
    "Formula",
    "FormulaError",
    "Symbols",
    "antecedent",
    "atoms",
    "bound_variables",
    "canonical_argument",
    "contradictory",
    "converse",
    "formula_of",
    "is_monadic",
    "is_quantified",
    "negation",
    "parse",
    "particular",
    "rename",
    "symbols_of",
]

MAX_FORMULA_LENGTH = 2_000
"""Characters; no sentence needs more, and NLTK's parser recurses."""

MAX_NESTING = 60
"""Brackets and negations inside one another; NLTK's parser recurses."""

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_NUMBERED = re.compile(r"a[0-9]+")


class FormulaError(SoritesError):
    """A text that is not a formula; ``position`` counts characters from 1."""

    def __init__(self, message: str, position: int) -> None:
        self.reason = message
        self.position = position
        super().__init__(f"at character {position} of the formula: {message}")


@dataclass(frozen=True, slots=True)
class Symbols:
    """The names in a formula, each in the order of its first occurrence."""

    predicates: tuple[str, ...]
    individuals: tuple[str, ...]


CanonicalArgument: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
"""An argument up to the names of its symbols: what ``canonical_argument`` gives."""


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula that can be proved and said; ``parse`` and ``formula_of`` make it.

    ``shape`` is the text with the symbols numbered in the order of their first occurrence:
    equal shapes take the same sentence template. Formulas are equal where their texts are.

    >>> parse("all x. (K(x)->-F(x))").shape
    'all x.(P1(x) -> -P2(x))'
    """

    text: str
    tree: Expression = field(compare=False, repr=False)
    symbols: Symbols = field(compare=False, repr=False)
    shape: str = field(compare=False, repr=False)

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[Callable[[str], Formula], tuple[str]]:
        """Between processes a formula travels as its text."""
        return parse, (self.text,)


@lru_cache(maxsize=65_536)
def parse(text: str) -> Formula:
    """Read a formula, whatever spaces and words for connectives it is written with.

    >>> parse("all x. (F(x)->G(x))").text
    'all x.(F(x) -> G(x))'

    Raises FormulaError with the position where reading failed, and for what the compiler
    cannot prove or verbalise: lambda terms, equality, an unbound function variable, a variable
    that is bound and free at once.
    """
    if len(text) > MAX_FORMULA_LENGTH:
        raise FormulaError(
            f"the formula has {len(text):,} characters; at most {MAX_FORMULA_LENGTH:,} are read",
            MAX_FORMULA_LENGTH + 1,
        )
    _refuse_deep_nesting(text)
    try:
        parsed = LogicParser().parse(text)
        _refuse_unsupported(parsed)
        formula = formula_of(parsed)
    except LogicalExpressionException as error:
        # NLTK prints the formula below the reason, and below that a caret at the place.
        reason, *_, caret = str(error).split("\n")
        reason = reason.rstrip(".").replace(".  ", ": ")
        raise FormulaError(reason, min(len(caret), len(text) + 1)) from None
    except (IndexError, RecursionError):
        raise FormulaError("the formula ends too early or nests too deeply", len(text)) from None
    # Written without brackets, a chain of conditionals nests as deeply as one written with them.
    _refuse_deep_nesting(formula.text)
    return formula


def formula_of(tree: Expression) -> Formula:
    """The formula of a tree that holds nothing but what ``parse`` accepts."""
    found = symbols_of(tree)
    numbered = {name: f"P{index}" for index, name in enumerate(found.predicates, 1)}
    numbered |= {name: f"a{index}" for index, name in enumerate(found.individuals, 1)}
    return Formula(str(tree), tree, found, str(_with_names(tree, numbered)))


def symbols_of(tree: Expression) -> Symbols:
    """The predicates and the named individuals of a tree, each in the order of its text.

    >>> symbols_of(parse("all x.((F(x) & H(x)) -> G(x))").tree).predicates
    ('F', 'H', 'G')
    """
    predicates: dict[str, None] = {}
    individuals: dict[str, None] = {}
    for atom, bound in _atoms(tree, frozenset()):
        predicates[str(atom.pred)] = None
        individuals |= dict.fromkeys(name for name in map(str, atom.args) if name not in bound)
    return Symbols(tuple(predicates), tuple(individuals))


def atoms(formula: Formula) -> tuple[Formula, ...]:
    """The atoms of a formula without quantifiers, each once, in the order of its text."""
    found = dict.fromkeys(formula_of(atom) for atom, _ in _atoms(formula.tree, frozenset()))
    return tuple(found)


def bound_variables(tree: Expression) -> frozenset[str]:
    """The variables that a quantifier of a tree binds.

    >>> sorted(bound_variables(parse("all x.(F(x) -> exists y.G(y))").tree))
    ['x', 'y']
    """
    match tree:
        case QuantifiedExpression():
            return bound_variables(tree.term) | {tree.variable.name}
        case NegatedExpression():
            return bound_variables(tree.term)
        case BinaryExpression():
            return bound_variables(tree.first) | bound_variables(tree.second)
    return frozenset()


def is_monadic(formula: Formula) -> bool:
    """Whether each predicate is said of one individual at a time."""
    return all(len(atom.args) == 1 for atom, _ in _atoms(formula.tree, frozenset()))


def is_quantified(tree: Expression) -> bool:
    """Whether a quantifier stands anywhere in a tree."""
    match tree:
        case QuantifiedExpression():
            return True
        case NegatedExpression():
            return is_quantified(tree.term)
        case BinaryExpression():
            return is_quantified(tree.first) or is_quantified(tree.second)
    return False


def rename(formula: Formula, names: Mapping[str, str]) -> Formula:
    """Replace predicate and individual symbols, all at once (so that names may change places).

    >>> rename(parse("all x.(F(x) -> G(x))"), {"F": "G", "G": "F"}).text
    'all x.(G(x) -> F(x))'
    """
    found = formula.symbols
    return _renamed(
        formula,
        tuple(names.get(name, name) for name in (*found.predicates, *found.individuals)),
    )


@lru_cache(maxsize=65_536)
def _renamed(formula: Formula, names: tuple[str, ...]) -> Formula:
    found = formula.symbols
    tree = _with_names(
        formula.tree, dict(zip((*found.predicates, *found.individuals), names, strict=True))
    )
    if len(set(names)) < len(names):
        # Two symbols have become one: the shape is another.
        return formula_of(tree)
    split = len(found.predicates)
    return Formula(str(tree), tree, Symbols(names[:split], names[split:]), formula.shape)


def canonical_argument(premises: Iterable[Formula], conclusion: Formula) -> CanonicalArgument:
    """Premises and conclusion up to renaming, the conclusion last: a key for what was proved.

    A formula is its shape and the numbers of its symbols in the argument. Premises of different
    shapes are put in the order of their shapes, so that most permutations of the same argument
    share a key. (Two keys for one argument cost a proof; one key for two arguments cannot
    happen, since the key says all of the argument but its names.)
    """
    numbers: dict[str, int] = {}
    key = []
    for formula in [conclusion, *sorted(premises, key=lambda premise: premise.shape)]:
        found = formula.symbols
        numbered = tuple(
            numbers.setdefault(name, len(numbers))
            for name in (*found.predicates, *found.individuals)
        )
        key.append((formula.shape, numbered))
    return (*key[1:], key[0])


def antecedent(formula: Formula) -> Symbols:
    """The symbols of a universal's condition; those of the whole for any other formula.

    >>> antecedent(parse("all x.((F(x) & H(x)) -> G(x))")).predicates
    ('F', 'H')
    """
    match formula.tree:
        case AllExpression(term=ImpExpression(first=condition)):
            return symbols_of(condition)
    return formula.symbols


@lru_cache(maxsize=65_536)
def negation(formula: Formula) -> Formula:
    """The formula with a negation before it, as NLTK prints it; nothing is simplified."""
    return formula_of(NegatedExpression(formula.tree))


def contradictory(formula: Formula) -> Formula:
    """A sentence that is true exactly where the formula is false, with no negation in front.

    A quantified conditional and a quantified conjunction change places, as in the square of
    opposition; anything else gains or loses a negation.

    >>> contradictory(parse("all x.(F(x) -> G(x))")).text
    'exists x.(F(x) & -G(x))'
    >>> contradictory(parse("exists x.(H(x) & -F(x))")).text
    'all x.(H(x) -> F(x))'
    >>> contradictory(parse("-G(a)")).text
    'G(a)'
    """
    parsed = formula.tree
    match parsed:
        case AllExpression(term=ImpExpression(first=subject, second=predicate)):
            opposite = AndExpression(subject, _complement(predicate))
            return formula_of(ExistsExpression(parsed.variable, opposite))
        case ExistsExpression(term=AndExpression(first=subject, second=predicate)):
            opposite = ImpExpression(subject, _complement(predicate))
            return formula_of(AllExpression(parsed.variable, opposite))
    return formula_of(_complement(parsed))


def converse(formula: Formula) -> Formula | None:
    """Subject and predicate of a quantified conditional or conjunction, changed round.

    None for a formula that is neither.

    >>> converse(parse("all x.(F(x) -> G(x))")).text
    'all x.(G(x) -> F(x))'
    """
    parsed = formula.tree
    match parsed:
        case AllExpression(term=ImpExpression(first=subject, second=predicate)):
            return formula_of(AllExpression(parsed.variable, ImpExpression(predicate, subject)))
        case ExistsExpression(term=AndExpression(first=subject, second=NegatedExpression())):
            second = parsed.term.second.term
            turned = AndExpression(second, NegatedExpression(subject))
            return formula_of(ExistsExpression(parsed.variable, turned))
    return None


def particular(formula: Formula) -> Formula | None:
    """The particular below a universal in the square of opposition; None for anything else.

    >>> particular(parse("all x.(F(x) -> -G(x))")).text
    'exists x.(F(x) & -G(x))'
    """
    parsed = formula.tree
    match parsed:
        case AllExpression(term=ImpExpression(first=subject, second=predicate)):
            return formula_of(ExistsExpression(parsed.variable, AndExpression(subject, predicate)))
    return None


def _complement(term: Expression) -> Expression:
    """The negation of a term, without a double negation and with -A | -B turned into A & B."""
    if isinstance(term, NegatedExpression):
        return term.term
    if (
        isinstance(term, OrExpression)
        and isinstance(term.first, NegatedExpression)
        and isinstance(term.second, NegatedExpression)
    ):
        return AndExpression(term.first.term, term.second.term)
    return NegatedExpression(term)


def _atoms(
    tree: Expression, bound: frozenset[str]
) -> Iterator[tuple[ApplicationExpression, frozenset[str]]]:
    """The atoms of a tree in the order of its text, with the variables that are bound there."""
    match tree:
        case ApplicationExpression():
            yield tree, bound
        case QuantifiedExpression():
            yield from _atoms(tree.term, bound | {tree.variable.name})
        case NegatedExpression():
            yield from _atoms(tree.term, bound)
        case BinaryExpression():
            yield from _atoms(tree.first, bound)
            yield from _atoms(tree.second, bound)


def _with_names(tree: Expression, names: Mapping[str, str]) -> Expression:
    """A tree with other symbols; bound variables stay as they are."""
    match tree:
        case QuantifiedExpression():
            inner = {name: new for name, new in names.items() if name != tree.variable.name}
            return type(tree)(tree.variable, _with_names(tree.term, inner))
        case NegatedExpression():
            return NegatedExpression(_with_names(tree.term, names))
        case BinaryExpression():
            return type(tree)(_with_names(tree.first, names), _with_names(tree.second, names))
        case ApplicationExpression():
            return ApplicationExpression(
                _with_names(tree.function, names), _with_names(tree.argument, names)
            )
    name = str(tree)
    return VariableExpression(Variable(names[name])) if name in names else tree


def _refuse_deep_nesting(text: str) -> None:
    depth = 0
    negations = 0
    for position, character in enumerate(text, 1):
        depth += (character == "(") - (character == ")")
        negations = negations + 1 if character in "-!" else negations * (character == " ")
        if max(depth, negations) > MAX_NESTING:
            raise FormulaError(f"more than {MAX_NESTING} terms inside one another", position)


def _refuse_unreadable_name(name: str) -> None:
    """Symbols, shapes and renaming find names by this pattern; NLTK takes almost anything."""
    if not _NAME.fullmatch(name):
        raise FormulaError(f"the name {name} must be letters, digits and underscores", 1)


def _refuse_unsupported(parsed: Expression) -> None:
    bound: set[str] = set()
    pending = [parsed]
    while pending:
        term = pending.pop()
        match term:
            case AllExpression() | ExistsExpression():
                if not is_indvar(term.variable.name) and not is_eventvar(term.variable.name):
                    raise FormulaError(f"'{term.variable}' is no variable for individuals", 1)
                if _NUMBERED.fullmatch(term.variable.name):
                    raise FormulaError(
                        f"'{term.variable}' is kept for named individuals: bind x, y or z", 1
                    )
                bound.add(term.variable.name)
                pending.append(term.term)
            case QuantifiedExpression():
                raise FormulaError(f"only 'all' and 'exists' are quantifiers here: {term}", 1)
            case NegatedExpression():
                pending.append(term.term)
            case AndExpression() | OrExpression() | ImpExpression() | IffExpression():
                pending += [term.first, term.second]
            case ApplicationExpression():
                _refuse_unsupported_atom(term)
            case BinaryExpression():
                raise FormulaError(f"equality is not supported: {term}", 1)
            case _:
                raise FormulaError(f"'{term}' is not a sentence: it has no truth value", 1)
    for variable in parsed.free():
        if variable.name in bound:
            raise FormulaError(f"'{variable.name}' is bound in one place and free in another", 1)


def _refuse_unsupported_atom(atom: ApplicationExpression) -> None:
    if not isinstance(atom.pred, FunctionVariableExpression) and not atom.is_atom():
        raise FormulaError(f"'{atom}' is not a predicate applied to individuals", 1)
    _refuse_unreadable_name(str(atom.pred))
    for argument in atom.args:
        if not isinstance(argument, IndividualVariableExpression | ConstantExpression):
            raise FormulaError(
                f"'{argument}' in '{atom}' is not an individual: use a letter such as a, or a name",
                1,
            )
        _refuse_unreadable_name(str(argument))
