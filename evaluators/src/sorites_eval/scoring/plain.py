"""A reply as plain text: what only dresses it up is taken off, and emphasis is kept as two marks.

Unicode forms, invisible characters, quotes, Markdown, HTML, LaTeX and JSON are put away with
expressions whose repeats are bounded, so that time is linear in the text.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator

__all__ = ["CLOSED", "MAX_CHARACTERS", "OPENED", "characters", "plain"]

MAX_CHARACTERS = 200_000
"""Of a longer text only this much is read; no task asks for a tenth of it."""

OPENED, CLOSED = "\x02", "\x03"
"""Around a piece of text that was emphasised."""

_MOST_JSON = 20_000
_ASKING = dict.fromkeys(map(ord, "\u037e\u061f\u055e\u2e2e\uff1f\u2047"), "?")
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_QUOTES = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u2033"), '"'),
    **dict.fromkeys(map(ord, "\u300c\u300d\u300e\u300f\u301d\u301e\u301f"), '"'),
}
_FENCE = re.compile(r"^[ \t]{0,8}(?:```|~~~)[\w+-]{0,20}[ \t]{0,8}$", re.MULTILINE)
_SPECIAL_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|<(?:eos|bos|pad|end_of_turn)>|\[/?INST\]")
_TAG = re.compile(r"<(/?)([A-Za-z][\w-]{0,30})(?:\s[^<>\n]{0,200})?\s?/?>")
_DRESSING = frozenset({"b", "strong", "i", "em", "u", "mark", "code", "span", "tt", "kbd"})
_LATEX_TEXT = re.compile(
    r"\\(?:text|textbf|textit|texttt|textrm|mathrm|mathbf|mathit|mathsf|operatorname|mbox)"
    r"\s{0,2}\{([^{}\n]{0,200})\}"
)
_LATEX_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s{0,2}\{([^{}\n]{0,200})\}")
_LATEX_MATHS = re.compile(r"\\[()\[\]]|\${1,2}(?=[^$\n]{1,200}\$)|(?<=[^\s$])\${1,2}")
_LATEX_ESCAPE = re.compile(r"\\([_#%&$ {}])")
_HEADING = re.compile(r"^[ \t]{0,8}(?:#{1,6}[ \t]|>[ \t]?|[*+•‣◦▪-][ \t]{1,4})", re.MULTILINE)
_STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
_EMPHASIS = re.compile(
    r"(\*{1,3})(?=\S)([^*\n]{1,200})\1|(?<![^\W_])(_{1,3})(?=\S)([^_\n]{1,200})\3(?![^\W_])"
    r"|(`{1,3})([^`\n]{1,200})\5"
)


def characters(text: str) -> str:
    """Text in one form of every character: NFKC, digits of ASCII, no invisible ones.

    >>> characters("\uff34rue\u200b \u0663")
    'True 3'
    """
    text = _LINE_ENDS.sub("\n", text[:MAX_CHARACTERS].translate(_ASKING))
    text = unicodedata.normalize("NFKC", text.translate(_QUOTES))[:MAX_CHARACTERS]
    return text if text.isascii() and text.isprintable() else "".join(_visible(text))


def _visible(text: str) -> Iterator[str]:
    for character in text:
        if character == "\n":
            yield character
            continue
        category = unicodedata.category(character)
        if category == "Nd":
            yield str(unicodedata.decimal(character))
        elif category in {"Cc", "Zs"}:
            yield " "
        elif category not in {"Cf", "Me"} and not 0xFE00 <= ord(character) <= 0xFE0F:
            yield character


def plain(text: str, labels: frozenset[str] = frozenset()) -> str:
    """A reply without dress; ``labels``, casefolded, are no names of tags.

    >>> plain("# **True**")
    '\\x02True\\x03'
    >>> plain('{"answer": true}')
    'answer: true'
    """
    text = _FENCE.sub("", _SPECIAL_TOKEN.sub("\n", characters(text)))
    text = _from_json(text)
    text = _TAG.sub(lambda tag: _untagged(tag, labels), text)
    for _ in range(3):
        text = _LATEX_TEXT.sub(r"\1", text)
    text = _LATEX_BOX.sub(f"{OPENED}\\1{CLOSED}", text)
    text = _LATEX_MATHS.sub("", _LATEX_ESCAPE.sub(r"\1", text))
    text = _STRUCK.sub("", _HEADING.sub("", text))
    for _ in range(2):
        text = _EMPHASIS.sub(_emphasised, text)
    return text.strip()


def _emphasised(found: re.Match[str]) -> str:
    return f"{OPENED}{found[2] or found[4] or found[6]}{CLOSED}"


def _untagged(tag: re.Match[str], labels: frozenset[str]) -> str:
    name = tag[2].casefold()
    if name in labels:
        return str(tag[2])
    if name in _DRESSING:
        return CLOSED if tag[1] else OPENED
    return "\n"


def _from_json(text: str) -> str:
    """A reply that is a JSON value, as lines of ``key: value``; any other as it is."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[", '"')) or len(stripped) > _MOST_JSON:
        return text
    try:
        return "\n".join(_json_lines(json.loads(stripped)))
    except (ValueError, RecursionError):
        return text


def _json_lines(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, entry in value.items():
            for line in _json_lines(entry):
                yield f"{key}: {line}"
    elif isinstance(value, list):
        yield ", ".join(line for entry in value for line in _json_lines(entry))
    elif isinstance(value, str):
        yield value
    else:
        yield json.dumps(value)
