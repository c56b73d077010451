"""Formulas in the notation of ``nltk.sem.logic``: reading, symbols, shapes and renaming.

A formula travels through the compiler as its text, exactly as NLTK prints it, because text is
what rows hold, what hashes and what compares; ``expression`` gives NLTK's object for it. A
free individual variable, such as ``a`` in ``F(a)``, stands for a named individual.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

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
    is_eventvar,
    is_indvar,
)

from sorites.errors import SoritesError

__all__ = [
    "FormulaError",
    "Symbols",
    "canonical_argument",
    "contradictory",
    "converse",
    "expression",
    "negation",
    "parse",
    "particular",
    "rename",
    "shape",
    "symbols",
]

MAX_FORMULA_LENGTH = 2_000
"""Characters; no sentence needs more, and NLTK's parser recurses."""

MAX_NESTING = 60
"""Brackets and negations inside one another; NLTK's parser recurses."""

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_KEYWORDS = frozenset({"all", "exists", "some", "forall", "and", "or", "not", "implies", "iff"})


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


def parse(text: str) -> str:
    """Read a formula and give it back as NLTK prints it.

    >>> parse("all x. (F(x)->G(x))")
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
        printed = str(parsed)
    except LogicalExpressionException as error:
        # NLTK prints the formula below the reason, and below that a caret at the place.
        reason, *_, caret = str(error).split("\n")
        reason = reason.rstrip(".").replace(".  ", ": ")
        raise FormulaError(reason, min(len(caret), len(text) + 1)) from None
    except (IndexError, RecursionError):
        raise FormulaError("the formula ends too early or nests too deeply", len(text)) from None
    # Written without brackets, a chain of conditionals nests as deeply as one written with them.
    _refuse_deep_nesting(printed)
    return printed


@lru_cache(maxsize=65_536)
def expression(formula: str) -> Expression:
    """NLTK's expression of a formula that ``parse`` has read before."""
    return LogicParser().parse(formula)


@lru_cache(maxsize=65_536)
def symbols(formula: str) -> Symbols:
    """The predicates and the named individuals of a formula.

    >>> symbols("all x.((F(x) & H(x)) -> G(x))").predicates
    ('F', 'H', 'G')
    """
    bound = frozenset(" ".join(re.findall(r"\b(?:all|exists) ([\w ]+)\.", formula)).split())
    predicates: dict[str, None] = {}
    individuals: dict[str, None] = {}
    for match in _NAME.finditer(formula):
        name = match.group()
        if name in _KEYWORDS or name in bound:
            continue
        if formula[match.end() : match.end() + 1] == "(":
            predicates[name] = None
        else:
            individuals[name] = None
    return Symbols(tuple(predicates), tuple(individuals))


def rename(formula: str, names: Mapping[str, str]) -> str:
    """Replace predicate and individual symbols, all at once (so that names may change places).

    >>> rename("all x.(F(x) -> G(x))", {"F": "G", "G": "F"})
    'all x.(G(x) -> F(x))'
    """
    return _NAME.sub(lambda match: names.get(match.group(), match.group()), formula)


@lru_cache(maxsize=65_536)
def shape(formula: str) -> str:
    """A formula up to the names of its symbols: equal shapes take the same sentence template.

    >>> shape("all x.(K(x) -> -F(x))") == shape("all x.(F(x) -> -G(x))")
    True
    """
    found = symbols(formula)
    names = {name: f"P{index}" for index, name in enumerate(found.predicates, 1)}
    names |= {name: f"a{index}" for index, name in enumerate(found.individuals, 1)}
    return rename(formula, names)


def canonical_argument(premises: Iterable[str], conclusion: str) -> tuple[str, ...]:
    """Premises and conclusion up to renaming, the conclusion last: a key for what was proved.

    Premises of different shapes are put in the order of their shapes, so that most
    permutations of the same argument share a key. (Two keys for one argument cost a proof;
    one key for two arguments cannot happen, since the key is itself the argument renamed.)
    """
    names: dict[str, str] = {}
    ordered = [conclusion, *sorted(premises, key=shape)]
    for formula in ordered:
        found = symbols(formula)
        for name in found.predicates:
            names.setdefault(name, f"P{len(names)}")
        for name in found.individuals:
            names.setdefault(name, f"a{len(names)}")
    renamed = [rename(formula, names) for formula in ordered]
    return (*renamed[1:], renamed[0])


def negation(formula: str) -> str:
    """The formula with a negation before it, as NLTK prints it; nothing is simplified."""
    return str(NegatedExpression(expression(formula)))


def contradictory(formula: str) -> str:
    """A sentence that is true exactly where the formula is false, with no negation in front.

    A quantified conditional and a quantified conjunction change places, as in the square of
    opposition; anything else gains or loses a negation.

    >>> contradictory("all x.(F(x) -> G(x))")
    'exists x.(F(x) & -G(x))'
    >>> contradictory("exists x.(H(x) & -F(x))")
    'all x.(H(x) -> F(x))'
    >>> contradictory("-G(a)")
    'G(a)'
    """
    parsed = expression(formula)
    match parsed:
        case AllExpression(term=ImpExpression(first=subject, second=predicate)):
            opposite = AndExpression(subject, _complement(predicate))
            return str(ExistsExpression(parsed.variable, opposite))
        case ExistsExpression(term=AndExpression(first=subject, second=predicate)):
            opposite = ImpExpression(subject, _complement(predicate))
            return str(AllExpression(parsed.variable, opposite))
    return str(_complement(parsed))


def converse(formula: str) -> str | None:
    """Subject and predicate of a quantified conditional or conjunction, changed round.

    None for a formula that is neither.

    >>> converse("all x.(F(x) -> G(x))")
    'all x.(G(x) -> F(x))'
    """
    parsed = expression(formula)
    match parsed:
        case AllExpression(term=ImpExpression(first=subject, second=predicate)):
            return str(AllExpression(parsed.variable, ImpExpression(predicate, subject)))
        case ExistsExpression(term=AndExpression(first=subject, second=NegatedExpression())):
            second = parsed.term.second.term
            turned = AndExpression(second, NegatedExpression(subject))
            return str(ExistsExpression(parsed.variable, turned))
    return None


def particular(formula: str) -> str | None:
    """The particular below a universal in the square of opposition; None for anything else.

    >>> particular("all x.(F(x) -> -G(x))")
    'exists x.(F(x) & -G(x))'
    """
    parsed = expression(formula)
    match parsed:
        case AllExpression(term=ImpExpression(first=subject, second=predicate)):
            return str(ExistsExpression(parsed.variable, AndExpression(subject, predicate)))
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
