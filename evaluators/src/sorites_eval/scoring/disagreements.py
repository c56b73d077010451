"""A closer look at views that disagree and at answers that are wrong in a certain way."""

from __future__ import annotations

from collections.abc import Sequence

from sorites_eval.contract.tasks import Task
from sorites_eval.scoring.prediction import Prediction

__all__ = ["disagreements"]

Share = dict[str, float | int | None]


def disagreements(
    task: Task, predictions: Sequence[Prediction], combined: Sequence[Prediction]
) -> dict[str, dict[str, Share]]:
    """What a task's ``half_right`` and ``wrong_as`` ask for; nothing for a task with neither.

    half_right: of the items of these gold labels for which exactly one view was answered rightly,
    the share whose views got the very same label. wrong_as: of the items of these gold labels
    whose views agree on a wrong label, the share with one of the labels looked for. Each
    with ``n``, the number of items that the share is of.
    """
    gold = {prediction.id: prediction.gold for prediction in combined}
    views: dict[tuple[str, int], list[Prediction]] = {}
    for prediction in predictions:
        views.setdefault((prediction.id, prediction.repeat), []).append(prediction)
    half_right: dict[str, Share] = {}
    for name, labels in task.score.half_right.items():
        asked = [several for (item, _), several in views.items() if gold.get(item) in labels]
        half = [several for several in asked if sum(p.right for p in several) == 1]
        same = sum(len({p.label for p in several}) == 1 for several in half)
        half_right[name] = _share(same, len(half))
    wrong_as: dict[str, Share] = {}
    for name, look in task.score.wrong_as.items():
        wrong = [p for p in combined if p.gold in look.gold and p.label and not p.right]
        wrong_as[name] = _share(sum(p.label in look.taken_for for p in wrong), len(wrong))
    found = {"half_right": half_right, "wrong_as": wrong_as}
    return {key: value for key, value in found.items() if value}


def _share(part: int, whole: int) -> Share:
    return {"share": part / whole if whole else None, "n": whole}
