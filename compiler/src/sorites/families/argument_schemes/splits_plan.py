"""What the section ``splits`` of a spec asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import cast

from sorites.canonical import Json

__all__ = ["NAMES", "TEST", "Disjoint", "Splits", "read_splits"]

TEST = "test"
NAMES = ("train", "validation", TEST)
"""The splits of ``items``, in their order in a release."""


class Disjoint(StrEnum):
    """What no two splits have in common."""

    ARGUMENT = "argument"
    CLASS = "class"
    INDIVIDUAL = "individual"


@dataclass(frozen=True, slots=True)
class Splits:
    """The splits beside the test: arguments of each scheme by the name of the split."""

    disjoint: Disjoint = Disjoint.ARGUMENT
    arguments: Mapping[str, int] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, the test too."""
        return tuple(name for name in NAMES if name == TEST or name in self.arguments)


def read_splits(document: Mapping[str, Json]) -> Splits:
    """The section ``splits`` of a spec; without one there is the test alone."""
    section = cast("Mapping[str, Json]", document.get("splits", {}))
    return Splits(
        Disjoint(str(section.get("disjoint", Disjoint.ARGUMENT))),
        {name: cast(int, section[name]) for name in NAMES if name in section},
    )
