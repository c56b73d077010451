"""A 95 % interval for every measure of a task.

Every measure is a ratio of sums over items, or a mean of such ratios: accuracy is right items by
items, the F1 of a label is twice its right items by those that are or are called so, faithfulness
is faithful pairs by pairs. A ratio is made a mean by linearisation (Binder 1983, "On the variances
of asymptotically normal estimators from complex surveys"): each item stands for the ratio and its
own pull on it. Then the interval is that of a share of clustered items.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.intervals import Interval, share_interval
from sorites_eval.scoring.prediction import Prediction, cluster_of
from sorites_eval.scoring.scores import Number

__all__ = ["intervals"]

Terms = tuple[NDArray[np.float64], NDArray[np.float64]]
"""For each item what it adds to the numerator and to the denominator."""


def intervals(
    task: Task, predictions: Sequence[Prediction], measures: Mapping[str, Number]
) -> dict[str, Interval]:
    """The interval of each measure of these predictions that is a share and is defined.

    Counts have none; nor has a measure that is defined otherwise than here.
    """
    if not predictions:
        return {}
    clusters = [cluster_of(task.score, p) for p in predictions]
    found: dict[str, Interval] = {}
    for name, value in measures.items():
        if not isinstance(value, float):
            continue
        ratios = _ratios(name, task, predictions)
        interval = _interval(ratios, clusters) if ratios else None
        if interval is not None and math.isclose(interval.estimate, value, abs_tol=1e-9):
            found[name] = interval
    return found


def _interval(ratios: Sequence[Terms], clusters: Sequence[Scalar]) -> Interval | None:
    defined = [(top, bottom) for top, bottom in ratios if bottom.sum() > 0]
    if not defined:
        return None
    if len(defined) == 1:
        top, bottom = defined[0]
        # Each unit of the denominator is a share's one or zero; what adds nothing is left out.
        units = np.repeat(np.arange(len(bottom)), bottom.astype(int))
        values = (top[units] / bottom[units]).tolist()
        return share_interval(values, [clusters[unit] for unit in units.tolist()])
    estimates = [top.sum() / bottom.sum() for top, bottom in defined]
    pulls = [
        (top - estimate * bottom) / bottom.sum()
        for estimate, (top, bottom) in zip(estimates, defined, strict=True)
    ]
    mean = float(np.mean(estimates))
    values = (mean + len(clusters) * np.mean(pulls, axis=0)).tolist()
    return share_interval(values, clusters)


def _ratios(name: str, task: Task, predictions: Sequence[Prediction]) -> list[Terms]:
    if name in _SHARES:
        return [_terms(predictions, _SHARES[name], lambda _: True)]
    if name.startswith("f1 "):
        return [_f1(predictions, name.removeprefix("f1 "))]
    if name == "macro-f1":
        gold = {p.gold for p in predictions}
        return [_f1(predictions, label) for label in task.answer.labels if label in gold]
    positive = task.score.positive
    if name == "f1" and positive is not None:
        return [_f1(predictions, positive)]
    if name == "precision":
        return [_terms(predictions, lambda p: p.right, lambda p: p.label == positive)]
    if name == "recall":
        return [_terms(predictions, lambda p: p.right, lambda p: p.gold == positive)]
    if name == "faithfulness" and task.score.pairs is not None:
        return [_faithful(predictions, task.score.pairs)]
    return []


Question = Callable[[Prediction], bool]

_SHARES: Mapping[str, Question] = {
    "accuracy": lambda p: p.right,
    "reasoning-accuracy": lambda p: p.right and p.right_selection is True,
    "non-empty": lambda p: str(p.outcome) not in {"empty", "error"},
    "irrelevant": lambda p: str(p.outcome) in {"irrelevant", "unreadable"},
    "following-instruction": lambda p: p.outcome is Outcome.ANSWER,
    "unmatched": lambda p: p.unmatched,
}


def _terms(predictions: Sequence[Prediction], top: Question, bottom: Question) -> Terms:
    counted = np.array([bottom(p) for p in predictions], dtype=float)
    return np.array([top(p) for p in predictions], dtype=float) * counted, counted


def _f1(predictions: Sequence[Prediction], label: str) -> Terms:
    gold = np.array([p.gold == label for p in predictions], dtype=float)
    said = np.array([p.label == label for p in predictions], dtype=float)
    return 2 * gold * said, gold + said


def _faithful(predictions: Sequence[Prediction], column: str) -> Terms:
    """Each pair counts at the first of its two items."""
    known = {(p.id, p.view, p.repeat): p for p in predictions}
    seen: set[tuple[str, str, int]] = set()
    top, bottom = np.zeros(len(predictions)), np.zeros(len(predictions))
    for place, p in enumerate(predictions):
        key, partner = (p.id, p.view, p.repeat), p.facts[column]
        other = (str(partner), p.view, p.repeat)
        if partner is None or other not in known or key in seen:
            continue
        seen |= {key, other}
        said = [p.label, known[other].label]
        bottom[place] = 1
        top[place] = key != other and None not in said and said[0] != said[1]
    return top, bottom
