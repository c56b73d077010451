from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from sorites_eval.training.folds import folds

PAIRS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(lambda pair: pair[0] != pair[1]),
    min_size=1,
    max_size=60,
)


@given(pairs=PAIRS, count=st.integers(2, 5), seed=st.integers(0, 99))
def test_each_pair_is_tested_once_and_no_member_is_trained_on(
    pairs: list[tuple[int, int]], count: int, seed: int
) -> None:
    split = list(folds(pairs, count, random.Random(seed)))
    assert len(split) == count
    assert sorted(index for fold in split for index in fold.test) == list(range(len(pairs)))
    for fold in split:
        parts = (*fold.train, *fold.test, *fold.left_out)
        assert sorted(parts) == list(range(len(pairs)))
        seen = {member for index in fold.test for member in pairs[index]}
        assert not seen & {member for index in fold.train for member in pairs[index]}
        assert all(seen & set(pairs[index]) for index in fold.left_out)


def test_little_is_left_out_where_a_random_split_would_leave_out_most() -> None:
    # Sixty hubs with twenty leaves each, chained from hub to hub: one connected whole.
    pairs = [(f"hub{h}", f"leaf{h}-{leaf}") for h in range(60) for leaf in range(20)]
    pairs += [(f"hub{h}", f"hub{h + 1}") for h in range(59)]
    for fold in folds(pairs, 3, random.Random(1)):
        assert len(fold.left_out) < 0.05 * len(pairs)
        assert 0.25 * len(pairs) < len(fold.test) < 0.42 * len(pairs)


def test_the_generator_decides() -> None:
    pairs = [(a, b) for a in range(10) for b in range(10, 20)]
    one = list(folds(pairs, 3, random.Random(1)))
    assert one == list(folds(pairs, 3, random.Random(1)))
    assert one != list(folds(pairs, 3, random.Random(2)))
