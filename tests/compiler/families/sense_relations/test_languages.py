from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites.errors import SoritesError
from sorites.families.sense_relations.languages import LanguageSet, language_sets

CODES = ["de", "el", "en", "ja", "ro", "tr"]


@given(
    coverage=st.dictionaries(
        st.frozensets(st.sampled_from(CODES)), st.integers(min_value=1, max_value=9)
    ),
    at_least=st.integers(min_value=1, max_value=6),
    synsets=st.integers(min_value=1, max_value=30),
)
def test_the_search_finds_what_counting_every_set_finds(
    coverage: dict[frozenset[str], int], at_least: int, synsets: int
) -> None:
    expected = {}
    for size in range(at_least, len(CODES) + 1):
        for chosen in combinations(CODES, size):
            shared = sum(n for glossed, n in coverage.items() if set(chosen) <= glossed)
            if shared >= synsets:
                expected[chosen] = shared
    found = language_sets(coverage, at_least=at_least, synsets=synsets)
    assert {each.languages: each.synsets for each in found} == expected
    assert len(found) == len(expected)


def test_the_best_come_first() -> None:
    coverage = {frozenset({"en", "el"}): 3, frozenset({"en"}): 2, frozenset({"tr"}): 3}
    assert language_sets(coverage, at_least=1, synsets=1) == [
        LanguageSet(("en",), 5),
        LanguageSet(("el", "en"), 3),
        LanguageSet(("el",), 3),
        LanguageSet(("tr",), 3),
    ]


def test_forty_languages_are_searched_by_pruning() -> None:
    # Each language shares 90 synsets with its neighbours: 2^40 sets, of which few share enough.
    codes = [f"l{number:02}" for number in range(40)]
    coverage = {frozenset(codes[start : start + 6]): 90 + start for start in range(35)}
    found = language_sets(coverage, at_least=6, synsets=90)
    assert [each.synsets for each in found] == list(range(124, 89, -1))
    assert found[0].languages == tuple(codes[34:])


def test_a_flood_of_sets_is_stopped() -> None:
    everything = {frozenset(f"l{number:02}" for number in range(40)): 10}
    with pytest.raises(SoritesError) as caught:
        language_sets(everything, at_least=5, synsets=10)
    assert str(caught.value) == (
        "too many sets of languages share 10 synsets to look at them all; raise --synsets"
    )


def test_a_search_without_end_is_stopped() -> None:
    # Half of the languages gloss each synset: hardly any twelve share two of 2,000, and millions
    # of smaller sets are on the way there.
    generator = random.Random(7)
    codes = [f"l{number:02}" for number in range(40)]
    coverage = Counter(frozenset(generator.sample(codes, 20)) for _ in range(2000))
    with pytest.raises(SoritesError, match="too many sets of languages share 2 synsets"):
        language_sets(coverage, at_least=14, synsets=2)


@pytest.mark.parametrize("bounds", [{"at_least": 0, "synsets": 1}, {"at_least": 1, "synsets": 0}])
def test_bounds_are_at_least_one(bounds: dict[str, int]) -> None:
    with pytest.raises(SoritesError, match="--at-least and --synsets must be 1 or more"):
        language_sets({}, **bounds)


def test_nothing_shares_nothing() -> None:
    assert language_sets({}, at_least=1, synsets=1) == []
