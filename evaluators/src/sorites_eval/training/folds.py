"""Cross-validation over pairs, with folds that have no member of a pair in common.

A classifier that has seen a sense with a relation can guess the relation from the sense alone
(Levy et al., 2015). So no pair is trained on that shares a member with a pair of the test fold.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

__all__ = ["Fold", "folds"]

_GROUPS_A_FOLD = 2


@dataclass(frozen=True, slots=True)
class Fold:
    """Indices of pairs; ``left_out`` are neither: they share a member with a test pair."""

    train: tuple[int, ...]
    test: tuple[int, ...]
    left_out: tuple[int, ...]


def folds(
    pairs: Sequence[tuple[Hashable, Hashable]], count: int, generator: random.Random
) -> Iterator[Fold]:
    """Split pairs so that each is tested once.

    Pairs of the same group of members go to the same fold; a group grows along the pairs, in
    random order and from the outside in, until it is as large as half a fold. What a random
    split would leave out for sharing a member is so mostly kept.
    """
    group = _groups(pairs, count, generator)
    members = Counter(group[member] for pair in pairs for member in pair)
    load = [0] * count
    fold_of: dict[int, int] = {}
    # Of equal size in random order: the order of the pairs must not decide who is tested together.
    order = list(members)
    generator.shuffle(order)
    for each in sorted(order, key=members.__getitem__, reverse=True):
        fold_of[each] = min(range(count), key=load.__getitem__)
        load[fold_of[each]] += members[each]
    # A pair between two folds is tested in one of them, drawn at random.
    tested_in = [fold_of[group[generator.choice(pair)]] for pair in pairs]
    for fold in range(count):
        test = tuple(index for index, at in enumerate(tested_in) if at == fold)
        seen = {member for index in test for member in pairs[index]}
        rest = [index for index, at in enumerate(tested_in) if at != fold]
        train = tuple(index for index in rest if seen.isdisjoint(pairs[index]))
        left_out = tuple(index for index in rest if not seen.isdisjoint(pairs[index]))
        yield Fold(train, test, left_out)


def _groups(
    pairs: Sequence[tuple[Hashable, Hashable]], count: int, generator: random.Random
) -> dict[Hashable, int]:
    """Member to the number of its group."""
    group: dict[Hashable, int] = {}
    for pair in pairs:
        for member in pair:
            group.setdefault(member, len(group))
    members = {number: [member] for member, number in group.items()}
    largest = max(2, len(group) // (count * _GROUPS_A_FOLD))
    degree = Counter(member for pair in pairs for member in pair)
    order = list(range(len(pairs)))
    generator.shuffle(order)
    # The leaves of a hub first, or the hub's group is full before they come.
    for index in sorted(order, key=lambda index: min(degree[member] for member in pairs[index])):
        kept, merged = (group[member] for member in pairs[index])
        if len(members[kept]) < len(members[merged]):
            kept, merged = merged, kept
        if kept != merged and len(members[kept]) + len(members[merged]) <= largest:
            for member in members[merged]:
                group[member] = kept
            members[kept] += members.pop(merged)
    return group
