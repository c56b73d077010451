"""As many bindings for a scheme as were asked for, spread over as many classes as there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from sorites.families.argument_schemes.search.arms import Arms
from sorites.families.argument_schemes.search.bindings import (
    FRUITLESS_DRAWS,
    Binding,
    Usage,
)
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.families.argument_schemes.search.spread import spread
from sorites.families.argument_schemes.search.world import World

__all__ = [
    "LARGEST_SHARE",
    "Identity",
    "Sample",
    "Sampled",
    "sample_bindings",
]

LARGEST_SHARE = 0.1
"""The share of a scheme's bindings that one class may take while others can take its place."""

STEPS_OF_A_FIRST_LOOK = 1_000
"""Partial bindings that the first draw in a domain may visit."""

ENUMERATED = 25
"""So many times what is asked for, the exhaustive search collects before it chooses."""


@dataclass(frozen=True, slots=True)
class Identity:
    """When two bindings of a scheme are one: sets of members count, names do not.

    ``exchanges`` are the symmetries of the scheme's formulas: bindings that one of them turns
    into one another say the same. ``names`` are the scheme's own symbols, where a binding may
    bind others too.
    """

    world: World
    exchanges: Sequence[Mapping[str, str]] = ()
    names: frozenset[str] | None = None

    def key(self, binding: Binding) -> tuple[object, ...]:
        """Equal for bindings that say the same."""
        sets = {
            name: self.world.told_apart(index, binding.domain)
            for name, index in binding.classes.items()
            if self.names is None or name in self.names
        }
        named = [
            (name, index)
            for name, index in sorted(binding.individuals.items())
            if self.names is None or name in self.names
        ]
        orders = [
            tuple(sets[exchange.get(name, name)] for name in sorted(sets))
            for exchange in (self.exchanges or ({},))
        ]
        return binding.domain, min(orders), tuple(named)


@dataclass(frozen=True, slots=True)
class Sampled:
    """A binding, and which of the conditions asked for (from 0) it meets."""

    choice: int
    binding: Binding


@dataclass(frozen=True, slots=True)
class Sample:
    """Bindings that were drawn; ``complete`` says that there are no others."""

    drawn: tuple[Sampled, ...]
    complete: bool = False

    @property
    def bindings(self) -> list[Binding]:
        """The bindings alone."""
        return [entry.binding for entry in self.drawn]


def sample_bindings(
    spaces: Spaces,
    identity: Identity,
    choices: Sequence[Conditions],
    count: int,
    random: Random,
    *,
    local: bool,
    thorough: bool = True,
    before: Sequence[Binding] = (),
) -> Sample:
    """Distinct bindings, ``count`` of them or all that were found if there are fewer.

    None of them is among those ``before``, whose classes count as used.

    Each meets one of the conditions, which take turns. Draws go on while they find something
    new among the classes that have not reached LARGEST_SHARE. Where that is not enough, all
    bindings there are, or ENUMERATED times as many, are gone through, and those chosen of which
    the most frequent class is in as few as possible; unless the search is not to be thorough,
    which also gives up conditions that are hard to meet.
    """
    arms = Arms(spaces, choices, local=local, thorough=thorough)
    found: dict[tuple[object, ...], Sampled] = {}
    usage = Usage()
    ceiling = max(2, int((count + len(before)) * LARGEST_SHARE))
    taken = {identity.key(binding) for binding in before}
    for earlier in before:
        usage.count(earlier)
    fruitless = 0
    patience = FRUITLESS_DRAWS * (4 if local else 1)
    while len(found) < count and fruitless < patience:
        arm = arms.next(random)
        if arm is None:
            break
        full = [index for index, uses in usage.classes.items() if uses >= ceiling]
        if arms.is_new(arm):
            # A first look long enough to tell whether a small domain holds anything at all.
            binding = arms.search(arm).draw(random, usage, steps=STEPS_OF_A_FIRST_LOOK)
        else:
            binding = arms.search(arm).draw(random, usage, avoid=full)
        key = () if binding is None else identity.key(binding)
        if binding is None or key in found or key in taken or _too_often(binding, full):
            fruitless += 1
            arms.drawn(arm, kept=False)
            continue
        found[key] = Sampled(arms.choice(arm), binding)
        usage.count(binding)
        arms.drawn(arm, kept=True)
        fruitless = 0
    complete = False
    if len(found) < count and thorough:
        for choice, binding in arms.all(random):
            if (key := identity.key(binding)) not in taken:
                found.setdefault(key, Sampled(choice, binding))
            if len(found) >= ENUMERATED * count:
                break
        complete = len(found) < count and not arms.cut_short
    everything = list(found.values())
    chosen = spread([sampled.binding for sampled in everything], count, random, before)
    named = _named_evenly([everything[position] for position in chosen], spaces, before)
    # Of individuals one alone is looked at for each choice of classes.
    about_some = any(each.individuals for each in choices)
    return Sample(tuple(named), complete and not about_some)


def _named_evenly(
    sampled: Sequence[Sampled], spaces: Spaces, before: Sequence[Binding]
) -> list[Sampled]:
    """The same sets of members, each under the name, of those it has, that stands least often."""
    used: Counter[int] = Counter()
    for binding in (*before, *(entry.binding for entry in sampled)):
        used.update(binding.classes.values())
    named = []
    for entry in sampled:
        space = spaces.space(entry.binding.domain)
        classes = dict(entry.binding.classes)
        for symbol, index in classes.items():
            others = [
                other
                for other in space.names[space.row_of[index]]
                if other == index or other not in classes.values()
            ]
            rarest = min(others, key=lambda other: used[other])
            if used[rarest] < used[index] - 1:
                used[index] -= 1
                used[rarest] += 1
                classes[symbol] = rarest
        binding = Binding(classes, entry.binding.individuals, entry.binding.domain)
        named.append(Sampled(entry.choice, binding))
    return named


def _too_often(binding: Binding, full: Sequence[int]) -> bool:
    return not {*full}.isdisjoint(binding.classes.values())
