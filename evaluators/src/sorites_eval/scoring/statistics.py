"""The statistics of the papers, over arrays: SciPy's tests, with effect sizes beside every p.

- McNemar's exact test on paired right and wrong answers; odds ratio of the discordant pairs.
- Wilcoxon's signed-rank test on paired scores; matched-pairs rank-biserial correlation.
- Spearman's rank correlation.
- Fisher's exact test on two independent proportions; Cohen's h.
- Mann and Whitney's rank-sum test on two independent groups of scores; rank-biserial correlation.
- Benjamini and Yekutieli's correction, which holds under any dependence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Test",
    "adjust",
    "compare_proportions",
    "mcnemar",
    "rank_sum",
    "spearman",
    "wilcoxon",
]

EXACT = 8


@dataclass(frozen=True, slots=True)
class Test:
    """A test: the size of the effect on the scale that ``effect_name`` says, p, and n pairs."""

    name: str
    n: int
    effect_name: str
    effect: float | None
    p: float | None


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> Test:
    """Whether two models are right on the same items equally often; the exact binomial test.

    The effect is the odds ratio (only the first right) : (only the second right), infinite
    or undefined where a count is zero.
    """
    from scipy import stats

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
    from scipy import stats

    differences = np.asarray(first, dtype=float) - np.asarray(second, dtype=float)
    differences = differences[differences != 0]
    if len(differences) == 0:
        return Test("Wilcoxon", len(first), "rank-biserial r", None, None)
    ranks = stats.rankdata(np.abs(differences))
    effect = float((ranks * np.sign(differences)).sum() / ranks.sum())
    p = float(stats.wilcoxon(differences).pvalue)
    return Test("Wilcoxon", len(first), "rank-biserial r", effect, p)


def rank_sum(first: Sequence[float], second: Sequence[float]) -> Test:
    """Whether scores of one independent group are higher than those of another.

    The effect is the rank-biserial correlation: 1 if every score of the first group is higher than
    every one of the second. Undefined where all scores are equal.
    """
    from scipy import stats

    n = len(first) + len(second)
    if len({*first, *second}) < 2 or not first or not second:
        return Test("Mann-Whitney", n, "rank-biserial r", None, None)
    found = stats.mannwhitneyu(first, second)
    effect = 2 * float(found.statistic) / (len(first) * len(second)) - 1
    return Test("Mann-Whitney", n, "rank-biserial r", effect, float(found.pvalue))


def spearman(levels: Sequence[float], scores: Sequence[float]) -> Test:
    """The rank correlation of scores with levels; undefined under three levels or if constant.

    Up to eight points p is exact, over all orders: the usual approximation gives p = 0 for any
    three points in a row, where one order of three in fact does so by chance.
    """
    from scipy import stats

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
    from scipy import stats

    table = [[sum(group), len(group) - sum(group)] for group in (first, second)]
    p = float(stats.fisher_exact(table).pvalue)
    shares = [sum(group) / len(group) for group in (first, second)]
    angles = [2 * math.asin(math.sqrt(share)) for share in shares]
    return Test("Fisher", len(first) + len(second), "Cohen's h", angles[0] - angles[1], p)


def adjust(ps: Sequence[float | None]) -> list[float | None]:
    """Benjamini–Yekutieli adjusted p over all of some tests; None stays None."""
    from scipy import stats

    defined = [p for p in ps if p is not None]
    if not defined:
        return list(ps)
    adjusted = iter(stats.false_discovery_control(defined, method="by").tolist())
    return [None if p is None else float(next(adjusted)) for p in ps]
