"""What the sources of a spec hold, and what a compile would make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sorites.errors import Problem

__all__ = ["Cell", "Description", "Table", "examples"]

Cell: TypeAlias = str | int

_LONGEST = 40  # characters of an example


@dataclass(frozen=True, slots=True)
class Table:
    """Figures under a title; a cell of type int is a count."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Description:
    """Tables, and what they mean for a compile.

    With ``problems`` it would fail; with ``warnings`` it would give less than was asked for. Both
    have their place in the spec.
    """

    tables: tuple[Table, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()

    def with_more(self, other: Description) -> Description:
        """Both descriptions, one after the other."""
        return Description(
            self.tables + other.tables,
            self.problems + other.problems,
            self.warnings + other.warnings,
        )


def examples(texts: Sequence[str], most: int = 3) -> str:
    """The first few of many texts, each cut to a length that a table can hold.

    >>> examples(["a", "b", "c", "d"])
    'a, b, c, …'
    """
    shown = [text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for text in texts[:most]]
    return ", ".join([*shown, *(["…"] if len(texts) > most else [])])
