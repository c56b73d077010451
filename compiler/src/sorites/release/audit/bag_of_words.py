"""How well the label of a text can be guessed from its words alone, without their order.

A multinomial naive Bayes classifier over lower-cased words with add-one smoothing (Manning,
Raghavan and Schütze, Introduction to Information Retrieval, section 13.2), cross-validated. Its
scores are integers (logarithms in units of 2^-20), so the result is the same on every machine.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

__all__ = ["bag_of_words_accuracy"]

_WORD = re.compile(r"\w+")
_UNIT = float(1 << 20)

_Integers = NDArray[np.int64]


def bag_of_words_accuracy(
    texts: Sequence[str],
    labels: Sequence[str | bool | int],
    groups: Sequence[str],
    folds: int = 5,
) -> float:
    """The share of texts, from 0 to 1, whose label is guessed by a classifier of the others.

    Texts of one group fall into one fold: give near-copies, such as an item and its negation,
    one group. Groups are dealt to the folds in the order of their hashes. Where k labels score
    equally high, nothing is guessed and the text counts 1/k if the text's label is among them.

    Raises ValueError if the lengths differ, or for fewer than two groups or folds.

    >>> bag_of_words_accuracy(["yes", "no", "yes", "no"], [True, False, True, False], list("abcd"))
    1.0
    """
    if not len(texts) == len(labels) == len(groups):
        raise ValueError("texts, labels and groups must have the same length")
    if folds < 2 or len(set(groups)) < 2:
        raise ValueError("cross-validation needs at least two folds and two groups")
    counts = _word_counts(texts)
    classes = sorted(set(labels), key=repr)
    index = {label: position for position, label in enumerate(classes)}
    gold = np.array([index[label] for label in labels], dtype=np.int64)
    fold_of = _deal(groups, folds)
    shared = np.zeros(len(classes) + 1, dtype=np.int64)
    for fold in range(int(fold_of.max()) + 1):
        held_out = fold_of == fold
        scores = _scores(counts[~held_out], gold[~held_out], counts[held_out], len(classes))
        shared += _hits_by_ties(scores, gold[held_out], len(classes))
    return float(sum(int(hits) / ties for ties, hits in enumerate(shared) if ties)) / len(texts)


def _word_counts(texts: Sequence[str]) -> sparse.csr_array:
    rows = [_WORD.findall(text.lower()) for text in texts]
    vocabulary = {word: column for column, word in enumerate(sorted({*chain(*rows)}))}
    columns = np.fromiter((vocabulary[word] for row in rows for word in row), dtype=np.int64)
    ends = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    shape = (len(texts), len(vocabulary))
    matrix = sparse.csr_array((np.ones(len(columns), dtype=np.int64), columns, ends), shape=shape)
    matrix.sum_duplicates()
    return matrix


def _deal(groups: Sequence[str], folds: int) -> _Integers:
    order = sorted(set(groups), key=lambda group: hashlib.sha256(group.encode()).digest())
    fold = {group: position % folds for position, group in enumerate(order)}
    return np.array([fold[group] for group in groups], dtype=np.int64)


def _scores(
    seen: sparse.csr_array, gold: _Integers, unseen: sparse.csr_array, classes: int
) -> _Integers:
    """Log-likelihoods, one row a text and one column a class; a class never seen scores lowest."""
    texts = np.bincount(gold, minlength=classes)
    one_hot = sparse.csr_array(
        (np.ones(len(gold), dtype=np.int64), (gold, np.arange(len(gold)))),
        shape=(classes, len(gold)),
    )
    words: _Integers = (one_hot @ seen).toarray()
    known = words.sum(axis=0) > 0
    totals = words.sum(axis=1, keepdims=True) + known.sum()
    weights = np.where(known, _log(words + 1) - _log(totals), 0)
    scores: _Integers = unseen @ weights.T + _log(np.maximum(texts, 1))
    scores[:, texts == 0] = np.iinfo(np.int64).min
    return scores


def _log(counts: _Integers) -> _Integers:
    return np.rint(np.log(np.maximum(counts, 1)) * _UNIT).astype(np.int64)


def _hits_by_ties(scores: _Integers, gold: _Integers, classes: int) -> _Integers:
    """How many texts have their own class among k highest ones, at position k."""
    highest = scores == scores.max(axis=1, keepdims=True)
    own = highest[np.arange(len(gold)), gold]
    return np.bincount(highest.sum(axis=1)[own], minlength=classes + 1)
