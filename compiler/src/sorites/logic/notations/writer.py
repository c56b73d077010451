"""Writes a formula in a notation, with a bracket around every connective that has another."""

from __future__ import annotations

from collections.abc import Sequence

from sorites.errors import SoritesError
from sorites.logic.first_order.trees import Kind, Node, Term, fold, fold_term
from sorites.logic.notations.notation import Notation

__all__ = ["write_formula"]


def write_formula(root: Node, notation: Notation) -> str:
    """A formula in a notation, which ``read_formula`` reads as the same formula.

    Names are written as they are: it is for the caller to see that they are names of the
    notation. An exclusive or that the notation does not have becomes the negation of an
    equivalence. Raises SoritesError for ⊤ or ⊥ where the notation has no sign for it.
    """

    def term(each: Term, below: Sequence[str]) -> str:
        return f"{each.name}({', '.join(below)})" if below else each.name

    def formula(node: Node, below: Sequence[tuple[str, bool]]) -> tuple[str, bool]:
        """The text, and whether it stands for itself without brackets."""
        terms = [fold_term(each, term) for each in node.terms]
        match node.kind:
            case Kind.ATOM:
                return f"{node.name}({', '.join(terms)})" if terms else node.name, True
            case Kind.EQUAL:
                return f"({f' {_sign(Kind.EQUAL, notation)} '.join(terms)})", True
            case Kind.TRUE | Kind.FALSE:
                return _sign(node.kind, notation), True
            case Kind.NOT:
                return _sign(Kind.NOT, notation) + _closed(below[0]), True
            case Kind.ALL | Kind.SOME:
                binder = notation.binder
                sign = _sign(node.kind, notation)
                gap = " " if sign[-1].isalpha() else ""
                name = f"{binder.before}{node.name}{binder.after}"
                return f"{sign}{gap}{name} {_closed(below[0])}", True
            case Kind.XOR if Kind.XOR not in notation.signs:
                text = _closed(below[0])
                for part in below[1:]:
                    text = f"({text} {_sign(Kind.IFF, notation)} {_closed(part)})"
                odd = len(below) % 2 == 1
                return (text if odd else _sign(Kind.NOT, notation) + text), True
        if node.kind is Kind.XOR and len(below) > 2 and not _is_chained(notation):
            text = _closed(below[0])
            for part in below[1:-1]:
                text = f"({text} {_sign(Kind.XOR, notation)} {_closed(part)})"
            below = [(text, True), below[-1]]
        return f" {_sign(node.kind, notation)} ".join(map(_closed, below)), False

    return fold(root, formula)[0]


def _is_chained(notation: Notation) -> bool:
    """Whether an exclusive or of more than two parts needs no brackets."""
    return any(
        Kind.XOR in level.operators and level.associativity in ("left", "right")
        for level in notation.levels
    )


def _closed(part: tuple[str, bool]) -> str:
    text, closed = part
    return text if closed else f"({text})"


def _sign(kind: Kind, notation: Notation) -> str:
    if kind not in notation.signs:
        raise SoritesError(f"{notation.title} has no sign for {kind.value}")
    return notation.signs[kind][0]
