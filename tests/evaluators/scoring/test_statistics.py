"""The tests against values worked out by hand and against plain enumeration."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites_eval.scoring.statistics import (
    adjust,
    compare_proportions,
    mcnemar,
    rank_sum,
    spearman,
    wilcoxon,
)


def test_mcnemar_is_a_fair_coin_over_the_discordant_pairs() -> None:
    """8 against 2: P(at most 2 or at least 8 heads of 10) = 2 · (1 + 10 + 45) / 1024."""
    first = [True] * 8 + [False] * 2 + [True] * 5
    second = [False] * 8 + [True] * 2 + [True] * 5
    found = mcnemar(first, second)
    assert found.p == pytest.approx(112 / 1024)
    assert (found.effect, found.n) == (4.0, 15)
    assert mcnemar(second, first).p == found.p
    assert mcnemar([True], [True]).p == 1.0


def test_wilcoxon_by_enumeration_of_all_signs() -> None:
    """Six differences without ties: the exact distribution over 2^6 signs."""
    first = [0.9, 0.8, 0.5, 0.6, 0.7, 0.2]
    second = [0.8, 0.6, 0.53, 0.2, 0.2, 0.26]
    differences = np.array(first) - np.array(second)
    ranks = np.abs(differences).argsort().argsort() + 1
    observed = ranks[differences > 0].sum()
    sums = np.array([ranks[np.array(signs)].sum() for signs in product([True, False], repeat=6)])
    low = min(observed, 21 - observed)
    found = wilcoxon(first, second)
    assert found.p == pytest.approx(2 * (sums <= low).mean())
    assert found.effect == pytest.approx((2 * observed - 21) / 21)


def test_wilcoxon_of_equal_scores_is_undefined() -> None:
    found = wilcoxon([0.5, 0.5], [0.5, 0.5])
    assert (found.effect, found.p) == (None, None)


def test_spearman_of_a_steady_fall_is_minus_one() -> None:
    assert spearman([0, 1, 2, 3], [0.9, 0.7, 0.6, 0.1]).effect == pytest.approx(-1)
    assert spearman([0, 1, 2, 3], [0.9, 0.7, 0.6, 0.1]).p == pytest.approx(2 / 24)
    assert spearman([0, 1, 2], [0.1, 0.2, 0.3]).p == pytest.approx(1 / 3)
    assert spearman(range(20), [n**2 for n in range(20)]).p < 1e-9
    assert spearman([0, 1, 2], [0.5, 0.5, 0.5]).p is None
    assert spearman([0, 1], [0.5, 0.6]).p is None


def test_fisher_is_the_hypergeometric_tail() -> None:
    """3 of 3 against 0 of 3: 2 / C(6, 3)."""
    found = compare_proportions([True] * 3, [False] * 3)
    assert found.p == pytest.approx(2 / math.comb(6, 3))
    assert found.effect == pytest.approx(math.pi)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_benjamini_yekutieli_by_its_definition(ps: list[float]) -> None:
    m = len(ps)
    factor = m * sum(1 / k for k in range(1, m + 1))
    order = sorted(range(m), key=lambda n: ps[n])
    expected = [0.0] * m
    lowest = 1.0
    for rank in range(m, 0, -1):
        place = order[rank - 1]
        lowest = min(lowest, ps[place] * factor / rank)
        expected[place] = lowest
    assert adjust(ps) == pytest.approx(expected)


def test_undefined_p_stays_so_and_counts_for_nothing() -> None:
    assert adjust([None, 0.01, None]) == [None, 0.01, None]
    assert adjust([None]) == [None]


def test_rank_sum_is_the_share_of_pairs_that_the_first_wins() -> None:
    """Of 3 × 2 pairs the first wins 4 and ties one: r = 2 · 4.5 / 6 - 1."""
    found = rank_sum([0.9, 0.8, 0.1], [0.5, 0.1])
    assert found.effect == pytest.approx(2 * 4.5 / 6 - 1)
    apart = rank_sum([5, 6, 7, 8], [1, 2, 3, 4])
    assert (apart.effect, apart.n) == (1.0, 8)
    assert apart.p == pytest.approx(2 / math.comb(8, 4))
    assert rank_sum([0.5, 0.5], [0.5]).p is None
