"""Tables in Markdown, whatever stands in their cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

__all__ = ["cell", "table"]


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of rows, each with a cell for every column of the head."""
    lines = [_line(head), _line(["---"] * len(head)), *(_line(row) for row in rows)]
    return "\n".join(lines) + "\n"


def cell(text: str) -> str:
    """A text of one line, in which no character begins another cell or a tag."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
