"""As many bindings for a scheme as were asked for, spread over as many classes as there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random

from sorites.families.argument_schemes.search.bindings import (
    FRUITLESS_DRAWS,
    Binding,
    BindingSearch,
    Usage,
    draw_weight,
)
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.recent import Recent
from sorites.families.argument_schemes.search.space import Space
from sorites.families.argument_schemes.search.spread import spread
from sorites.families.argument_schemes.search.world import World

__all__ = [
    "LARGEST_SHARE",
    "SMALLEST_DOMAIN",
    "Identity",
    "Sample",
    "Sampled",
    "Spaces",
    "sample_bindings",
]

LARGEST_SHARE = 0.1
"""The share of a scheme's bindings that one class may take while others can take its place."""

SMALLEST_DOMAIN = 4
"""Members of a class that serves as a domain of discourse, at least."""

LOCAL_BYTES = 256 << 20
"""Memory of the domains within the whole one that are kept at once."""

STEPS_OF_A_FIRST_LOOK = 1_000
"""Partial bindings that the first draw in a domain may visit."""

ENUMERATED = 25
"""So many times what is asked for, the exhaustive search collects before it chooses."""

MISSES = 6
"""Draws in a row without a new binding after which conditions are given up as hard to meet."""


class Spaces:
    """The domains of an ontology, built when asked for.

    The whole one is kept, and of those within it the last ones, up to ``limit`` bytes.
    """

    def __init__(self, world: World, *, trivial: bool, limit: int = LOCAL_BYTES) -> None:
        self.world = world
        self.trivial = trivial
        self._whole: Space | None = None
        self._local: Recent[int, Space] = Recent(limit)
        self._inner: list[int] | None = None

    def space(self, domain: int | None) -> Space:
        """The whole domain (None) or the members of a class."""
        if domain is None:
            if self._whole is None:
                self._whole = self.world.whole(trivial=self.trivial)
            return self._whole
        space = self._local.get(domain)
        if space is None:
            space = self.world.local(domain, trivial=self.trivial)
            self._local.put(domain, space, space.nbytes)
        return space

    def search(self, domain: int | None, wanted: Conditions) -> BindingSearch:
        """A search in a domain, which it does not keep from being forgotten."""
        return BindingSearch(partial(self.space, domain), wanted)

    def domains(self, *, local: bool) -> Sequence[int | None]:
        """The classes that can be a domain, or the whole one."""
        if not local:
            return [None]
        if self._inner is None:
            self._inner = self.world.inner_domains(at_least=SMALLEST_DOMAIN)
        return self._inner


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
    arms = [
        (choice, domain) for choice in range(len(choices)) for domain in spaces.domains(local=local)
    ]
    searches: dict[tuple[int, int | None], BindingSearch] = {}
    found: dict[tuple[object, ...], Sampled] = {}
    usage = Usage()
    uses_of_domain: Counter[int | None] = Counter()
    uses_of_choice: Counter[int] = Counter()
    ceiling = max(2, int((count + len(before)) * LARGEST_SHARE))
    taken = {identity.key(binding) for binding in before}
    for earlier in before:
        usage.count(earlier)
    missed: Counter[tuple[int, int | None]] = Counter()
    fruitless = 0
    patience = FRUITLESS_DRAWS * (4 if local else 1)
    live = list(arms)
    while len(found) < count and fruitless < patience:
        # A domain that the search has shown to hold nothing is not asked again.
        live = [
            arm
            for arm in live
            if not _exhausted(searches, arm) and (thorough or missed[arm] < MISSES)
        ]
        if not live:
            break
        weights = [
            draw_weight(uses_of_choice[choice] + (uses_of_domain[domain] if local else 0))
            for choice, domain in live
        ]
        arm = random.choices(live, weights)[0]
        full = [index for index, uses in usage.classes.items() if uses >= ceiling]
        if arm in searches:
            binding = searches[arm].draw(random, usage, avoid=full)
        else:
            # A first look long enough to tell whether a small domain holds anything at all.
            searches[arm] = spaces.search(arm[1], choices[arm[0]])
            binding = searches[arm].draw(random, usage, steps=STEPS_OF_A_FIRST_LOOK)
        key = () if binding is None else identity.key(binding)
        if binding is None or key in found or key in taken or _too_often(binding, full):
            fruitless += 1
            missed[arm] += 1
            continue
        missed[arm] = 0
        found[key] = Sampled(arm[0], binding)
        usage.count(binding)
        uses_of_domain[arm[1]] += 1
        uses_of_choice[arm[0]] += 1
        fruitless = 0
    complete = False
    if len(found) < count and thorough:
        for arm in arms:
            if arm not in searches:
                searches[arm] = spaces.search(arm[1], choices[arm[0]])
        _add_enumerated(searches, identity, found, taken, ENUMERATED * count, random)
        complete = len(found) < count and not any(each.cut_short for each in searches.values())
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


def _add_enumerated(
    searches: Mapping[tuple[int, int | None], BindingSearch],
    identity: Identity,
    found: dict[tuple[object, ...], Sampled],
    taken: Collection[tuple[object, ...]],
    most: int,
    random: Random,
) -> None:
    """Go through everything there is, a binding of each search in turn."""
    turns = [
        (choice, search.all(random))
        for (choice, _), search in searches.items()
        if not search.exhausted
    ]
    while turns:
        again = []
        for choice, bindings in turns:
            binding = next(bindings, None)
            if binding is None:
                continue
            again.append((choice, bindings))
            if (key := identity.key(binding)) not in taken:
                found.setdefault(key, Sampled(choice, binding))
            if len(found) >= most:
                return
        turns = again


def _too_often(binding: Binding, full: Sequence[int]) -> bool:
    return not {*full}.isdisjoint(binding.classes.values())


def _exhausted(
    searches: Mapping[tuple[int, int | None], BindingSearch], arm: tuple[int, int | None]
) -> bool:
    return arm in searches and searches[arm].exhausted
