"""Fewer items than a release has, and still a picture of all of them.

A sample is stratified by the finest grouping that the task scores and by gold label, seeded,
and keeps partners together. A larger sample of the same seed holds the smaller one, but for
the last few items.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.prompts.requests import Item

__all__ = ["sample"]


def sample(task: Task, items: Sequence[Item], limit: int | None, seed: int) -> list[Item]:
    """At most ``limit`` items, in the order of the release; all of them for None.

    Units are an item and its partners, in the stratum of the one whose id comes first. Within
    each stratum units are put in a seeded order and spread evenly over [0, 1); units are then
    taken by that place, so that every stratum is filled at the same pace. A unit that would
    go over the limit is passed over.
    """
    if limit is None or limit >= len(items):
        return list(items)
    units = _units(task, items)
    strata: dict[tuple[tuple[str, Scalar], ...], list[list[int]]] = {}
    for unit in units:
        strata.setdefault(_stratum(task, items[unit[0]]), []).append(unit)
    places: list[tuple[float, str, list[int]]] = []
    for stratum in strata.values():
        stratum.sort(key=lambda unit: _draw(seed, items[unit[0]].id))
        for rank, unit in enumerate(stratum):
            identity = items[unit[0]].id
            places.append(((rank + 0.5) / len(stratum), _draw(seed + 1, identity), unit))
    chosen: list[int] = []
    for _, _, unit in sorted(places, key=lambda place: place[:2]):
        if len(chosen) + len(unit) <= limit:
            chosen += unit
    return [items[position] for position in sorted(chosen)]


def _units(task: Task, items: Sequence[Item]) -> list[list[int]]:
    column = task.score.pairs
    if column is None:
        return [[position] for position in range(len(items))]
    where = {item.id: position for position, item in enumerate(items)}
    leader = list(range(len(items)))

    def find(position: int) -> int:
        while leader[position] != position:
            leader[position] = leader[leader[position]]
            position = leader[position]
        return position

    for position, item in enumerate(items):
        partner = item.facts[column]
        other = where.get(str(partner)) if partner is not None else None
        if other is not None:
            a, b = find(position), find(other)
            leader[max(a, b)] = min(a, b)
    units: dict[int, list[int]] = {}
    for position in range(len(items)):
        units.setdefault(find(position), []).append(position)
    return [sorted(unit, key=lambda position: items[position].id) for unit in units.values()]


def _stratum(task: Task, item: Item) -> tuple[tuple[str, Scalar], ...]:
    finest = max(task.score.groups, key=len, default=())
    values = [(type(item.facts[c]).__name__, item.facts[c]) for c in finest]
    return (*values, ("label", item.label))


def _draw(seed: int, identity: str) -> str:
    return hashlib.sha256(f"sample\0{seed}\0{identity}".encode()).hexdigest()
