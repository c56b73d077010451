"""Few bindings, used so that no class stands in more arguments than it must."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.evening import (
    MAX_VARIABLES,
    even_out,
    largest_share,
    named_otherwise,
)
from sorites.families.argument_schemes.search.world import build_world
from sorites.sources.ontologies.ontology import Ontology, OntologyClass

Classes = tuple[int, ...]

two_classes = st.sets(st.integers(0, 4), min_size=2, max_size=2).map(lambda two: tuple(sorted(two)))
groups = st.lists(
    st.lists(two_classes, min_size=1, max_size=3, unique=True), min_size=1, max_size=4
)


def bound(classes: Classes, number: int = 0) -> Binding:
    # The domain tells the groups apart, as it does where one set of classes serves in two.
    return Binding(dict(zip("FGHJ", classes, strict=False)), {}, number)


def most_uses(chosen: Sequence[Binding]) -> int:
    uses = Counter(index for binding in chosen for index in binding.classes.values())
    return max(uses.values())


@given(groups, st.integers(1, 6), st.integers(0, 3))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_no_other_choice_is_more_even_or_as_even_with_more_bindings(
    sets: list[list[Classes]], count: int, seed: int
) -> None:
    named = [[bound(each, number) for each in group] for number, group in enumerate(sets)]
    ways = [binding for group in named for binding in group]
    found = even_out(named, count, Random(seed))
    if count > len(ways):
        assert found is None
        return
    assert found is not None
    assert len(found.bindings) == count
    assert all(each in ways for each in found.bindings)
    choices = [*combinations(ways, count)]
    least = min(map(most_uses, choices))
    assert found.least == most_uses(found.bindings) == least
    even = [choice for choice in choices if most_uses(choice) == least]
    assert len({each.domain for each in found.bindings}) == max(
        len({each.domain for each in choice}) for choice in even
    )


def test_the_choice_depends_on_the_seed_alone() -> None:
    named = [[bound((a, b, c), a) for b in range(10, 13) for c in range(20, 23)] for a in range(4)]
    found = [even_out(named, 6, Random(seed)) for seed in (1, 1, 2)]
    assert found[0] == found[1] != found[2]


def test_too_many_ways_are_not_gone_through() -> None:
    named = [[bound((number, number + 1))] for number in range(MAX_VARIABLES + 1)]
    assert even_out(named, 10, Random(0)) is None


def test_the_share_counts_a_class_once_for_each_binding() -> None:
    assert largest_share([bound((1, 2)), bound((1, 3)), bound((4, 5))]) == pytest.approx(2 / 3)
    assert largest_share([]) == 0


def test_a_binding_has_the_names_that_its_sets_have_in_the_domain() -> None:
    members = {"whole": "stuv", "one": "st", "twin": "st", "other": "tu", "wide": "stz"}
    ontology = Ontology(
        tuple(
            OntologyClass(id=name, name=name, parents=(), members=frozenset(letters))
            for name, letters in members.items()
        ),
        {letter: letter for letter in "stuvz"},
    )
    world = build_world(ontology)
    number = {entry.name: index for index, entry in enumerate(world.ontology.classes)}
    space = world.local(number["whole"])
    binding = Binding({"F": number["one"], "G": number["other"]}, {}, number["whole"])
    found = named_otherwise(binding, space)
    # Within the domain "wide" has the members of "one".
    assert {each.classes["F"] for each in found} == {
        number["one"],
        number["twin"],
        number["wide"],
    }
    assert all(each.classes["G"] == number["other"] for each in found)
    assert all(each.domain == number["whole"] for each in found)
