"""A plain reply cut into words and into the marks that part or announce them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from sorites_eval.scoring.function_words import CONCLUDING, REASONING
from sorites_eval.scoring.plain import CLOSED, OPENED

__all__ = ["Kind", "Token", "Tokens", "cut"]

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = (
    f"(?:[^\\W_{_UNSPACED}]|[\u0300-\u036f\u0591-\u05bd\u064b-\u0652\u0900-\u0963\u0966-\u0d7f])"
)
_TOKEN = re.compile(
    rf"(?P<number>\d+(?:[.,]\d+)+)|(?P<word>{_LETTER}+(?:'{_LETTER}+)*)"
    rf"|(?P<unspaced>[{_UNSPACED}]+)|(?P<line>\n+)|(?P<end>[.!\u2026\u3002\u0964]+)|(?P<ask>\?+)"
    r"|(?P<part>[,;\u3001\u060c\u061b\u00b7\u30fb])"
    r"|(?P<says>:|=>|->|=|[\u2190-\u21ff\u2794\u27f6\u2013\u2014\u2212]|(?<=\s)-+(?=\s)|--+)"
    rf"|(?P<close>[)\]}}>])|(?P<quote>\")|(?P<opened>{OPENED})|(?P<closed>{CLOSED})"
    r"|(?P<clear>[\s('\[{<_*#\-])|(?P<other>.)"
)
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")


class Kind(Enum):
    """What a token does in a text."""

    WORD = "word"
    MARKED = "marked number"
    END = "end of a sentence"
    LINE = "end of a line"
    ASK = "question mark"
    PART = "part of a sentence"
    SAYS = "separator that announces"
    REASON = "word that gives a reason"
    CLOSE = "closing bracket"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Token:
    """One token.

    ``before`` and ``after`` tell that a hyphen or underscore there makes it a piece of a longer
    word; ``tied`` that no space precedes, ``unspaced`` that its script has no spaces. It stands
    at ``start`` in the text and ends before ``stop``.
    """

    kind: Kind
    text: str
    folded: str
    before: bool = False
    after: bool = False
    tied: bool = False
    unspaced: bool = False
    start: int = 0
    stop: int = 0


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens, and where emphasis opens (before a token) and closes (after it)."""

    tokens: list[Token]
    opened: frozenset[int]
    closed: frozenset[int]


_KINDS = {
    "line": Kind.LINE,
    "end": Kind.END,
    "ask": Kind.ASK,
    "part": Kind.PART,
    "says": Kind.SAYS,
    "close": Kind.CLOSE,
    "other": Kind.OTHER,
}


def cut(
    text: str, marked: re.Pattern[str] | None = None, own: frozenset[str] = frozenset()
) -> Tokens:
    """The tokens of a plain text.

    ``marked`` fits a marked number; ``own`` are the words of labels, which no list takes away.
    """
    tokens: list[Token] = []
    opened: set[int] = set()
    closed: set[int] = set()
    for found in _TOKEN.finditer(text):
        group = str(found.lastgroup)
        if group == "opened":
            opened.add(len(tokens))
        elif group == "closed":
            closed.add(len(tokens) - 1)
        elif group in {"word", "number", "unspaced"}:
            tokens += _worded(text, found, group, marked, own)
        elif group in _KINDS:
            kind = _KINDS[group]
            if found[0] == ";" and _asks_in_greek(text, found.end(), tokens):
                kind = Kind.ASK
            tokens.append(Token(kind, found[0], found[0], start=found.start(), stop=found.end()))
    return Tokens(tokens, frozenset(opened), frozenset(closed))


def _asks_in_greek(text: str, position: int, tokens: list[Token]) -> bool:
    """Whether a semicolon is a question mark: at the end of a line with a word in Greek."""
    at_end = not text[position : position + 1].strip(' "')
    return at_end and any(_GREEK.search(token.text) for token in tokens[-8:])


def _worded(
    text: str, found: re.Match[str], group: str, marked: re.Pattern[str] | None, own: frozenset[str]
) -> Iterator[Token]:
    word, start, stop = found[0], *found.span()
    tied = start > 0 and not text[start - 1].isspace()
    if marked and marked.fullmatch(word):
        yield Token(Kind.MARKED, word, word.casefold(), tied=tied, start=start, stop=stop)
        return
    folded = word.casefold()
    if folded == "cannot" or (folded.endswith("n't") and len(folded) > 3):
        stem = {"can": "can", "ca": "can", "wo": "will", "sha": "shall"}.get(
            folded[:-3], folded[:-3]
        )
        yield Token(Kind.WORD, stem, stem, tied=tied, start=start, stop=stop)
        yield Token(Kind.WORD, "not", "not", start=start, stop=stop)
    elif folded in REASONING and folded not in own:
        yield Token(Kind.REASON, word, folded, start=start, stop=stop)
    elif folded in CONCLUDING and folded not in own:
        yield Token(Kind.PART, word, folded, start=start, stop=stop)
    else:
        ties = (*_hyphens(text, start, stop), tied, group == "unspaced")
        yield Token(Kind.WORD, word, folded, *ties, start=start, stop=stop)


def _hyphens(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether a hyphen or an underscore ties a word to the one before or after, or a minus does."""
    left, right = text[max(0, start - 2) : start], text[end : end + 2]
    before = len(left) == 2 and left[1] in "-_" and left[0].isalnum()
    minus = left.endswith("-") and text[start].isdigit()
    after = len(right) == 2 and right[0] in "-_" and right[1].isalnum()
    return before or minus, after
