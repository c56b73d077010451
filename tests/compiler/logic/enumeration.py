"""Truth and consequence by brute force, for formulas whose predicates are unary.

It shares nothing with the compiler, not even a parser. A model of such formulas is, as far as
they can tell, the set of types that occur in it (a type says of each predicate whether it
holds) and the type of each named individual; so all models over k predicates can be listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

_TOKEN = re.compile(r"\s*(<->|->|[-&|().]|\w+)")


@dataclass(frozen=True)
class Formula:
    """An operator (all, exists, -, &, |, ->, <->, or a predicate) and what it stands before."""

    operator: str
    parts: tuple[Formula, ...] = ()
    argument: str = ""


def read(text: str) -> Formula:
    """Read a formula with every bracket in place, as NLTK prints it."""
    tokens = _TOKEN.findall(text)
    assert "".join(tokens) == text.replace(" ", ""), text
    formula, end = _unit(tokens, 0)
    assert end == len(tokens), text
    return formula


def _unit(tokens: Sequence[str], at: int) -> tuple[Formula, int]:
    token = tokens[at]
    if token == "-":
        part, at = _unit(tokens, at + 1)
        return Formula("-", (part,)), at
    if token in ("all", "exists"):
        assert tokens[at + 2] == "."
        part, end = _unit(tokens, at + 3)
        return Formula(token, (part,), tokens[at + 1]), end
    if token == "(":
        parts, operators = [], set()
        part, at = _unit(tokens, at + 1)
        parts.append(part)
        while tokens[at] != ")":
            operators.add(tokens[at])
            part, at = _unit(tokens, at + 1)
            parts.append(part)
        (operator,) = operators
        assert operator in "&|" or len(parts) == 2
        return Formula(operator, tuple(parts)), at + 1
    assert tokens[at + 1] == "(", tokens
    assert tokens[at + 3] == ")", tokens
    return Formula(token, (), tokens[at + 2]), at + 4


def predicates(formula: Formula) -> set[str]:
    """The predicates in a formula."""
    if not formula.parts:
        return {formula.operator}
    return set().union(*map(predicates, formula.parts))


def individuals(formula: Formula, bound: frozenset[str] = frozenset()) -> set[str]:
    """The named individuals in a formula."""
    if not formula.parts:
        return {formula.argument} - bound
    bound = bound | {formula.argument}
    return set().union(*(individuals(part, bound) for part in formula.parts))


def holds(formula: Formula, atom: Mapping[str, bool]) -> bool:
    """Truth of a formula without quantifiers, given the truth of each predicate."""
    match formula.operator, formula.parts:
        case "-", (part,):
            return not holds(part, atom)
        case "&", parts:
            return all(holds(part, atom) for part in parts)
        case "|", parts:
            return any(holds(part, atom) for part in parts)
        case "->", (first, second):
            return not holds(first, atom) or holds(second, atom)
        case "<->", (first, second):
            return holds(first, atom) == holds(second, atom)
    return atom[formula.operator]


@dataclass(frozen=True)
class TypeModel:
    """Which types occur, and the type of each named individual; a type is a set of predicates."""

    types: frozenset[frozenset[str]]
    named: Mapping[str, frozenset[str]]


def all_models(
    over: Sequence[str], named: Sequence[str] = (), *, inhabited: bool = False
) -> list[TypeModel]:
    """Every model over some predicates; ``inhabited``: each predicate is true of somebody."""
    types = [
        frozenset(name for name, true in zip(over, row, strict=True) if true)
        for row in product((False, True), repeat=len(over))
    ]
    models = []
    for chosen in range(1, 1 << len(types)):
        there = [kind for index, kind in enumerate(types) if chosen >> index & 1]
        if inhabited and set().union(*there) != set(over):
            continue
        models += [
            TypeModel(frozenset(there), dict(zip(named, assigned, strict=True)))
            for assigned in product(there, repeat=len(named))
        ]
    return models


def true_in(formula: Formula, model: TypeModel) -> bool:
    """Truth of a sentence in a model; quantifiers do not nest."""
    match formula.operator, formula.parts:
        case "all", (body,):
            return all(holds(body, _atoms(body, kind)) for kind in model.types)
        case "exists", (body,):
            return any(holds(body, _atoms(body, kind)) for kind in model.types)
        case "-", (part,):
            return not true_in(part, model)
        case "&", parts:
            return all(true_in(part, model) for part in parts)
        case "|", parts:
            return any(true_in(part, model) for part in parts)
        case "->", (first, second):
            return not true_in(first, model) or true_in(second, model)
        case "<->", (first, second):
            return true_in(first, model) == true_in(second, model)
    return formula.operator in model.named[formula.argument]


def _atoms(body: Formula, kind: frozenset[str]) -> dict[str, bool]:
    return {name: name in kind for name in predicates(body)}


def models_of(text: str, models: Sequence[TypeModel]) -> int:
    """The models in which a formula is true, as bits."""
    formula = read(text)
    return sum(1 << index for index, model in enumerate(models) if true_in(formula, model))


def verdict_of(premises: Iterable[int], conclusion: int, everything: int) -> str:
    """How a conclusion stands to premises, all given as the bits of the models they hold in."""
    left = everything
    for premise in premises:
        left &= premise
    if not left:
        return "inconsistent"
    if left & ~conclusion == 0:
        return "entailed"
    return "undetermined" if left & conclusion else "contradicted"


Fact = tuple[str, str, Formula]
"""all, exists or named; whom (a name, for named); and a formula without quantifiers."""


def satisfiable(formulas: Iterable[str]) -> bool:
    """Whether some model makes all formulas true, for any number of predicates.

    Types that a universal forbids are struck out; what is left must hold a type for every
    existential and every named individual. Complete for formulas whose quantifiers do not nest.
    """
    read_all = [read(text) for text in formulas]
    names = sorted(set().union(*map(predicates, read_all)))
    columns = {name: _column(index, len(names)) for index, name in enumerate(names)}
    everything = (1 << (1 << len(names))) - 1
    return any(
        _possible([fact for part in case for fact in part], columns, everything)
        for case in product(*(list(_cases(formula, True)) for formula in read_all))
    )


def entails(premises: Sequence[str], conclusion: str) -> bool:
    """Whether no model makes the premises true and the conclusion false."""
    return not satisfiable([*premises, f"-{conclusion}"])


def _column(index: int, count: int) -> int:
    return sum(1 << kind for kind in range(1 << count) if kind >> index & 1)


def _cases(formula: Formula, sign: bool) -> Iterator[list[Fact]]:
    """The ways in which a formula can be true (or false): facts that hold together."""
    if formula.operator in ("all", "exists"):
        universal = (formula.operator == "all") == sign
        body = formula.parts[0] if sign else Formula("-", formula.parts)
        yield [("all" if universal else "exists", "", body)]
        return
    if not _quantified(formula) and len(individuals(formula)) == 1:
        (name,) = individuals(formula)
        yield [("named", name, formula if sign else Formula("-", (formula,)))]
        return
    match formula.operator, formula.parts:
        case "-", (part,):
            yield from _cases(part, not sign)
        case ("&" | "|") as operator, parts:
            if (operator == "&") == sign:
                for chosen in product(*(list(_cases(part, sign)) for part in parts)):
                    yield [fact for facts in chosen for fact in facts]
            else:
                for part in parts:
                    yield from _cases(part, sign)
        case "->", (first, second):
            yield from _cases(Formula("|", (Formula("-", (first,)), second)), sign)
        case _:
            raise AssertionError(formula)


def _quantified(formula: Formula) -> bool:
    return formula.operator in ("all", "exists") or any(map(_quantified, formula.parts))


def _possible(facts: Sequence[Fact], columns: Mapping[str, int], everything: int) -> bool:
    allowed = everything
    for kind, _, body in facts:
        if kind == "all":
            allowed &= _types_of(body, columns, everything)
    named: dict[str, int] = {}
    for kind, name, body in facts:
        types = _types_of(body, columns, everything) & allowed
        if kind == "exists" and not types:
            return False
        if kind == "named":
            named[name] = named.get(name, allowed) & types
    return allowed != 0 and all(named.values())


def _types_of(body: Formula, columns: Mapping[str, int], everything: int) -> int:
    match body.operator, body.parts:
        case "-", (part,):
            return everything & ~_types_of(part, columns, everything)
        case "&", parts:
            found = everything
            for part in parts:
                found &= _types_of(part, columns, everything)
            return found
        case "|", parts:
            found = 0
            for part in parts:
                found |= _types_of(part, columns, everything)
            return found
        case "->", (first, second):
            return everything & ~_types_of(first, columns, everything) | _types_of(
                second, columns, everything
            )
        case "<->", (first, second):
            return everything & ~(
                _types_of(first, columns, everything) ^ _types_of(second, columns, everything)
            )
    return columns[body.operator]
