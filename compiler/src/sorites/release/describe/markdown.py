"""Markdown from data: text of a source or a spec is shown literally, never taken as markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

__all__ = ["bullets", "code", "escape", "fence", "table"]

_SPECIAL = re.compile(r"([\\`*_{}\[\]|~#$!^])")
_LEADING = re.compile(r"^([-+=](?=[-+=\s]|$)|\d{1,9}[.)](?=\s|$))")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


def escape(text: str) -> str:
    """Text as one line of Markdown that shows exactly this text: no markup, HTML or break.

    >>> escape("a|b <i>c</i> *d*")
    'a\\\\|b &lt;i&gt;c&lt;/i&gt; \\\\*d\\\\*'
    """
    line = _CONTROL.sub(" ", text).strip()
    line = _SPECIAL.sub(r"\\\1", line)
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _LEADING.sub(lambda mark: f"{mark[0][:-1]}\\{mark[0][-1]}", line)


def code(text: str) -> str:
    """Text as inline code, in a table too."""
    line = _CONTROL.sub(" ", text).strip().replace("|", "\\|")
    ticks = "`" * (_longest_run(line) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def fence(text: str, language: str = "") -> str:
    """Text as a block of code that no back-quotes inside it can close."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"


def table(header: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int] = ()) -> str:
    """A table of cells that are Markdown already; ``right`` are the columns of figures, from 0."""
    rule = ["--:" if column in right else "---" for column in range(len(header))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, rule, *rows))


def bullets(items: Iterable[str]) -> str:
    """A list of items that are Markdown already."""
    return "\n".join(f"- {item}" for item in items)


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
