"""Reads a formula in a notation: precedences from its table, a stack instead of recursion.

The shunting-yard method (Dijkstra, 1961): operators wait on a stack until one that binds less
comes. A formula is read as it stands or refused with the place where reading failed; nothing in
it is repaired.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sorites.logic.first_order.trees import MAX_NESTING, Kind, Node, Term
from sorites.logic.notations.errors import NotationError
from sorites.logic.notations.notation import Notation, Sign
from sorites.logic.notations.tokens import Token, tokens

__all__ = ["MAX_LENGTH", "read_formula"]

MAX_LENGTH = 10_000
"""Characters of a formula."""

_CHAINED = (Kind.AND, Kind.OR, Kind.XOR)
_PREFIX = (Kind.NOT, Kind.ALL, Kind.SOME)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An operator whose right side is still being read; a bracket, where ``sign`` is None."""

    sign: Kind | Sign | None
    position: int
    variable: str = ""


@dataclass(frozen=True, slots=True)
class _Operand:
    """A formula read so far, its depth, and whether brackets close it off from a chain."""

    node: Node
    depth: int
    closed: bool = False


@lru_cache(maxsize=16_384)
def read_formula(text: str, notation: Notation) -> Node:
    """Read a formula.

    Raises NotationError with the position for what is no formula in the notation, has more than
    MAX_LENGTH characters, or has more than MAX_NESTING connectives inside one another.
    """
    if len(text) > MAX_LENGTH:
        raise NotationError(
            f"the formula has {len(text):,} characters; at most {MAX_LENGTH:,} are read",
            MAX_LENGTH + 1,
        )
    return _Reader(text, notation).formula()


