"""The compiler's errors: each says what is wrong, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = [
    "CutShort",
    "FaultyRelease",
    "InvalidRelease",
    "InvalidSpec",
    "Problem",
    "SoritesError",
    "SourceError",
    "SourceWarning",
    "UnpinnedSource",
    "UnreadableSpec",
]


class SoritesError(Exception):
    """Whatever the compiler refuses to do, in words for the person who asked for it."""


class CutShort(SoritesError):
    """Work that the machine did not let end, such as a full disk: the same command goes on."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a spec.

    Lines and columns count from 1, as editors show them; ``path`` is the place in the
    document, such as ``schemes[3].premises[0]``.
    """

    message: str
    hint: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    path: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        place = f"{self.path}: " if self.path else ""
        hint = f"\n    {self.hint}" if self.hint else ""
        return f"{where}{place}{self.message}{hint}"


class InvalidSpec(SoritesError):
    """A spec that was read and is not valid; carries every problem, not only the first."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class UnreadableSpec(SoritesError):
    """A spec that could not be read at all: no such file, not UTF-8, too large."""


class SourceError(SoritesError):
    """A source that is missing, is not what its checksum promises, or cannot be understood."""


class SourceWarning(UserWarning):
    """What a source says of itself is not what the spec says of it."""


class UnpinnedSource(SourceError):
    """A source whose checksum is not in the spec yet."""


class InvalidRelease(SoritesError):
    """A release directory that is none, incomplete, altered, or with labels that are not proved."""


class FaultyRelease(InvalidRelease):
    """A release that was judged and is not what it says; carries every fault, not only the first.

    Another InvalidRelease says that there is no release that could be judged.
    """

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))
