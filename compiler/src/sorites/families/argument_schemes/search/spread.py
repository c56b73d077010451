"""A choice among bindings in which no class stands more often than it must."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from sorites.families.argument_schemes.search.bindings import Binding

__all__ = ["spread"]

Integers = NDArray[np.int64]


def spread(
    bindings: Sequence[Binding], count: int, random: Random, before: Sequence[Binding] = ()
) -> list[int]:
    """Positions of so many bindings, chosen so that the most frequent class is in few of them.

    Those of ``before`` are chosen already.

    Bindings are taken one by one, the one whose classes were used least; then, while that makes
    the most frequent class rarer, one that holds it gives way to one that does not.
    """
    order = list(range(len(bindings)))
    random.shuffle(order)
    if count >= len(order):
        return sorted(order)
    members, number = _numbered([*bindings, *before])
    used = np.zeros(number + 1, dtype=np.int64)
    for earlier in members[len(bindings) :]:
        _count(used, earlier, 1)
    chosen: list[int] = []
    left = np.array(order, dtype=np.int64)
    while len(chosen) < count:
        place = _least_used(used[members[left]])
        chosen.append(int(left[place]))
        _count(used, members[left[place]], 1)
        left = np.delete(left, place)
    while (others := _exchanged(members, chosen, left, used)) is not None:
        left = others
    return sorted(chosen)


def _numbered(bindings: Sequence[Binding]) -> tuple[Integers, int]:
    """The classes of each binding, numbered from 0, and how many there are in all.

    Rows have one length: behind the classes of a binding that has fewer, that number stands.
    """
    numbers: dict[int, int] = {}
    rows = [
        [numbers.setdefault(index, len(numbers)) for index in {*binding.classes.values()}]
        for binding in bindings
    ]
    members = np.full((len(rows), max(map(len, rows))), len(numbers), dtype=np.int64)
    for place, row in enumerate(rows):
        members[place, : len(row)] = row
    return members, len(numbers)


def _count(used: Integers, classes: Integers, times: int) -> None:
    used[classes] += times
    # What fills up a row is no class.
    used[-1] = 0


def _least_used(uses: Integers) -> int:
    """The first binding whose most frequent class is least frequent, and so are the others."""
    most = uses.max(axis=1)
    least = np.flatnonzero(most == most.min())
    return int(least[(uses[least] ** 2).sum(axis=1).argmin()])


def _exchanged(
    members: Integers, chosen: list[int], left: Integers, used: Integers
) -> Integers | None:
    """Make one of the most frequent classes rarer, and none as frequent.

    Gives what is left then, or None if no exchange does that.
    """
    most = used.max()
    often = used == most
    classes = members[left]
    has_room = used[classes] + 1 < most
    for at, position in enumerate(chosen):
        given = members[position]
        if not often[given].any():
            continue
        stays = np.zeros(len(used), dtype=np.bool_)
        stays[given] = True
        stays[-1] = True
        fits = (has_room | stays[classes]).all(axis=1) & ~(stays & often)[classes].any(axis=1)
        place = int(fits.argmax())
        if fits[place]:
            other = int(left[place])
            _count(used, given, -1)
            _count(used, members[other], 1)
            chosen[at] = other
            return np.append(np.delete(left, place), position)
    return None
