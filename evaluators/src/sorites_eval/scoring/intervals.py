"""Confidence intervals for shares and for differences of shares, of items that come in clusters.

- A share: Wilson's score interval for as many items as the clusters are worth (Korn and Graubard
  1998, "Confidence intervals for proportions with small expected number of positive counts
  estimated from survey data"): the items divided by the design effect, at most the items, and
  fewer for few clusters, by Student's t. Where every answer is right, or none, nothing is known of
  the clusters, and they count as if each said one thing (Kish's effective size).
- A difference of two shares on the same items: Agresti and Min's interval for matched pairs (2005),
  which adds two pairs, here two clusters, of which half a one favours each side; the variance is
  that of whole clusters.

Neither has a width of zero, whatever the answers are, and neither draws anything at random.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

__all__ = ["Interval", "difference_interval", "share_interval"]

LEVEL = 0.95
_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and its 95 % confidence interval, from so many clusters of items."""

    estimate: float
    low: float
    high: float
    clusters: int


def share_interval(values: Sequence[float], clusters: Sequence[Hashable]) -> Interval:
    """The mean of values from 0 to 1, one an item, with Wilson's interval.

    Values between 0 and 1 are shares of an item's own, such as of several answers to it.

    >>> found = share_interval([1.0] * 20, range(20))
    >>> found.estimate, round(found.low, 3), found.high
    (1.0, 0.839, 1.0)
    """
    sums, sizes = _by_cluster(values, clusters)
    share = float(sums.sum() / sizes.sum())
    low, high = _wilson(share, _worth(np.asarray(values, dtype=float), sums, sizes))
    return Interval(share, min(low, share), max(high, share), len(sums))


def _worth(
    values: NDArray[np.float64], sums: NDArray[np.float64], sizes: NDArray[np.float64]
) -> float:
    """How many independent items the items are worth."""
    items, groups = float(sizes.sum()), len(sizes)
    if sizes.max() == 1 and np.isin(values, (0.0, 1.0)).all():
        return items
    share = sums.sum() / items
    spread = float(share * (1 - share))
    if groups == 1 or spread < 1e-12:
        worth = items**2 / float((sizes**2).sum())
    else:
        squares = float(((sums - share * sizes) ** 2).sum())
        variance = groups / (groups - 1) * squares / items**2
        worth = min(items, spread / variance) if variance > 0 else items
    return worth * (_Z / _t(groups)) ** 2


def _wilson(share: float, worth: float) -> tuple[float, float]:
    square = _Z**2 / worth
    middle = (share + square / 2) / (1 + square)
    half = math.sqrt(square * share * (1 - share) + square**2 / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


def difference_interval(differences: Sequence[float], clusters: Sequence[Hashable]) -> Interval:
    """The mean of differences from -1 to 1, one an item, with Agresti and Min's interval."""
    sums, sizes = _by_cluster(differences, clusters)
    estimate = float(sums.sum() / sizes.sum())
    mean = float(sizes.mean())
    sums = np.append(sums, [mean, -mean, 0.0])
    sizes = np.append(sizes, [mean, mean, mean])
    weights = np.append(np.ones(len(sums) - 3), [0.5, 0.5, 1.0])
    total = float((weights * sizes).sum())
    middle = float((weights * sums).sum()) / total
    spread = math.sqrt(float((weights * (sums - middle * sizes) ** 2).sum())) / total
    groups = len(sums) - 3
    half = spread * (_Z if mean == 1 else _t(groups))
    low, high = max(-1.0, middle - half), min(1.0, middle + half)
    return Interval(estimate, min(low, estimate), max(high, estimate), groups)


def _t(groups: int) -> float:
    from scipy import stats

    return float(stats.t.ppf((1 + LEVEL) / 2, max(1, groups - 1)))


def _by_cluster(
    values: Sequence[float], clusters: Sequence[Hashable]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The sum and the size of each cluster."""
    if not len(values):
        raise ValueError("an interval needs at least one value")
    places: dict[Hashable, int] = {}
    index = np.array([places.setdefault(cluster, len(places)) for cluster in clusters])
    sums = np.bincount(index, weights=np.asarray(values, dtype=float)).astype(float)
    return sums, np.bincount(index).astype(float)
