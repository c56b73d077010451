"""A domain held as compressed rows answers as one that is held as bits, and as sets do."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.families.argument_schemes.search import world as worlds
from sorites.families.argument_schemes.search.bindings import BindingSearch, Usage
from sorites.families.argument_schemes.search.recent import Recent
from sorites.families.argument_schemes.search.space import (
    DenseSpace,
    Space,
    members_of_words,
    positions,
    words_of,
)
from sorites.families.argument_schemes.search.spaces import SMALLEST_DOMAIN, Spaces
from sorites.families.argument_schemes.search.sparse_space import SparseSpace
from sorites.families.argument_schemes.search.world import World, build_world
from sorites.sources.ontologies.ontology import Ontology, OntologyClass
from tests.bench.ontology import LEVELS, synthetic_ontology
from tests.compiler.families.argument_schemes.search.test_bindings import WANTED

SAID = [*product((True, False), repeat=2)]
MOST = 150
"""More individuals than two words hold."""

sets_of = st.lists(st.frozensets(st.integers(0, MOST - 1), min_size=1), min_size=1, max_size=8)


def a_world(sets: list[frozenset[int]]) -> World:
    classes = tuple(
        OntologyClass(f"c{at}", f"class {at}", (), frozenset(f"{one:03}" for one in members))
        for at, members in enumerate(sets)
    )
    everybody = sorted(set().union(*(entry.members for entry in classes)))
    return build_world(Ontology(classes, {name: name for name in everybody}))


def both(world: World, domain: int | None) -> tuple[Space, Space]:
    """One domain, held in both ways."""
    dense = world.whole(trivial=True) if domain is None else world.local(domain, trivial=True)
    assert isinstance(dense, DenseSpace)
    sparse = SparseSpace(domain, dense.individuals, dense.names, dense.memberships)
    return dense, sparse


def as_sets(space: Space) -> list[set[int]]:
    return [set(space.memberships[row].tolist()) for row in range(len(space))]


@given(sets_of, st.booleans(), st.sets(st.integers(0, MOST - 1)), st.integers(0, 99))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_both_answer_as_sets_do(
    sets: list[frozenset[int]], local: bool, some: set[int], seed: int
) -> None:
    world = a_world(sets)
    dense, sparse = both(world, 0 if local else None)
    everybody = set(range(len(dense.individuals)))
    members, asked = as_sets(dense), some & everybody
    region = words_of(np.array(sorted(asked), dtype=np.intp), len(everybody))
    assert set(members_of_words(region).tolist()) == asked
    random = Random(seed)
    rows = range(len(members))
    first = np.array(sorted(random.sample(rows, random.randint(1, len(members)))), dtype=np.intp)
    second = np.array(sorted(random.sample(rows, random.randint(1, len(members)))), dtype=np.intp)
    for space in (dense, sparse):
        assert space.counts(region).tolist() == [len(asked & own) for own in members]
        for row in rows:
            assert set(members_of_words(space.row(row)).tolist()) == members[row]
        for said in (True, False):
            found = positions(space.meets(region, said), len(members)).tolist()
            assert found == [
                r for r in rows if (asked & members[r] if said else asked - members[r])
            ]
        for one, other in SAID:
            parts = [
                [own if is_in else everybody - own for own in members] for is_in in (one, other)
            ]
            related = [[bool(a & b) for b in parts[1]] for a in parts[0]]
            for row in rows:
                held = positions(space.some[one, other][row], len(members)).tolist()
                assert held == [at for at in rows if related[row][at]]
            block = space.related((one, other), first, second)
            assert block.tolist() == [[related[r][s] for s in second] for r in first]
    for said in (True, False):
        one, other = (space.within(region, first, said) for space in (dense, sparse))
        assert np.array_equal(one, other)


@given(sets_of, st.sampled_from(sorted(WANTED)), st.integers(0, 99))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_search_draws_the_same_in_both(
    sets: list[frozenset[int]], premises: tuple[str, ...], seed: int
) -> None:
    dense, sparse = both(a_world(sets), None)
    found = []
    for space in (dense, sparse):
        search = BindingSearch(space, WANTED[premises])
        random = Random(seed)
        drawn = [search.draw(random, Usage()) for _ in range(3)]
        found.append((drawn, [*search.all(random)]))
    assert found[0] == found[1]


@pytest.mark.parametrize("premises", sorted(WANTED)[:6])
def test_a_domain_that_was_forgotten_is_made_again_with_the_same_draws(
    premises: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    world = build_world(synthetic_ontology(120, 400))
    domains = world.inner_domains(at_least=SMALLEST_DOMAIN)[:12]

    def drawn(limit: int) -> list[object]:
        spaces = Spaces(world, trivial=False, limit=limit)
        searches = [spaces.search(domain, WANTED[premises]) for domain in domains]
        random, usage = Random(3), Usage()
        return [search.draw(random, usage) for _ in range(3) for search in searches]

    kept = drawn(1 << 30)
    assert any(kept)
    assert drawn(0) == kept
    monkeypatch.setattr(worlds, "DENSE_BYTES", 0)
    assert drawn(1 << 30) == kept


def test_what_was_not_asked_for_longest_is_forgotten_first() -> None:
    held: Recent[str, int] = Recent(30)
    for number, key in enumerate("abc"):
        held.put(key, number, 10)
    assert held.get("a") == 0
    held.put("d", 3, 10)
    assert held.get("b") is None
    assert [held.get(key) for key in "acd"] == [0, 2, 3]
    held.put("a", 4, 20)
    assert (held.size, len(held)) == (30, 2)
    held.put("large", 5, 100)
    assert (held.get("large"), len(held), held.size) == (5, 1, 100)


def test_a_synthetic_ontology_has_the_shape_and_size_that_it_should() -> None:
    ontology = synthetic_ontology(739, 2027, seed=4)
    levels = ontology.levels()
    assert [[*levels.values()].count(level) for level in range(len(LEVELS))] == [*LEVELS]
    assert len(ontology.individuals) == 2027
    assert ontology == synthetic_ontology(739, 2027, seed=4)
    assert ontology != synthetic_ontology(739, 2027, seed=5)
    with pytest.raises(ValueError, match="99 classes and 200 individuals have no such shape"):
        synthetic_ontology(99, 200)
