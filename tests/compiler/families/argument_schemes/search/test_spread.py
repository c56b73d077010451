from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.spread import spread

pairs = st.lists(
    st.sets(st.integers(0, 5), min_size=2, max_size=2).map(lambda two: tuple(sorted(two))),
    min_size=1,
    max_size=9,
    unique=True,
)


def largest(chosen: list[tuple[int, ...]]) -> int:
    return max(Counter(index for classes in chosen for index in classes).values(), default=0)


@given(pairs, st.integers(1, 6), st.integers(0, 3))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_a_choice_is_at_most_one_above_the_best_there_is(
    sets: list[tuple[int, ...]], count: int, seed: int
) -> None:
    bindings = [Binding(dict(zip("FG", classes, strict=True)), {}) for classes in sets]
    chosen = spread(bindings, count, Random(seed))
    assert len({*chosen}) == len(chosen) == min(count, len(sets))
    best = min(largest(list(some)) for some in combinations(sets, len(chosen)))
    assert largest([sets[position] for position in chosen]) <= best + 1


def test_what_was_chosen_before_counts() -> None:
    bindings = [Binding({"F": 1, "G": 2}, {}), Binding({"F": 3, "G": 4}, {})]
    before = [Binding({"F": 1, "G": 5}, {})]
    assert spread(bindings, 1, Random(0), before) == [1]
