from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.search.bindings import Binding, BindingSearch, Usage
from sorites.families.argument_schemes.search.conditions import Conditions, conditions
from sorites.families.argument_schemes.search.matching import symmetries
from sorites.families.argument_schemes.search.sampling import Identity, sample_bindings
from sorites.families.argument_schemes.search.spaces import SMALLEST_DOMAIN, Spaces
from sorites.families.argument_schemes.search.world import World, build_world
from sorites.logic.formulas import parse
from sorites.logic.prover import Prover
from sorites.pipeline import check_spec
from sorites.sources.ontologies.ontology import Ontology, OntologyClass
from tests.compiler.families.argument_schemes.brute_force import (
    Members,
    bindings,
    is_trivial,
    is_true,
    read,
    witnesses,
)
from tests.compiler.logic.texts import parsed, texts
from tests.conftest import ROOT

PROVER = Prover()
SCHEMES = read_plan(check_spec(ROOT / "specs" / "sample" / "syllobio-nli.yaml"))[0].schemes
PREMISES = sorted({texts(scheme.premises) for scheme in SCHEMES})
MORE = [
    ("all x.(F(x) -> G(x))", "F(a)", "-G(b)"),
    ("exists x.(F(x) & G(x))", "exists x.(F(x) & (-G(x) | -H(x)))"),
    ("all x.((F(x) | G(x)) -> (H(x) & I(x)))",),
    ("F(a)", "G(b)"),
]
WANTED = {premises: conditions(parsed(premises), PROVER) for premises in [*PREMISES, *MORE]}
CONCLUSION = {texts(scheme.premises): scheme.conclusion for scheme in SCHEMES}

classes_of = st.lists(st.frozensets(st.sampled_from("stuvw"), min_size=1), min_size=1, max_size=6)


def a_world(sets: Iterable[Iterable[str]]) -> World:
    classes = tuple(
        OntologyClass(f"c{index}", f"class {index}", (), frozenset(members))
        for index, members in enumerate(sets)
    )
    everybody = sorted(set().union(*(entry.members for entry in classes)))
    return build_world(Ontology(classes, {name: name.upper() for name in everybody}))


def members_of(world: World) -> list[Members]:
    return [frozenset(entry.members) for entry in world.ontology.classes]


def domain_of(world: World, domain: int | None) -> Members:
    sets = members_of(world)
    return frozenset().union(*sets) if domain is None else sets[domain]


def bound_sets(binding: Binding, world: World) -> dict[str, Members]:
    sets, domain = members_of(world), domain_of(world, binding.domain)
    return {name: sets[index] & domain for name, index in binding.classes.items()}


def sampled_from(
    spaces: Spaces, wanted: Conditions, count: int, random: Random, *, local: bool
) -> list[Binding]:
    """A sample under one set of conditions."""
    found = sample_bindings(spaces, Identity(spaces.world), [wanted], count, random, local=local)
    return found.bindings


