"""As many bindings for a scheme as were asked for, spread over as many classes as there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from sorites.families.argument_schemes.search.bindings import (
    FRUITLESS_DRAWS,
    Binding,
    BindingSearch,
    Usage,
    draw_weight,
)
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.world import Space, World

__all__ = ["LARGEST_SHARE", "SMALLEST_DOMAIN", "Spaces", "sample_bindings"]

LARGEST_SHARE = 0.1
"""The share of a scheme's bindings that one class may take while others can take its place."""

SMALLEST_DOMAIN = 4
"""Members of a class that serves as a domain of discourse, at least."""

STEPS_OF_A_FIRST_LOOK = 1_000
"""Partial bindings that the first draw in a domain may visit."""

ENUMERATED = 20_000
"""Bindings that the exhaustive search collects before it draws from them."""


class Spaces:
    """The domains of an ontology, built when first asked for."""

    def __init__(self, world: World, *, trivial: bool) -> None:
        self.world = world
        self.trivial = trivial
        self._built: dict[int | None, Space] = {}

    def space(self, domain: int | None) -> Space:
        """The whole domain (None) or the members of a class."""
        space = self._built.get(domain)
        if space is None:
            space = (
                self.world.whole(trivial=self.trivial)
                if domain is None
                else self.world.local(domain, trivial=self.trivial)
            )
            self._built[domain] = space
        return space


def sample_bindings(
    spaces: Spaces, wanted: Conditions, count: int, random: Random, *, local: bool
) -> list[Binding]:
    """Distinct bindings, ``count`` of them or all that were found if there are fewer.

    Draws go on while they find something new; a class that has reached LARGEST_SHARE steps
    back, and the limit is raised only when nothing else is found. Then the search goes through
    all bindings there are.
    """
    domains: Sequence[int | None] = (
        spaces.world.inner_domains(at_least=SMALLEST_DOMAIN) if local else [None]
    )
    searches: dict[int | None, BindingSearch] = {}
    found: dict[tuple[object, ...], Binding] = {}
    usage = Usage()
    uses_of_domain: Counter[int | None] = Counter()
    ceiling = max(1, int(count * LARGEST_SHARE))
    fruitless = 0
    while len(found) < count:
        # A domain that the search has shown to hold nothing is not asked again.
        live = [domain for domain in domains if not _exhausted(searches, domain)]
        if not live:
            break
        domain = random.choices(live, [draw_weight(uses_of_domain[entry]) for entry in live])[0]
        full = [index for index, uses in usage.classes.items() if uses >= ceiling]
        if domain in searches:
            binding = searches[domain].draw(random, usage, avoid=full)
        else:
            # A first look long enough to tell whether a small domain holds anything at all.
            searches[domain] = BindingSearch(spaces.space(domain), wanted)
            binding = searches[domain].draw(random, usage, steps=STEPS_OF_A_FIRST_LOOK)
        key = None if binding is None else _identity(binding)
        if binding is not None and key not in found:
            found[_identity(binding)] = binding
            usage.count(binding)
            uses_of_domain[domain] += 1
            fruitless = 0
            continue
        fruitless += 1
        if ceiling < count and fruitless >= FRUITLESS_DRAWS // 4:
            ceiling = min(count, ceiling * 3 // 2 + 1)
            fruitless = 0
        elif fruitless >= FRUITLESS_DRAWS * (4 if local else 1):
            break
    if len(found) < count:
        _add_enumerated(searches, found, usage, count, random)
    return list(found.values())


def _add_enumerated(
    searches: dict[int | None, BindingSearch],
    found: dict[tuple[object, ...], Binding],
    usage: Usage,
    count: int,
    random: Random,
) -> None:
    """Go through everything and add what is missing, rarely used classes first."""
    others: dict[tuple[object, ...], Binding] = {}
    for search in searches.values():
        if search.exhausted:
            continue
        for binding in search.all(random):
            key = _identity(binding)
            if key not in found:
                others.setdefault(key, binding)
            if len(others) >= ENUMERATED:
                break
    while others and len(found) < count:
        key = min(
            others,
            key=lambda entry: max(usage.classes[index] for index in others[entry].classes.values()),
        )
        binding = others.pop(key)
        found[key] = binding
        usage.count(binding)


def _exhausted(searches: dict[int | None, BindingSearch], domain: int | None) -> bool:
    return domain in searches and searches[domain].exhausted


def _identity(binding: Binding) -> tuple[object, ...]:
    return (
        binding.domain,
        tuple(sorted(binding.classes.items())),
        tuple(sorted(binding.individuals.items())),
    )
