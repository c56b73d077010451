"""Guessing yes or no from features, cross-validated.

Three readers, all trained by counting. A *table* remembers how often each key had each label. A
*bag* is a multinomial naive Bayes classifier with add-one smoothing (Manning, Raghavan and
Schütze, Introduction to Information Retrieval, section 13.2). The *strongest* of an item's
features decides alone. Weights are integers (logarithms in units of 2^-20), so that results are
the same on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sorites.release.audit.shortcuts.features import Features, Integers

__all__ = ["FOLDS", "Method", "deal", "hits"]

Method = Literal["table", "bag", "strongest"]

FOLDS = 5

_UNIT = float(1 << 20)


def deal(groups: Sequence[str], folds: int = FOLDS) -> Integers:
    """A fold for each item: items of one group share theirs; groups go by their hashes."""
    order = sorted({*groups}, key=lambda group: hashlib.sha256(group.encode()).digest())
    fold = {group: position % folds for position, group in enumerate(order)}
    return np.array([fold[group] for group in groups], dtype=np.int64)


def hits(
    features: Features,
    labels: NDArray[np.bool_],
    folds: Integers,
    strata: Integers,
    method: Method,
) -> NDArray[np.float64]:
    """For each item 1 where the guess is its label, 0 where it is not, a half for no guess.

    A guess is made from the items of the same stratum in other folds.
    """
    strata_number = int(strata.max(initial=0)) + 1
    fold_number = int(folds.max(initial=0)) + 1
    cell = strata * fold_number + folds
    item = np.repeat(np.arange(len(features)), np.diff(features.starts))
    # Counts by stratum, fold, label and feature; then, for each fold, those of the others.
    place = (cell[item] * 2 + labels[item]) * features.size + features.ids
    shape = (strata_number, fold_number, 2, features.size)
    own = np.bincount(place, minlength=int(np.prod(shape))).reshape(shape)
    seen = (own.sum(axis=1, keepdims=True) - own).reshape(
        strata_number * fold_number, 2, features.size
    )
    size = np.bincount(cell * 2 + labels, minlength=strata_number * fold_number * 2)
    size = size.reshape(strata_number, fold_number, 2)
    items = (size.sum(axis=1, keepdims=True) - size).reshape(strata_number * fold_number, 2)
    weights = _weights(seen, method)[cell[item], features.ids]
    score = _combined(weights, features, method)
    if method == "bag":
        # A label that was never seen is never guessed.
        prior = _log(np.maximum(items[:, 1], 1)) - _log(np.maximum(items[:, 0], 1))
        score = score + prior[cell]
    guess = np.sign(score)
    right = np.where(labels, guess, -guess)
    return np.asarray((right + 1) / 2, dtype=np.float64)


def _weights(seen: Integers, method: Method) -> Integers:
    """For each cell and feature, how much it speaks for yes (above 0) or no."""
    if method == "table":
        return np.asarray(seen[:, 1] - seen[:, 0], dtype=np.int64)
    known = (seen.sum(axis=1) > 0).astype(np.int64)
    totals = seen.sum(axis=2) + known.sum(axis=1)[:, None]
    by_label = _log(seen + 1) - _log(np.maximum(totals, 1))[:, :, None]
    return np.asarray((by_label[:, 1] - by_label[:, 0]) * known, dtype=np.int64)


def _combined(weights: Integers, features: Features, method: Method) -> Integers:
    lengths = np.diff(features.starts)
    filled = lengths > 0
    score = np.zeros(len(features), dtype=np.int64)
    if not filled.any():
        return score
    starts = features.starts[:-1][filled]
    if method == "strongest":
        most = np.maximum.reduceat(weights, starts)
        least = np.minimum.reduceat(weights, starts)
        score[filled] = np.where(most > -least, most, np.where(most < -least, least, 0))
    else:
        score[filled] = np.add.reduceat(weights, starts)
    return score


def _log(counts: Integers) -> Integers:
    return np.rint(np.log(counts) * _UNIT).astype(np.int64)
