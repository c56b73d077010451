"""What a family is: functions that check a spec, look at its sources, build, and prove again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

import pyarrow as pa

from sorites.canonical import Json
from sorites.errors import Problem
from sorites.families.description import Description
from sorites.progress import Progress
from sorites.release.content import Content, SplitName
from sorites.specfile.model import Spec

__all__ = ["Build", "Describe", "Family"]

Describe: TypeAlias = Callable[[Spec, Mapping[str, Path]], Description]
"""What a compile would find in the sources' files, by source id, where they are at hand.

What cannot be understood is a problem of the description, and is not raised.
"""


class Build(Protocol):
    """Makes the content of a release from a spec and its sources' files, by source id."""

    def __call__(
        self, spec: Spec, files: Mapping[str, Path], *, workers: int, progress: Progress
    ) -> Content:
        """Raise SourceError for files that cannot be understood, SoritesError for no content."""
        ...


@dataclass(frozen=True, slots=True)
class Family:
    """What the compiler does with a spec of one kind.

    ``splits`` are all that a spec without problems can make; those without rows may be left out.
    ``adapts``: a spec is of no use without a release, so that its sources must allow one.
    """

    check: Callable[[Spec], list[Problem]]
    build: Build
    reprove: Callable[[Mapping[tuple[str, str], pa.Table], Mapping[str, Json]], Sequence[str]]
    describe: Describe
    splits: Callable[[Spec], Collection[SplitName]]
    adapts: bool = True
