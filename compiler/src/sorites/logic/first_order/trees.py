"""Formulas of first-order logic as trees of any depth: equality, constants, functions, ⊕.

The compiler's own formulas are those of ``sorites.logic.formulas``: small, and put into words.
These are what other people have written, up to thousands of characters and hundreds of levels. So
nothing here recurses: ``fold`` goes up a tree with a stack of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

__all__ = [
    "MAX_NESTING",
    "Argument",
    "Kind",
    "Node",
    "Symbol",
    "Symbols",
    "Term",
    "depth",
    "fold",
    "fold_term",
    "key_of",
    "numbered",
    "quantifiers",
    "renamed",
    "symbols_of",
]

MAX_NESTING = 500
"""Connectives, quantifiers and functions inside one another; a chain of ∧, ∨ or ⊕ is one."""

Result = TypeVar("Result")


class Kind(Enum):
    """What a node says of its parts."""

    ATOM = "atom"
    EQUAL = "="
    TRUE = "true"
    FALSE = "false"
    NOT = "not"
    AND = "and"
    OR = "or"
    XOR = "exclusive or"
    IMPLIES = "implies"
    IFF = "iff"
    ALL = "all"
    SOME = "some"


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A variable that a quantifier binds, a constant, or a function of terms."""

    name: str
    arguments: tuple[Term, ...] = ()
    is_variable: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A formula: ``parts`` of a connective, ``terms`` of an atom or an equality.

    ``name`` is the predicate of an atom and the variable of a quantifier. AND, OR and XOR have
    two parts or more, IMPLIES and IFF two, NOT and quantifiers one. XOR is true where an odd
    number of its parts is.
    """

    kind: Kind
    parts: tuple[Node, ...] = ()
    name: str = ""
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True, order=True)
class Symbol:
    """A predicate, or a constant or function, with the number of its arguments."""

    name: str
    arity: int
    is_predicate: bool


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbols of formulas, each once, in the order in which they first stand there."""

    predicates: tuple[Symbol, ...]
    functions: tuple[Symbol, ...]

    @property
    def constants(self) -> tuple[str, ...]:
        """The names of individuals: functions of nothing."""
        return tuple(symbol.name for symbol in self.functions if symbol.arity == 0)

    def __iter__(self) -> Iterator[Symbol]:
        yield from self.predicates
        yield from self.functions


def fold(root: Node, combine: Callable[[Node, Sequence[Result]], Result]) -> Result:
    """Work out a formula from its parts up, without recursion."""
    return _fold(root, lambda node: node.parts, combine)


def fold_term(root: Term, combine: Callable[[Term, Sequence[Result]], Result]) -> Result:
    """Work out a term from its arguments up, without recursion."""
    return _fold(root, lambda term: term.arguments, combine)


_Tree = TypeVar("_Tree")


def _fold(
    root: _Tree,
    below: Callable[[_Tree], Sequence[_Tree]],
    combine: Callable[[_Tree, Sequence[Result]], Result],
) -> Result:
    open_: list[tuple[_Tree, bool]] = [(root, False)]
    done: list[Result] = []
    while open_:
        tree, ready = open_.pop()
        parts = below(tree)
        if ready or not parts:
            split = len(done) - len(parts)
            found = combine(tree, done[split:])
            del done[split:]
            done.append(found)
            continue
        open_.append((tree, True))
        open_ += [(part, False) for part in reversed(parts)]
    return done[0]


def _parts_in_order(root: Node) -> Iterator[Node]:
    open_ = [root]
    while open_:
        node = open_.pop()
        yield node
        open_ += reversed(node.parts)


def depth(root: Node) -> int:
    """How many connectives, quantifiers and functions stand inside one another; 0 for an atom."""

    def of_term(term: Term, below: Sequence[int]) -> int:
        return 1 + max(below) if term.arguments else 0

    def of_node(node: Node, below: Sequence[int]) -> int:
        if node.parts:
            return 1 + max(below)
        return max((fold_term(term, of_term) for term in node.terms), default=0)

    return fold(root, of_node)