class _Reader:
    def __init__(self, text: str, notation: Notation) -> None:
        self._notation = notation
        self._tokens: list[Token] = [*tokens(text, notation)]
        self._end = len(text) + 1
        self._at = 0
        self._waiting: list[_Waiting] = []
        self._read: list[_Operand] = []
        self._scope: Counter[str] = Counter()
        self._bound: set[str] = set()
        self._free: dict[str, int] = {}
        self._variable = re.compile(notation.variable)
        self._places = {
            sign: (number, level.associativity)
            for number, level in enumerate(notation.levels)
            for sign in level.operators
        }

    def formula(self) -> Node:
        """The whole text as one formula."""
        self._unwrap()
        if not self._tokens:
            raise NotationError("there is no formula", 1)
        while True:
            self._operand()
            if not self._operator():
                break
        while self._waiting:
            self._reduce()
        if self._notation.free == "individual":
            for name, position in self._free.items():
                if name in self._bound:
                    raise NotationError(
                        f"{name} is bound in one place and free in another", position
                    )
        node = self._read[0].node
        if self._notation.free == "universal" and self._free:
            if self._read[0].depth + len(self._free) > MAX_NESTING:
                raise self._too_deep(1)
            for name in reversed(self._free):
                node = Node(Kind.ALL, (node,), name)
        return node

    def _unwrap(self) -> None:
        """Take the word around a formula away, and what may close it."""
        notation, found = self._notation, self._tokens
        if found and notation.end and found[-1].text == notation.end:
            found.pop()
        named = [token.text for token in found[:2]] == [notation.wrapper, "("]
        if notation.wrapper and named and len(found) > 2:
            name, comma, role, second = (*found[2:6], *[None] * 4)[:4]
            shaped = name and comma and role and second and comma.text == second.text == ","
            if not shaped or found[-1].text != ")":
                raise NotationError(
                    f"{notation.wrapper} takes a name, a role and a formula", found[0].position
                )
            self._end = found[-1].position
            self._tokens = found[6:-1]

    def _next(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _position(self) -> int:
        token = self._next()
        return token.position if token is not None else self._end

    def _take(self, text: str) -> bool:
        token = self._next()
        if token is not None and token.text == text and not token.is_quoted:
            self._at += 1
            return True
        return False

    def _operand(self) -> None:
        """Read signs that stand in front, brackets that open, and the atom that they lead to."""
        while True:
            token = self._next()
            if token is None:
                raise NotationError("the formula ends where a formula is expected", self._end)
            if token.sign is Kind.NOT:
                self._at += 1
                self._waiting.append(_Waiting(Kind.NOT, token.position))
            elif token.sign in (Kind.ALL, Kind.SOME):
                self._at += 1
                self._quantifier(token)
            elif token.text == "(" and not token.is_quoted:
                self._at += 1
                self._waiting.append(_Waiting(None, token.position))
            else:
                break
        if token.sign is Kind.TRUE or token.sign is Kind.FALSE:
            self._at += 1
            self._read.append(_Operand(Node(token.sign), 0))
            return
        if not token.is_name:
            raise NotationError(f"{token.text} stands where a formula is expected", token.position)
        self._read.append(self._atom())

    def _quantifier(self, token: Token) -> None:
        binder = self._notation.binder
        if not all(self._take(mark) for mark in _marks(binder.before)):
            raise NotationError(
                f"{token.text} takes its variables in {binder.before}", self._position()
            )
        assert isinstance(token.sign, Kind)
        number = 0
        while True:
            name = self._next()
            more = number == 0 or (
                binder.several
                and (self._take(binder.between) if binder.between else self._is_name(name))
            )
            if not more:
                break
            name = self._next()
            if name is None or not name.is_name or not self._variable.fullmatch(name.text):
                shown = "the end" if name is None else name.text
                raise NotationError(
                    f"{token.text} is followed by {shown}, which is no variable", self._position()
                )
            self._at += 1
            number += 1
            self._waiting.append(_Waiting(token.sign, token.position, name.text))
            self._scope[name.text] += 1
            self._bound.add(name.text)
        if not all(self._take(mark) for mark in _marks(binder.after)):
            raise NotationError(
                f"after the variables of {token.text} stands {binder.after}", self._position()
            )

    @staticmethod
    def _is_name(token: Token | None) -> bool:
        return token is not None and token.is_name

    def _atom(self) -> _Operand:
        """An atom or an equality; the next token is a name."""
        first = self._at
        name = self._tokens[first]
        term, depth = self._term()
        token = self._next()
        if token is not None and (token.sign is Kind.EQUAL or token.sign == "!="):
            self._at += 1
            if not self._is_name(self._next()):
                raise NotationError(f"{token.text} is followed by no individual", self._position())
            other, other_depth = self._term()
            if not self._notation.negates_equality and self._negated():
                raise NotationError(
                    f"the negation of an equality needs brackets in {self._notation.title}",
                    name.position,
                )
            node = Node(Kind.EQUAL, terms=(self._resolved(term), self._resolved(other)))
            depth = max(depth, other_depth)
            if token.sign == "!=":
                return _Operand(Node(Kind.NOT, (node,)), depth + 1)
            return _Operand(node, depth)
        if not term.arguments and self._scope[name.text] and not name.is_quoted:
            raise NotationError(
                f"the variable {name.text} stands where a formula is expected", name.position
            )
        # What was read as a function of terms is a predicate of them.
        self._refuse_variable(name, bool(term.arguments))
        arguments = tuple(self._resolved(each) for each in term.arguments)
        return _Operand(Node(Kind.ATOM, name=term.name, terms=arguments), max(depth - 1, 0))

    def _negated(self) -> bool:
        return bool(self._waiting) and self._waiting[-1].sign is Kind.NOT

    def _term(self) -> tuple[_Raw, int]:
        """A name with its arguments, however deep, and how deep."""
        open_: list[tuple[Token, list[_Raw], int]] = []
        while True:
            token = self._next()
            if token is None or not token.is_name:
                shown = "the end" if token is None else token.text
                raise NotationError(
                    f"{shown} stands where an individual is expected", self._position()
                )
            self._at += 1
            if self._take("("):
                open_.append((token, [], 0))
                if len(open_) > MAX_NESTING:
                    raise self._too_deep(token.position)
                continue
            done, depth = _Raw(token), 0
            while open_:
                head, arguments, deepest = open_[-1]
                arguments.append(done)
                open_[-1] = (head, arguments, max(deepest, depth))
                if self._take(","):
                    break
                if not self._take(")"):
                    following = self._next()
                    shown = "the end" if following is None else following.text
                    raise NotationError(
                        f"{shown} stands in the arguments of {head.text}: , or ) is expected",
                        self._position(),
                    )
                done, depth = _Raw(head, tuple(arguments)), max(deepest, depth) + 1
                open_.pop()
            else:
                return done, depth

    def _resolved(self, raw: _Raw) -> Term:
        """A term with its variables told from its constants, by what is bound here."""
        open_: list[tuple[_Raw, bool]] = [(raw, False)]
        done: list[Term] = []
        while open_:
            each, ready = open_.pop()
            if each.arguments and not ready:
                self._refuse_variable(each.token, True)
                open_.append((each, True))
                open_ += [(argument, False) for argument in reversed(each.arguments)]
            elif each.arguments:
                split = len(done) - len(each.arguments)
                done[split:] = [Term(each.name, tuple(done[split:]))]
            else:
                done.append(Term(each.name, is_variable=self._is_bound(each.token)))
        return done[0]

    def _is_bound(self, token: Token) -> bool:
        if token.is_quoted:
            return False
        if self._scope[token.text]:
            return True
        if not self._variable.fullmatch(token.text):
            return False
        if self._notation.free == "fault":
            raise NotationError(f"the variable {token.text} is not bound", token.position)
        self._free.setdefault(token.text, token.position)
        return self._notation.free == "universal"

    def _refuse_variable(self, token: Token, applied: bool) -> None:
        if token.is_quoted or not (applied or self._notation.free == "fault"):
            return
        could = not self._notation.variables_apply and self._variable.fullmatch(token.text)
        if could or self._scope[token.text]:
            raise NotationError(
                f"{token.text} is a variable in {self._notation.title}, "
                "and stands where a predicate or function is expected",
                token.position,
            )

    def _operator(self) -> bool:
        """Close brackets and read the operator that follows a formula; False at the end."""
        while True:
            token = self._next()
            if token is None:
                opened = [each for each in self._waiting if each.sign is None]
                if opened:
                    raise NotationError("the bracket is not closed", opened[-1].position)
                return False
            if token.text != ")" or token.is_quoted:
                break
            while self._waiting and self._waiting[-1].sign is not None:
                self._reduce()
            if not self._waiting:
                raise NotationError(") closes no bracket", token.position)
            self._waiting.pop()
            self._at += 1
            operand = self._read.pop()
            self._read.append(_Operand(operand.node, operand.depth, closed=True))
            self._reduce_prefixes()
        if token.sign not in self._places:
            raise NotationError(
                f"{token.text} stands where an operator is expected", token.position
            )
        self._reduce_prefixes()
        while self._waiting and self._comes_first(self._waiting[-1], token):
            self._reduce()
        self._at += 1
        self._waiting.append(_Waiting(token.sign, token.position))
        return True

    def _reduce_prefixes(self) -> None:
        while self._waiting and self._waiting[-1].sign in _PREFIX:
            self._reduce()

    def _comes_first(self, waiting: _Waiting, token: Token) -> bool:
        """Whether what waits is read before the operator that has come."""
        if waiting.sign is None:
            return False
        assert token.sign is not None
        (mine, associativity), (other, _) = self._places[waiting.sign], self._places[token.sign]
        if mine != other:
            return mine < other
        if associativity == "same":
            chained = waiting.sign is token.sign and token.sign in (Kind.AND, Kind.OR)
            associativity = "left" if chained else "none"
        if associativity == "none":
            shown = self._notation.signs[waiting.sign][0]
            raise NotationError(
                f"{token.text} after {shown} needs brackets in {self._notation.title}",
                token.position,
            )
        return associativity == "left"

    def _reduce(self) -> None:
        """Build what the last waiting operator says of what was read."""
        waiting = self._waiting.pop()
        right = self._read.pop()
        if waiting.sign in _PREFIX:
            assert isinstance(waiting.sign, Kind)
            if waiting.variable:
                self._scope[waiting.variable] -= 1
            node, depth = Node(waiting.sign, (right.node,), waiting.variable), right.depth + 1
        else:
            assert waiting.sign is not None
            node, depth = _joined(waiting.sign, self._read.pop(), right)
        if depth > MAX_NESTING:
            raise self._too_deep(waiting.position)
        self._read.append(_Operand(node, depth))

    def _too_deep(self, position: int) -> NotationError:
        return NotationError(f"more than {MAX_NESTING} terms inside one another", position)


@dataclass(frozen=True, slots=True, eq=False)
class _Raw:
    """A name and its arguments, before variables are told from constants."""

    token: Token
    arguments: tuple[_Raw, ...] = ()

    @property
    def name(self) -> str:
        return self.token.text


def _joined(sign: Kind | Sign, left: _Operand, right: _Operand) -> tuple[Node, int]:
    depth = max(left.depth, right.depth) + 1
    match sign:
        case "<-":
            return Node(Kind.IMPLIES, (right.node, left.node)), depth
        case "nor" | "nand":
            inner = Node(Kind.OR if sign == "nor" else Kind.AND, (left.node, right.node))
            return Node(Kind.NOT, (inner,)), depth + 1
    assert isinstance(sign, Kind)
    if sign not in _CHAINED:
        return Node(sign, (left.node, right.node)), depth
    # A chain is one node, so that it nests no deeper for being long.
    parts: list[Node] = []
    depths = [1]
    for side in (left, right):
        chained = side.node.kind is sign and not side.closed
        parts += side.node.parts if chained else (side.node,)
        depths.append(side.depth if chained else side.depth + 1)
    return Node(sign, tuple(parts)), max(depths)


def _marks(text: str) -> Sequence[str]:
    return [*text]
