"""What is wrong with a task, before it is located in the spec's files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sorites.names import closest
from sorites.release.content import Split

__all__ = ["Finding", "Path", "unknown_column"]

Path: TypeAlias = tuple[str | int, ...]
"""A place in the spec's document, such as ``("tasks", "entailment", "id")``."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, where it is, and what to do about it."""

    path: Path
    message: str
    hint: str = ""


def unknown_column(path: Path, column: str, split: Split) -> Finding:
    """That a split has no such column, with the nearest one that it has."""
    names = [column.name for column in split.columns]
    meant = closest(column, names)
    hint = f"did you mean {meant}?" if meant else f"its columns are: {', '.join(names)}"
    return Finding(path, f"{split.config}/{split.name} has no column {column}", hint)
