"""Several answers to the same item: their mean, their majority, and pass@k.

- mean: the share of right answers over all of them.
- majority: the answer that was given most often ("self-consistency", Wang et al. 2023); of
  answers given equally often the one that came first. No answer is no vote.
- pass@k: how likely at least one of k answers is right, by the unbiased estimator of Chen et al.
  2021 ("Evaluating Large Language Models Trained on Code", section 2.1).

Their intervals are over items, by cluster, as for one answer: answers to one item are not
independent of each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from math import comb

from sorites_eval.contract.tasks import Task
from sorites_eval.scoring.intervals import share_interval
from sorites_eval.scoring.metrics import combine, measure
from sorites_eval.scoring.prediction import Prediction, cluster_of, is_right

__all__ = ["majority", "pass_at_k", "repeated"]


def pass_at_k(answers: int, right: int, k: int) -> float:
    """How likely k of these answers, drawn without putting back, hold a right one.

    >>> pass_at_k(4, 1, 1), pass_at_k(4, 1, 2), pass_at_k(4, 1, 4)
    (0.25, 0.5, 1.0)
    """
    return 1 - comb(answers - right, k) / comb(answers, k)


def majority(predictions: Sequence[Prediction]) -> list[Prediction]:
    """One prediction for each item and view: the label, and selection, of most answers."""
    asked: dict[tuple[str, str], list[Prediction]] = {}
    for prediction in predictions:
        asked.setdefault((prediction.id, prediction.view), []).append(prediction)
    return [_most(several) for several in asked.values()]


def _most(several: Sequence[Prediction]) -> Prediction:
    # Counter keeps the order in which keys came, and max takes the first of the highest.
    votes = Counter((p.label, p.selection) for p in several if p.label is not None)
    if not votes:
        return replace(several[0], repeat=0)
    chosen = max(votes, key=lambda vote: votes[vote])
    first = next(p for p in several if (p.label, p.selection) == chosen)
    return replace(first, repeat=0)


def repeated(task: Task, predictions: Sequence[Prediction]) -> dict[str, object]:
    """What several answers an item come to, for ``scores.json``.

    ``n`` is how many answers each item has, ``items`` how many items; ``mean`` and each of
    ``pass_at_k`` (k = 1, 2, 4, … and n) have an interval; ``majority`` has the task's
    measures beside its own. ``each`` is the share of right answers of each repeat.
    """
    by_item: dict[tuple[str, str], list[Prediction]] = {}
    for prediction in combine(task, predictions):
        by_item.setdefault((prediction.id, prediction.view), []).append(prediction)
    several = list(by_item.values())
    n = min(map(len, several))
    clusters = [cluster_of(task.score, answers[0]) for answers in several]
    right = [sum(map(is_right, answers)) for answers in several]

    def interval(values: Sequence[float]) -> Mapping[str, object]:
        return asdict(share_interval(values, clusters))

    ks = sorted({k for k in (2**power for power in range(n.bit_length())) if k < n} | {n})
    voted = combine(task, majority(predictions))
    rights = [[is_right(answers[repeat]) for answers in several] for repeat in range(n)]
    return {
        "n": n,
        "items": len(several),
        "mean": interval([r / len(a) for r, a in zip(right, several, strict=True)]),
        "each": [sum(some) / len(some) for some in rights],
        "majority": {**_interval(task, voted), **measure(task, voted)},
        "pass_at_k": [
            {
                "k": k,
                **interval([pass_at_k(len(a), r, k) for r, a in zip(right, several, strict=True)]),
            }
            for k in ks
        ],
    }


def _interval(task: Task, predictions: Sequence[Prediction]) -> Mapping[str, object]:
    clusters = [cluster_of(task.score, p) for p in predictions]
    return asdict(share_interval([float(is_right(p)) for p in predictions], clusters))
