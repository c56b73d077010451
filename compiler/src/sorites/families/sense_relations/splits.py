"""Training and validation splits of sense pairs, disjoint by pair or by synset.

A synset, or a pair of them, goes to a split by the seed and by its own name: one more in the
lexicon moves no other. Where splits are disjoint by synset, pairs between two splits are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from typing import cast

from sorites.canonical import Json
from sorites.families.sense_relations.pairs import SensePair
from sorites.seeds import random_for

__all__ = [
    "NAMES",
    "TEST",
    "Disjoint",
    "Ends",
    "Splits",
    "deal",
    "ends_of",
    "in_common",
    "promise_faults",
    "read_splits",
]

TEST = "test"
NAMES = ("train", "validation", TEST)
"""The splits of ``pairs``, in their order in a release."""

Ends = tuple[str, str]
"""The two synsets of a pair, in the order of their names."""


class Disjoint(StrEnum):
    """What no two splits have in common."""

    PAIR = "pair"
    SYNSET = "synset"


@dataclass(frozen=True, slots=True)
class Splits:
    """The share of the synsets or pairs that goes to each split beside the test."""

    disjoint: Disjoint = Disjoint.SYNSET
    shares: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All of them, the test too."""
        return tuple(name for name in NAMES if name == TEST or name in self.shares)


def read_splits(document: Mapping[str, Json]) -> Splits:
    """The section ``splits`` of a spec; without one there is the test alone."""
    section = cast("Mapping[str, Json]", document.get("splits", {}))
    return Splits(
        Disjoint(str(section.get("disjoint", Disjoint.SYNSET))),
        {name: float(cast(float, section[name])) for name in NAMES if name in section},
    )


def deal(pairs: Sequence[SensePair], splits: Splits, seed: int) -> dict[str, list[SensePair]]:
    """The pairs of each split, in their order; those between two splits are in none."""
    if not splits.shares:
        return {TEST: list(pairs)}
    dealt: dict[str, list[SensePair]] = {name: [] for name in splits.names}
    for pair in pairs:
        ends = ends_of(pair)
        names = (" ".join(ends),) if splits.disjoint is Disjoint.PAIR else ends
        found = {_split_of(name, splits, seed) for name in names}
        if len(found) == 1:
            dealt[found.pop()].append(pair)
    return dealt


def ends_of(pair: SensePair) -> Ends:
    """The synsets of a pair, the same for both orders."""
    first, second = sorted((pair.first, pair.second))
    return first, second


def in_common(pairs: Mapping[str, Sequence[Ends]]) -> list[dict[str, Json]]:
    """How many pairs, in either order, and how many synsets each two splits share."""
    ends = {name: {*found} for name, found in pairs.items()}
    synsets = {name: {one for pair in found for one in pair} for name, found in ends.items()}
    return [
        {
            "splits": [one, other],
            "pairs": len(ends[one] & ends[other]),
            "synsets": len(synsets[one] & synsets[other]),
        }
        for one, other in combinations(pairs, 2)
    ]


def promise_faults(disjoint: Disjoint, pairs: Mapping[str, Sequence[Ends]]) -> Iterator[str]:
    """Where splits share what the spec says that they do not."""
    kind = "pairs" if disjoint is Disjoint.PAIR else "synsets"
    for shared in in_common(pairs):
        if shared[kind]:
            one, other = cast("list[str]", shared["splits"])
            yield f"the splits {one} and {other} have {kind} in common: {shared[kind]:,}"


def _split_of(name: str, splits: Splits, seed: int) -> str:
    place = random_for(seed, "splits", splits.disjoint, name).random()
    for split, share in splits.shares.items():
        if place < share:
            return split
        place -= share
    return TEST
