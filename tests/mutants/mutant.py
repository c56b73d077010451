"""A small change of a file after which a test should fail."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Mutant"]


@dataclass(frozen=True)
class Mutant:
    """``code`` is the whole file as it would be; ``before`` and ``after`` tell what differs."""

    path: Path
    line: int
    before: str
    after: str
    code: str
