"""How a problem of a section of a spec is told: its path, what is wrong, what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from sorites.errors import SoritesError

__all__ = ["Path", "Report", "no_problem"]

Path: TypeAlias = tuple[str | int, ...]

Report: TypeAlias = Callable[[Path, str, str], None]
"""Takes the path of a value in the document, what is wrong with it, and a hint."""


def no_problem(path: Path, message: str, hint: str) -> None:
    """A report for a document that ``check`` has accepted before."""
    raise SoritesError(f"{'.'.join(map(str, path))}: {message}" + (f" ({hint})" if hint else ""))
