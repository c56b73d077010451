"""Counts of bindings against going through all assignments, and when a count stops."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.families.argument_schemes.search import counting
from sorites.families.argument_schemes.search.counting import Count, count_bindings
from sorites.families.argument_schemes.search.sampling import Identity
from sorites.families.argument_schemes.search.spaces import Spaces
from tests.compiler.families.argument_schemes.search.test_bindings import (
    MORE,
    PREMISES,
    WANTED,
    a_world,
    classes_of,
    expected_keys,
)


@given(classes_of, st.sampled_from([*PREMISES, *MORE[:3]]), st.integers(0, 9))
@settings(max_examples=100, derandomize=True)
def test_a_complete_count_is_that_of_all_assignments(
    sets: list[frozenset[str]], premises: tuple[str, ...], seed: int
) -> None:
    world = a_world(sets)
    # Individuals are not told apart: a compile draws one for each choice of classes.
    identity = Identity(world, names=frozenset(WANTED[premises].predicates))
    spaces = Spaces(world, trivial=False)
    found = count_bindings(spaces, identity, WANTED[premises], Random(seed), local=False)
    assert found == Count(len(expected_keys(premises, world)), complete=True)


SUBSETS = [{"a"}, {"a", "b"}, {"a", "b", "c"}, {"a", "b", "c", "d"}, {"x"}, {"x", "y"}]
SUBCLASS = ("all x.(F(x) -> G(x))", "F(a)", "-G(b)")


@pytest.mark.parametrize(
    ("bound", "value", "least"), [("MOST_BINDINGS", 3, 3), ("MOST_STEPS", 4, 0)]
)
def test_a_count_that_stops_says_so(
    bound: str, value: int, least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, bound, value)
    monkeypatch.setattr(counting, "_STEPS_OF_A_DOMAIN", 4)
    world = a_world(SUBSETS)
    found = count_bindings(
        Spaces(world, trivial=False), Identity(world), WANTED[SUBCLASS], Random(0), local=False
    )
    assert not found.complete
    assert least <= found.bindings < 7
    assert str(found) == f"{found.bindings} or more"


def test_domains_that_are_not_looked_at_make_a_count_incomplete(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = a_world([{"a", "b", "c", "d"}, {"a", "b", "c", "d", "e"}, {"a"}, {"x"}])
    spaces = Spaces(world, trivial=False)
    assert len(spaces.domains(local=True)) == 2
    arguments = (spaces, Identity(world), WANTED[SUBCLASS], Random(0))
    assert count_bindings(*arguments, local=True).complete
    monkeypatch.setattr(counting, "MOST_STEPS", counting._STEPS_OF_A_DOMAIN)
    assert not count_bindings(*arguments, local=True).complete


def test_a_count_in_words() -> None:
    assert str(Count(12, complete=True)) == "12"
    assert str(Count(1000, complete=False)) == "1,000 or more"