def as_key(classes: Mapping[str, Members]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((name, tuple(sorted(members))) for name, members in sorted(classes.items()))


def expected_keys(
    premises: tuple[str, ...], world: World, domain: int | None = None
) -> set[tuple[tuple[str, tuple[str, ...]], ...]]:
    usable = dict(enumerate(members_of(world)))
    named = {index: usable[index] for index in world.usable}
    within = domain_of(world, domain)
    return {
        as_key(classes)
        for classes in bindings(premises, {str(key): val for key, val in named.items()}, within)
    }


def check_sound(binding: Binding, premises: Sequence[str], world: World) -> None:
    domain = domain_of(world, binding.domain)
    classes = bound_sets(binding, world)
    named = {name: world.individuals[index] for name, index in binding.individuals.items()}
    assert len(set(classes.values())) == len(classes), "two predicates with the same members"
    assert not {frozenset(), domain} & set(classes.values())
    assert len(set(named.values())) == len(named)
    assert set(named.values()) <= domain
    assert all(is_true(read(premise), classes, named, domain) for premise in premises)
    assert not is_trivial(tuple(premises), classes, domain)


@given(classes_of, st.sampled_from([*PREMISES, *MORE[:3]]), st.integers(0, 9))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_the_search_finds_exactly_what_going_through_all_assignments_finds(
    sets: list[frozenset[str]], premises: tuple[str, ...], seed: int
) -> None:
    world = a_world(sets)
    found = list(BindingSearch(world.whole(), WANTED[premises]).all(Random(seed)))
    for binding in found:
        check_sound(binding, premises, world)
    keys = [as_key(bound_sets(binding, world)) for binding in found]
    assert len(set(keys)) == len(keys)
    assert set(keys) == expected_keys(premises, world)


@given(classes_of, st.sampled_from([*PREMISES, *MORE[:3]]), st.integers(0, 9))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_what_a_small_domain_remembers_of_pairs_is_what_a_large_one_looks_at(
    sets: list[frozenset[str]], premises: tuple[str, ...], seed: int
) -> None:
    space = a_world(sets).whole()
    small = BindingSearch(space, WANTED[premises])
    large = BindingSearch(space, WANTED[premises])
    large.narrowing.small = False
    assert list(small.all(Random(seed))) == list(large.all(Random(seed)))


@given(classes_of, st.sampled_from(PREMISES), st.integers(0, 9))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_conclusion_as_a_condition_changes_nothing_that_is_found(
    sets: list[frozenset[str]], premises: tuple[str, ...], seed: int
) -> None:
    world = a_world(sets)
    narrowed = conditions(parsed(premises), PROVER, conclusion=CONCLUSION[premises])
    found = BindingSearch(world.whole(), narrowed).all(Random(seed))
    assert {as_key(bound_sets(binding, world)) for binding in found} == expected_keys(
        premises, world
    )


@given(classes_of, st.sampled_from([*PREMISES, *MORE[:3]]), st.integers(0, 99))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_a_draw_is_sound_and_finds_something_where_there_is_something(
    sets: list[frozenset[str]], premises: tuple[str, ...], seed: int
) -> None:
    world = a_world(sets[:5])
    search = BindingSearch(world.whole(), WANTED[premises])
    drawn = search.draw(Random(seed), Usage())
    expected = expected_keys(premises, world)
    assert (drawn is not None) is bool(expected)
    if drawn is not None:
        check_sound(drawn, premises, world)
        assert not search.exhausted
    if search.exhausted:
        assert not expected


@given(classes_of, st.sampled_from([*PREMISES, *MORE]), st.integers(0, 99), st.data())
@settings(max_examples=250, deadline=None, derandomize=True)
def test_a_draw_keeps_what_is_fixed_and_leaves_out_what_is_to_be_avoided(
    sets: list[frozenset[str]], premises: tuple[str, ...], seed: int, data: st.DataObject
) -> None:
    world = a_world(sets)
    wanted = WANTED[premises]
    names = data.draw(st.lists(st.sampled_from(wanted.predicates), unique=True, max_size=2))
    fixed = {name: data.draw(st.sampled_from(world.usable)) for name in names}
    avoid = data.draw(st.lists(st.sampled_from(world.usable), max_size=2))
    named = {
        name: data.draw(st.integers(0, len(world.individuals) - 1))
        for name in wanted.individuals
        if data.draw(st.booleans())
    }
    if len(set(named.values())) < len(named):
        return
    search = BindingSearch(world.whole(), wanted)
    drawn = search.draw(Random(seed), Usage(), fixed=fixed, fixed_individuals=named, avoid=avoid)
    if drawn is None:
        return
    check_sound(drawn, premises, world)
    assert fixed.items() <= drawn.classes.items()
    assert named.items() <= drawn.individuals.items()
    barred = {world.same[index] for index in avoid}
    for name, index in drawn.classes.items():
        assert name in fixed or world.same[index] not in barred


def test_two_named_individuals_are_found_wherever_there_are_two() -> None:
    # Where the second class holds s alone, s must be left to b.
    world = a_world([{"s"}, {"s", "t"}, {"s", "t", "u"}])
    for seed in range(20):
        found = list(BindingSearch(world.whole(), WANTED[MORE[3]]).all(Random(seed)))
        for binding in found:
            check_sound(binding, MORE[3], world)
        assert {as_key(bound_sets(binding, world)) for binding in found} == expected_keys(
            MORE[3], world
        )


WIDE = "qrstuvwz"
wide_classes = st.lists(st.frozensets(st.sampled_from(WIDE), min_size=2), min_size=3, max_size=6)


@given(wide_classes, st.sampled_from(PREMISES), st.integers(0, 9))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_a_sample_is_everything_where_less_exists_than_was_asked_for(
    sets: list[frozenset[str]], premises: tuple[str, ...], seed: int
) -> None:
    world = a_world(sets)
    spaces = Spaces(world, trivial=False)
    sampled = sampled_from(spaces, WANTED[premises], 2_000, Random(seed), local=False)
    for binding in sampled:
        check_sound(binding, premises, world)
    assert {as_key(bound_sets(binding, world)) for binding in sampled} == expected_keys(
        premises, world
    )


@given(wide_classes, st.sampled_from(PREMISES), st.integers(0, 9))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_within_local_domains_too(
    sets: list[frozenset[str]], premises: tuple[str, ...], seed: int
) -> None:
    world = a_world([*sets, frozenset(WIDE)])
    spaces = Spaces(world, trivial=False)
    sampled = sampled_from(spaces, WANTED[premises], 2_000, Random(seed), local=True)
    domains = world.inner_domains(at_least=SMALLEST_DOMAIN)
    assert all(len(domain_of(world, domain)) >= SMALLEST_DOMAIN for domain in domains)
    assert len({domain_of(world, domain) for domain in domains}) == len(domains)
    for binding in sampled:
        assert binding.domain in domains
        check_sound(binding, premises, world)
    assert {(binding.domain, as_key(bound_sets(binding, world))) for binding in sampled} == {
        (domain, key) for domain in domains for key in expected_keys(premises, world, domain)
    }


COVERS = ("all x.(-F(x) -> G(x))", "exists x.(F(x) & G(x))")


def _many_domains() -> World:
    """Sixty domains of five, each covered by two of their classes in one way and the other."""
    sets: list[set[str]] = []
    for number in range(60):
        block = {f"{number}{letter}" for letter in "abcde"}
        sets += [block, block - {f"{number}a"}, block - {f"{number}b"}]
    return a_world(sets)


def test_no_domain_is_forgotten_where_all_that_exists_is_asked_for() -> None:
    world = _many_domains()
    spaces = Spaces(world, trivial=False)
    wanted = conditions(parsed(COVERS), PROVER)
    sampled = sampled_from(spaces, wanted, 10_000, Random(5), local=True)
    domains = world.inner_domains(at_least=SMALLEST_DOMAIN)
    expected = {(domain, key) for domain in domains for key in expected_keys(COVERS, world, domain)}
    assert len(expected) == 120
    assert {(binding.domain, as_key(bound_sets(binding, world))) for binding in sampled} == expected


def _chains() -> World:
    """Twelve nested classes beside twenty that hold one each of their members."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return a_world(
        [*(set(letters[:size]) for size in range(2, 26, 2)), *({one} for one in letters[:20])]
    )


@pytest.mark.parametrize("local", [False, True])
def test_a_sample_depends_on_its_seed_alone(local: bool) -> None:
    wanted = conditions(parsed(["all x.(F(x) -> G(x))", "F(a)"]), PROVER)

    def sample(seed: int) -> list[Binding]:
        return sampled_from(Spaces(_chains(), trivial=False), wanted, 30, Random(seed), local=local)

    assert sample(1) == sample(1)
    assert sample(1) != sample(2)


def test_a_sample_is_distinct_and_spread_over_the_classes() -> None:
    world = _chains()
    wanted = conditions(parsed(["all x.(F(x) -> G(x))"]), PROVER)
    sampled = sampled_from(Spaces(world, trivial=False), wanted, 40, Random(3), local=False)
    assert len(sampled) == 40
    assert len({as_key(bound_sets(binding, world)) for binding in sampled}) == 40
    uses = [index for binding in sampled for index in binding.classes.values()]
    # All but the class that holds everybody can be bound, 31 of them; 80 places are filled.
    assert not {*np.flatnonzero(world.members.sizes == len(world.individuals))} & {*uses}
    assert len(set(uses)) >= 28
    # Eleven classes can hold others, so each stands in about four of the forty.
    assert max(map(uses.count, set(uses))) <= 8


def test_a_class_whose_name_another_class_has_is_bound_nowhere() -> None:
    classes = (
        OntologyClass("1", "Twin", (), frozenset("ab")),
        OntologyClass("2", "Twin", (), frozenset("abc")),
        OntologyClass("3", "Same", (), frozenset("cd")),
        OntologyClass("4", "Same", (), frozenset("cd")),
        OntologyClass("5", "All", (), frozenset("abcdef")),
    )
    world = build_world(Ontology(classes, {name: name for name in "abcdef"}))
    assert world.ambiguous == ("Twin",)
    # Of two classes with one name and the same members, either serves; the first is taken.
    assert [classes[index].id for index in world.usable] == ["3", "5"]


def test_witnesses_are_those_of_whom_the_premises_are_true() -> None:
    classes = {"F": frozenset("st"), "G": frozenset("stu")}
    found = witnesses(("all x.(F(x) -> G(x))", "F(a)"), classes, frozenset("stuv"))
    assert found == [{"a": "s"}, {"a": "t"}]


def test_equivalent_predicates_are_bound_to_two_classes_with_the_same_members() -> None:
    premises = (parse("all x.(F(x) <-> G(x))"), parse("F(a)"))
    wanted = conditions(premises, PROVER)
    assert wanted.same == {frozenset("FG")}
    world = a_world(["ab", "ab", "abc", "bc", "bc", "abcd"])
    found = [
        binding
        for seed in range(20)
        for binding in BindingSearch(world.whole(), wanted).all(Random(seed))
    ]
    assert found
    for binding in found:
        first, second = binding.classes["F"], binding.classes["G"]
        assert first != second
        assert world.same[first] == world.same[second]
        assert binding.individuals["a"] in world.members[first]
    assert {world.bits(binding.classes["F"]) for binding in found} == {0b0011, 0b0110}
    # Where no two classes have the same members, there is nothing.
    assert not list(BindingSearch(a_world(["ab", "bc", "abc"]).whole(), wanted).all(Random(0)))


def test_bindings_that_a_symmetry_turns_into_one_another_are_one() -> None:
    premises = (parse("all x.((F(x) & H(x)) -> G(x))"), parse("F(a)"), parse("H(a)"))
    exchanges = symmetries(premises, parse("G(a)"))
    assert exchanges == [{"F": "F", "H": "H", "G": "G"}, {"F": "H", "H": "F", "G": "G"}]
    world = a_world(["ab", "bc", "abd", "abcde"])
    identity = Identity(world, exchanges)
    one = Binding({"F": 0, "H": 1, "G": 2}, {"a": 1})
    other = Binding({"F": 1, "H": 0, "G": 2}, {"a": 1})
    assert identity.key(one) == identity.key(other)
    assert identity.key(one) != identity.key(Binding({"F": 0, "H": 2, "G": 1}, {"a": 1}))
