"""What a family is: functions that check, look at sources, build, certify and prove again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.errors import Problem
from sorites.families.description import Description
from sorites.progress import Progress
from sorites.release.certificates.certificates import Certificates
from sorites.release.content import Content, SplitName
from sorites.specfile.model import Spec

__all__ = ["Build", "Certify", "Describe", "Family"]

Describe: TypeAlias = Callable[[Spec, Mapping[str, Path]], Description]
"""What a compile would find in the sources' files, by source id, where they are at hand.

What cannot be understood is a problem of the description, and is not raised.
"""


class Build(Protocol):
    """Makes the content of a release from a spec and its sources' files, by source id."""

    def __call__(
        self,
        spec: Spec,
        files: Mapping[str, Path],
        *,
        engine: Engine,
        progress: Progress,
        scratch: Path | None = None,
    ) -> Content:
        """Raise SourceError for files that cannot be understood, SoritesError for no content.

        Rows may lie in the folder ``scratch``, with what an earlier run has left there; without
        one, in a folder that goes with the process.
        """
        ...


class Recheck(Protocol):
    """Says what is wrong with the rows of a release, by its tables and its spec's document."""

    def __call__(
        self,
        tables: Mapping[tuple[str, str], pa.Table],
        document: Mapping[str, Json],
        *,
        engine: Engine | None = None,
    ) -> Sequence[str]:
        """A line for each fault; without an engine this process looks."""
        ...


class Certify(Protocol):
    """Makes the certificates of a release from its tables and its spec's document."""

    def __call__(
        self,
        tables: Mapping[tuple[str, str], pa.Table],
        document: Mapping[str, Json],
        *,
        engine: Engine,
        progress: Progress,
        scratch: Path | None = None,
    ) -> Certificates:
        """Raise SoritesError for a row that has none; ``scratch`` is as it is for ``Build``."""
        ...


@dataclass(frozen=True, slots=True)
class Family:
    """What the compiler does with a spec of one kind.

    ``splits`` are all that a spec without problems can make, but for its certificates; those
    without rows may be left out. ``reprove`` proves every label again; ``recheck`` is what
    certificates do not show, such as that partners are each other's. ``certify`` and ``recheck``
    are None where rows have no certificates. ``adapts``: a spec is of no use without a release, so
    that its sources must allow one.
    """

    check: Callable[[Spec], list[Problem]]
    build: Build
    reprove: Recheck
    describe: Describe
    splits: Callable[[Spec], Collection[SplitName]]
    recheck: Recheck | None = None
    certify: Certify | None = None
    adapts: bool = True
