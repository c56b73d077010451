"""A stranger's text as it may be printed: on a terminal, and in a table that a terminal shows."""

from __future__ import annotations

from sorites.characters import find_hidden, name_of

__all__ = ["printable"]


def printable(text: str, *, allowed: str = "") -> str:
    """A text with its hidden and control characters, but for the allowed ones, by their numbers.

    No text can then move a terminal's cursor, colour it, or hide what stands beside it.

    >>> printable(chr(27) + "[31mred")
    '<U+001B>[31mred'
    """
    parts = []
    while (position := find_hidden(text, allowed=allowed)) is not None:
        parts.append(f"{text[:position]}<{name_of(text[position])}>")
        text = text[position + 1 :]
    return "".join([*parts, text])
