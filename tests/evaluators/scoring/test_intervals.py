"""Intervals against their formulas, their limits, and how often they hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sorites_eval.scoring.intervals import difference_interval, share_interval


@pytest.mark.parametrize(("right", "items"), [(20, 20), (0, 20), (7, 20), (1, 3), (499, 1000)])
def test_independent_items_get_wilsons_interval(right: int, items: int) -> None:
    found = share_interval([1.0] * right + [0.0] * (items - right), range(items))
    low, high = stats.binomtest(right, items).proportion_ci(method="wilson")
    assert (found.estimate, found.clusters) == (right / items, items)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-12)


def test_twenty_of_twenty_is_not_certain() -> None:
    found = share_interval([1.0] * 20, range(20))
    assert found.low == pytest.approx(20 / (20 + 1.959964**2), abs=1e-6)
    assert found.high == 1.0


def test_clusters_that_agree_count_once() -> None:
    """100 items that are ten tenfold copies are worth ten, and Student's t has nine degrees."""
    values = [float(n % 2) for n in range(10) for _ in range(10)]
    found = share_interval(values, [n for n in range(10) for _ in range(10)])
    worth = 9 * (1.959964 / stats.t.ppf(0.975, 9)) ** 2
    square = 1.959964**2 / worth
    half = math.sqrt(square / 4 + square**2 / 4) / (1 + square)
    assert (found.estimate, found.clusters) == (0.5, 10)
    assert found.high - found.low == pytest.approx(2 * half, rel=1e-5)


def test_clusters_that_balance_themselves_are_worth_no_more_than_their_items() -> None:
    """Each cluster is half right, so their means do not vary at all."""
    values = [0.0, 1.0] * 50
    found = share_interval(values, [n // 2 for n in range(100)])
    plain = share_interval(values, range(100))
    assert found.low <= plain.low < 0.5 < plain.high <= found.high


def test_all_right_in_few_clusters_says_little() -> None:
    """As if each of the clusters had said one thing."""
    one = share_interval([1.0] * 40, [0] * 40)
    four = share_interval([1.0] * 40, [n % 4 for n in range(40)])
    forty = share_interval([1.0] * 40, range(40))
    assert one.low < 0.3
    assert one.low < four.low < 0.5 < forty.low < 0.95
    uneven = share_interval([1.0] * 40, [0] * 37 + [1, 2, 3])
    assert uneven.low < four.low


def test_agresti_and_min_by_their_formula() -> None:
    """8 pairs only the first is right in, 3 only the second, 9 alike; half a pair more in each."""
    differences = [1.0] * 8 + [-1.0] * 3 + [0.0] * 9
    found = difference_interval(differences, range(20))
    b, c, n = 8.5, 3.5, 22
    half = 1.959964 * math.sqrt(b + c - (b - c) ** 2 / n) / n
    assert found.estimate == 0.25
    assert (found.low, found.high) == pytest.approx(((b - c) / n - half, (b - c) / n + half))


def test_a_difference_of_copies_is_that_of_one() -> None:
    """Each pair five times over in a cluster of its own: no narrower, but for Student's t."""
    differences = [1.0] * 8 + [-1.0] * 3 + [0.0] * 9
    once = difference_interval(differences, range(20))
    copied = [d for d in differences for _ in range(5)]
    found = difference_interval(copied, [n // 5 for n in range(100)])
    ratio = stats.t.ppf(0.975, 19) / 1.959964
    assert found.high - found.low == pytest.approx((once.high - once.low) * ratio, rel=1e-5)
    apart = difference_interval(copied, range(100))
    assert found.high - found.low > 2 * (apart.high - apart.low)


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.25, 1.0]), st.integers(0, 5)), min_size=1),
)
def test_no_interval_has_zero_width_or_misses_its_estimate(
    items: list[tuple[float, int]],
) -> None:
    values, clusters = [value for value, _ in items], [cluster for _, cluster in items]
    share = share_interval(values, clusters)
    assert 0 <= share.low <= share.estimate <= share.high <= 1
    assert share.high - share.low > 1e-3
    several = [values, [-v for v in values], [2 * v - 1 for v in values]]
    for differences in several:
        found = difference_interval(differences, clusters)
        assert -1 <= found.low <= found.estimate <= found.high <= 1
        assert found.high - found.low > 1e-3


@pytest.mark.parametrize(("share", "sticky"), [(0.5, 0.0), (0.5, 0.7), (0.9, 0.7), (0.97, 0.4)])
def test_the_interval_of_clusters_holds_the_truth_as_often_as_it_says(
    share: float, sticky: float
) -> None:
    """40 clusters of 1 to 8 items that copy their cluster's own answer with some probability.

    With few clusters of so different sizes it is somewhat less often than 95 in 100.
    """
    rng = np.random.default_rng(7)
    held = 0
    for _ in range(300):
        sizes = rng.integers(1, 9, 40)
        clusters = np.repeat(np.arange(40), sizes)
        own = rng.random(40) < share
        copied = rng.random(len(clusters)) < sticky
        values = np.where(copied, own[clusters], rng.random(len(clusters)) < share)
        found = share_interval(values.astype(float).tolist(), clusters.tolist())
        held += found.low <= share <= found.high
    assert held >= (0.93 if sticky == 0 else 0.88) * 300


def test_nothing_has_no_interval() -> None:
    with pytest.raises(ValueError, match="at least one value"):
        share_interval([], [])
