"""What is wrong with a task, before it is located in the spec's files."""

from __future__ import annotations

from dataclasses import dataclass

from sorites.names import closest
from sorites.release.content import Split
from sorites_eval.contract.faults import Path

__all__ = ["Finding", "Path", "unknown_column"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault, where it is, and what to do about it."""

    path: Path
    message: str
    hint: str = ""


def unknown_column(path: Path, column: str, split: Split) -> Finding:
    """The finding that a split lacks a column, with the nearest name that it has."""
    names = [column.name for column in split.columns]
    meant = closest(column, names)
    hint = f"did you mean {meant}?" if meant else f"its columns are: {', '.join(names)}"
    return Finding(path, f"{split.config}/{split.name} has no column {column}", hint)