def quantifiers(root: Node) -> int:
    """How many quantifiers a formula has, wherever they stand."""
    return sum(node.kind in (Kind.ALL, Kind.SOME) for node in _parts_in_order(root))


def symbols_of(roots: Sequence[Node]) -> Symbols:
    """The symbols of formulas in the order in which they first stand there."""
    predicates: dict[Symbol, None] = {}
    functions: dict[Symbol, None] = {}
    for root in roots:
        for node in _parts_in_order(root):
            if node.kind is Kind.ATOM:
                predicates[Symbol(node.name, len(node.terms), True)] = None
            open_ = [*reversed(node.terms)]
            while open_:
                term = open_.pop()
                if not term.is_variable:
                    functions[Symbol(term.name, len(term.arguments), False)] = None
                open_ += reversed(term.arguments)
    return Symbols(tuple(predicates), tuple(functions))


@dataclass(frozen=True, slots=True)
class Argument:
    """Premises and a conclusion, up to the names of their symbols.

    ``key`` is equal for two arguments exactly where they differ in names alone; ``formulas`` are
    those with the names that the key has, the conclusion last; ``names`` says what each stands
    for.
    """

    key: tuple[str, ...]
    formulas: tuple[Node, ...]
    names: Mapping[Symbol, str]


def numbered(formulas: Sequence[Node]) -> Argument:
    """Formulas with their symbols numbered in the order of their first occurrence.

    What is proved of them depends on no name, so it is the same for all that share the key.
    """
    names: dict[Symbol, str] = {}
    given: dict[Symbol, Symbol] = {}
    for symbol in symbols_of(formulas):
        short = "P" if symbol.is_predicate else "a"
        new = Symbol(f"{short}{len(given)}", symbol.arity, symbol.is_predicate)
        given[symbol] = new
        names[new] = symbol.name

    changed = tuple(
        renamed(formula, {old: new.name for old, new in given.items()}) for formula in formulas
    )
    return Argument(tuple(map(key_of, changed)), changed, names)


def renamed(root: Node, names: Mapping[Symbol, str]) -> Node:
    """A formula with other names for some of its symbols; bound variables stay."""

    def of_term(term: Term, below: Sequence[Term]) -> Term:
        if term.is_variable:
            return term
        symbol = Symbol(term.name, len(below), False)
        return Term(names.get(symbol, term.name), tuple(below))

    def of_node(node: Node, below: Sequence[Node]) -> Node:
        name = node.name
        if node.kind is Kind.ATOM:
            name = names.get(Symbol(name, len(node.terms), True), name)
        terms = tuple(fold_term(term, of_term) for term in node.terms)
        return Node(node.kind, tuple(below), name, terms)

    return fold(root, of_node)


def key_of(root: Node) -> str:
    """A formula as text that is equal for two exactly where they differ in bound names alone.

    For comparing, not for reading: the first quantifier from the outside binds ?0, and so on.
    """
    out: list[str] = []
    open_: list[str | tuple[Node, Mapping[str, int]]] = [(root, {})]
    while open_:
        item = open_.pop()
        if isinstance(item, str):
            out.append(item)
            continue
        node, scope = item
        match node.kind:
            case Kind.ATOM:
                out.append(f"{node.name!r}{_terms_key(node.terms, scope)}")
            case Kind.EQUAL:
                out.append(f"={_terms_key(node.terms, scope)}")
            case Kind.ALL | Kind.SOME:
                inner = {**scope, node.name: len(scope)}
                out.append(f"{node.kind.value} ")
                open_.append((node.parts[0], inner))
            case _:
                out.append(f"({node.kind.value}")
                open_.append(")")
                for part in reversed(node.parts):
                    open_ += [(part, scope), " "]
    return "".join(out)


def _terms_key(terms: Sequence[Term], scope: Mapping[str, int]) -> str:
    def of(term: Term, below: Sequence[str]) -> str:
        if term.is_variable:
            return f"?{scope[term.name]}"
        return f"{term.name!r}[{','.join(below)}]" if below else repr(term.name)

    return f"[{','.join([fold_term(term, of) for term in terms])}]"
