"""A choice among bindings in which no class stands more often than it must."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from sorites.families.argument_schemes.search.bindings import Binding

__all__ = ["spread"]


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
    used = _uses(before)
    chosen: list[int] = []
    left = dict.fromkeys(order)
    while len(chosen) < count:
        best = min(left, key=lambda position: _cost(bindings[position], used))
        del left[best]
        chosen.append(best)
        used.update(_classes(bindings[best]))
    while _exchange(bindings, chosen, left, used):
        pass
    return sorted(chosen)


def _exchange(
    bindings: Sequence[Binding], chosen: list[int], left: dict[int, None], used: Counter[int]
) -> bool:
    """Make one of the most frequent classes rarer, and none as frequent; False if none can be."""
    most = max(used.values())
    often = {index for index, uses in used.items() if uses == most}
    for at, position in enumerate(chosen):
        given = _classes(bindings[position])
        if not given & often:
            continue
        for other in left:
            taken = _classes(bindings[other])
            if all(used[index] - (index in given) + 1 < most for index in taken - given) and not (
                taken & given & often
            ):
                used.subtract(given)
                used.update(taken)
                del left[other]
                left[position] = None
                chosen[at] = other
                return True
    return False


def _cost(binding: Binding, used: Counter[int]) -> tuple[int, int]:
    uses = [used[index] for index in binding.classes.values()]
    return max(uses), sum(count * count for count in uses)


def _classes(binding: Binding) -> frozenset[int]:
    return frozenset(binding.classes.values())


def _uses(bindings: Sequence[Binding]) -> Counter[int]:
    used: Counter[int] = Counter()
    for binding in bindings:
        used.update(_classes(binding))
    return used
