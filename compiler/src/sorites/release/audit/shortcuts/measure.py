"""The accuracy of each reader, overall and by stratum, and which of them is beyond its bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sorites.release.audit.shortcuts.crossvalidation import Method, deal, hits
from sorites.release.audit.shortcuts.features import Features, Integers
from sorites.release.audit.shortcuts.significance import above, below, rejected

__all__ = ["OVERALL", "Figure", "Finding", "Items", "Reader", "beyond_bound", "measure", "outcomes"]

OVERALL = ""
"""Stands in a figure for all strata together."""

SIGNIFICANCE = 0.01
"""The level of all tests taken together."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A way to guess labels: what it sees, how it guesses, and whether it is only reported."""

    name: str
    features: Features
    method: Method
    only_reported: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """Labels; the group of each item, whose members are no independent evidence; its level,
    such as a number of distractors, on which all others are set aside; and its stratum."""

    labels: NDArray[np.bool_]
    groups: tuple[str, ...]
    levels: tuple[int, ...]
    strata: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """How often a reader was right at one level: the sum of each group's share, of ``groups``.

    ``stratum`` is OVERALL for all of them. ``only_above``: a low accuracy is no cue either.
    """

    reader: str
    level: int
    stratum: str
    score: float
    groups: int
    tested: bool = True
    only_above: bool = False

    @property
    def accuracy(self) -> float:
        """From 0 to 1."""
        return self.score / self.groups


@dataclass(frozen=True, slots=True)
class Finding:
    """A figure that is beyond its bound by more than chance."""

    figure: Figure
    bound: float
    probability: float


def measure(readers: Sequence[Reader], items: Items) -> list[Figure]:
    """Train and try each reader at each level, on all strata together and within each."""
    folds = deal(items.groups)
    strata = _numbered(items.strata)
    found = []
    for level in sorted({*items.levels}):
        rows = _at(items, level)
        for reader in readers:
            seen = reader.features.take(rows)
            labels, fold = items.labels[rows], folds[rows]
            together = hits(seen, labels, fold, np.zeros_like(fold), reader.method)
            within = hits(seen, labels, fold, strata[rows], reader.method)
            tested = not reader.only_reported
            found.append(_figure(reader.name, level, OVERALL, together, rows, items, tested))
            found += _by_stratum(reader.name, level, within, rows, items, tested)
    return found


def outcomes(name: str, right: NDArray[np.float64], items: Items) -> list[Figure]:
    """The figures of a reader that needs no training; NaN where it has nothing to say.

    It chooses among many answers, so that a low accuracy is no cue.
    """
    found = []
    for level in sorted({*items.levels}):
        rows = _at(items, level)
        rows = rows[~np.isnan(right[rows])]
        if len(rows):
            shown = right[rows]
            found.append(_figure(name, level, OVERALL, shown, rows, items, True, True))
            found += _by_stratum(name, level, shown, rows, items, True, True)
    return found


def beyond_bound(
    figures: Sequence[Figure], bound: float, bounds: Mapping[str, float]
) -> list[Finding]:
    """The figures above their bound, or as far below a half, by more than chance.

    ``bounds`` holds those of strata that have one of their own. All tests are taken together
    (Holm), at the level 0.01.
    """
    tested = [figure for figure in figures if figure.tested]
    limits = [bounds.get(figure.stratum, bound) for figure in tested]
    sides = [
        (figure, limit, side)
        for figure, limit in zip(tested, limits, strict=True)
        for side in ((above,) if figure.only_above else (above, below))
    ]
    probabilities = [
        side(figure.score, figure.groups, limit if side is above else 1 - limit)
        for figure, limit, side in sides
    ]
    return [
        Finding(sides[position][0], sides[position][1], probabilities[position])
        for position in rejected(probabilities, SIGNIFICANCE)
    ]


def _at(items: Items, level: int) -> Integers:
    return np.flatnonzero(np.array(items.levels) == level)


def _numbered(names: Sequence[str]) -> Integers:
    known: dict[str, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)


def _by_stratum(
    reader: str,
    level: int,
    right: NDArray[np.float64],
    rows: Integers,
    items: Items,
    tested: bool,
    only_above: bool = False,
) -> list[Figure]:
    found = []
    here = np.array([items.strata[row] for row in rows])
    for stratum in dict.fromkeys(here.tolist()):
        chosen = here == stratum
        found.append(
            _figure(reader, level, stratum, right[chosen], rows[chosen], items, tested, only_above)
        )
    return found


def _figure(
    reader: str,
    level: int,
    stratum: str,
    right: NDArray[np.float64],
    rows: Integers,
    items: Items,
    tested: bool,
    only_above: bool = False,
) -> Figure:
    group = _numbered([items.groups[row] for row in rows])
    share = np.bincount(group, right) / np.bincount(group)
    return Figure(reader, level, stratum, float(share.sum()), len(share), tested, only_above)
