"""A formula's text cut into names, signs and brackets, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from sorites.characters import name_of
from sorites.logic.first_order.trees import Kind
from sorites.logic.notations.errors import NotationError
from sorites.logic.notations.notation import Notation, Sign

__all__ = ["Token", "tokens"]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text: its place counts characters from 1.

    ``sign`` is set for an operator, ``is_name`` for a name; other pieces are punctuation. A
    quoted name stands here without its marks.
    """

    text: str
    position: int
    sign: Kind | Sign | None = None
    is_name: bool = False
    is_quoted: bool = False


def tokens(text: str, notation: Notation) -> Iterator[Token]:
    """The pieces of a formula; raises NotationError for a character that has no place in it."""
    pattern, signs = _tables(notation)
    at = 0
    while at < len(text):
        found = pattern.match(text, at)
        if found is None:
            raise _stray(text, at, notation)
        piece, kind = found.group(), found.lastgroup
        if kind == "quoted":
            inner = re.sub(r"\\(.)", r"\1", piece[1:-1])
            yield Token(inner, at + 1, is_name=True, is_quoted=True)
        elif kind == "name":
            sign = signs.get(piece)
            yield Token(piece, at + 1, sign, is_name=sign is None)
        elif kind == "sign":
            yield Token(piece, at + 1, signs.get(piece))
        at = found.end()


@cache
def _tables(notation: Notation) -> tuple[re.Pattern[str], dict[str, Kind | Sign]]:
    signs = {text: sign for sign, spellings in notation.signs.items() for text in spellings}
    binder = notation.binder
    punctuation = {"(", ")", ",", notation.end, *binder.before, *binder.between, *binder.after}
    marks = sorted(
        {text for text in signs if not re.fullmatch(notation.name, text)} | (punctuation - {""}),
        key=lambda mark: (-len(mark), mark),
    )
    parts = [r"(?P<space>\s+)"]
    if notation.comment:
        parts[0] = rf"(?P<space>\s+|{re.escape(notation.comment)}[^\n]*)"
    if notation.quoted:
        parts.append(rf"(?P<quoted>{'|'.join(map(_quoted, notation.quoted))})")
    # A name may hold the sign of a notation as letters; signs of letters are looked up as names.
    parts += [rf"(?P<name>{notation.name})", rf"(?P<sign>{'|'.join(map(re.escape, marks))})"]
    return re.compile("|".join(parts)), signs


def _quoted(mark: str) -> str:
    return rf"{mark}(?:[^{mark}\\\n]|\\.)+{mark}"


def _stray(text: str, at: int, notation: Notation) -> NotationError:
    character = text[at]
    shown = character if character.isprintable() else name_of(character)
    elsewhere = {"∀∃¬∧∨→↔⊕≠": "FOLIO's Unicode", "&|~!?<>-": "ASCII"}
    hint = next((f": it is {name}" for signs, name in elsewhere.items() if character in signs), "")
    if character in notation.quoted:
        hint = ": the quotation mark is not closed"
    return NotationError(f"{shown} has no place in {notation.title}{hint}", at + 1)
