"""The statistics of the papers, over arrays: SciPy's tests, with effect sizes beside every p.

- McNemar's exact test on paired right and wrong answers; odds ratio of the discordant pairs.
- Wilcoxon's signed-rank test on paired scores; matched-pairs rank-biserial correlation.
- Spearman's rank correlation.
- Fisher's exact test on two independent proportions; Cohen's h.
- Percentile bootstrap of whole clusters, since items that share a source are not independent.
- Benjamini and Yekutieli's correction, which holds under any dependence.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

__all__ = [
    "Interval",
    "Test",
    "adjust",
    "clustered_interval",
    "compare_proportions",
    "mcnemar",
    "spearman",
    "wilcoxon",
]

RESAMPLES = 2_000
LEVEL = 0.95
EXACT = 8


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its confidence interval; ``clusters`` is how many were resampled."""

    estimate: float
    low: float
    high: float
    clusters: int


@dataclass(frozen=True, slots=True)
class Test:
    """A test: the size of the effect on the scale that ``effect_name`` says, p, and n pairs."""

    name: str
    n: int
    effect_name: str
    effect: float | None
    p: float | None


def clustered_interval(
    values: Sequence[float], clusters: Sequence[Hashable], seed: int = 0
) -> Interval:
    """The mean of values, one an item, and a 95 % interval from resampling whole clusters.

    With a single cluster nothing can be resampled, and the interval is undefined (NaN).
    """
    places: dict[Hashable, int] = {}
    index = np.array([places.setdefault(cluster, len(places)) for cluster in clusters])
    sums = np.bincount(index, weights=np.asarray(values, dtype=float)).astype(float)
    sizes = np.bincount(index).astype(float)
    estimate = float(sums.sum() / sizes.sum())
    if len(sums) < 2:
        return Interval(estimate, math.nan, math.nan, len(sums))
    low, high = _percentiles(sums, sizes, seed)
    return Interval(estimate, low, high, len(sums))


def _percentiles(
    sums: NDArray[np.float64], sizes: NDArray[np.float64], seed: int
) -> tuple[float, float]:
    def mean(s: NDArray[np.float64], n: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
        ratio: NDArray[np.float64] = s.sum(axis=axis) / n.sum(axis=axis)
        return ratio

    found = stats.bootstrap(
        (sums, sizes),
        mean,
        paired=True,
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=max(1, 2_000_000 // len(sums)),
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    )
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Test:
    """Whether two models are right on the same items equally often; the exact binomial test.

    The effect is the odds ratio (only the first right) : (only the second right), infinite
    or undefined where a count is zero.
    """
    only_first = sum(a and not b for a, b in zip(first, second, strict=True))
    only_second = sum(b and not a for a, b in zip(first, second, strict=True))
    discordant = only_first + only_second
    if discordant == 0:
        return Test("McNemar", len(first), "odds ratio", None, 1.0)
    p = float(stats.binomtest(only_first, discordant).pvalue)
    odds = only_first / only_second if only_second else math.inf
    return Test("McNemar", len(first), "odds ratio", odds, p)


def wilcoxon(first: Sequence[float], second: Sequence[float]) -> Test:
    """Whether paired scores differ; pairs without a difference are left out, as Wilcoxon did.

    The effect is the rank-biserial correlation: 1 if the first is higher in every pair,
    -1 if the second is. Undefined where all pairs are equal.
    """
    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    differences = differences[differences != 0]
    if len(differences) == 0:
        return Test("Wilcoxon", len(first), "rank-biserial r", None, None)
    ranks = stats.rankdata(np.abs(differences))
    effect = float((ranks * np.sign(differences)).sum() / ranks.sum())
    p = float(stats.wilcoxon(differences).pvalue)
    return Test("Wilcoxon", len(first), "rank-biserial r", effect, p)


def spearman(levels: Sequence[float], scores: Sequence[float]) -> Test:
    """The rank correlation of scores with levels; undefined under three levels or if constant.

    Up to eight points p is exact, over all orders: the usual approximation gives p = 0 for any
    three points in a row, where one order of three in fact does so by chance.
    """
    if len(set(levels)) < 3 or len(set(scores)) < 2:
        return Test("Spearman", len(levels), "rho", None, None)
    found = stats.spearmanr(levels, scores)
    rho, p = float(found.statistic), float(found.pvalue)
    if len(levels) <= EXACT:
        p = _exact_p(stats.rankdata(levels), stats.rankdata(scores))
    return Test("Spearman", len(levels), "rho", rho, p)


def _exact_p(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    """The share of orders whose correlation is as far from zero as the one seen."""
    orders = np.array(list(permutations(second - second.mean())))
    seen = abs(float((first - first.mean()) @ orders[0]))
    return float((np.abs(orders @ (first - first.mean())) >= seen - 1e-9).mean())


def compare_proportions(first: Sequence[bool], second: Sequence[bool]) -> Test:
    """Whether two independent groups are right equally often; the effect is Cohen's h."""
    table = [[sum(group), len(group) - sum(group)] for group in (first, second)]
    p = float(stats.fisher_exact(table).pvalue)
    shares = [sum(group) / len(group) for group in (first, second)]
    angles = [2 * math.asin(math.sqrt(share)) for share in shares]
    return Test("Fisher", len(first) + len(second), "Cohen's h", angles[0] - angles[1], p)


def adjust(ps: Sequence[float | None]) -> list[float | None]:
    """Benjamini–Yekutieli adjusted p of one family of tests; None stays None."""
    defined = [p for p in ps if p is not None]
    if not defined:
        return list(ps)
    adjusted = iter(stats.false_discovery_control(defined, method="by").tolist())
    return [None if p is None else float(next(adjusted)) for p in ps]
