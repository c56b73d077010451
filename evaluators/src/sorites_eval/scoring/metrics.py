"""Answers become numbers: metrics over everything and by group.

Definitions, with no answer counted as a wrong one everywhere:

- accuracy: right answers / all.
- precision, recall, F1: for the positive label; an item without an answer is not predicted
  positive, so it costs recall and not precision. Undefined ratios are null, not zero.
- precision and F1, unanswered wrong: every negative item that was not called negative counts as a
  false positive, as SylloBio-NLI's table 1 was computed: there false positives and true negatives
  are half of the items, the negative half, however few were answered.
- f1-by-label: the F1 of each label that occurs as gold; macro-f1: their mean.
- reasoning-accuracy: label and selection both right / all.
- faithfulness: pairs of opposite polarity whose two answers are labels and differ / all pairs
  of which both members were asked.
- spearman: rank correlation of the probability of the positive label with the mean ratings.
- responses: non-empty replies, irrelevant ones (a whole reply that is no answer) and those that
  follow the instruction (an answer) / all. A request that failed has no reply and counts as empty.
- response-types: replies with text, those that are more or other than the answer asked for, and
  bare answers / all; null where labels were scored and nothing was written.

Metrics as in SylloBio-NLI, appendix G; combined views as for semantic relations between senses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from sorites_eval.contract.tasks import Scalar, Task, View
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.disagreements import disagreements
from sorites_eval.scoring.graded import spearman
from sorites_eval.scoring.prediction import Prediction
from sorites_eval.scoring.responses import Response

__all__ = [
    "FUNCTIONS",
    "NO_ANSWER",
    "UNMATCHED",
    "Prediction",
    "combine",
    "confusion",
    "measure",
    "score",
]

NO_ANSWER = "(no answer)"
UNMATCHED = "(unmatched)"

Number = float | int | None
Measures = dict[str, Number]
MetricFunction = Callable[[Task, Sequence[Prediction]], Measures]


def combine(task: Task, predictions: Sequence[Prediction]) -> list[Prediction]:
    """One prediction an item from one a view, as the task's ``combine`` says.

    ``bidirectional``: each view's label is carried back through the view's map, and counts only
    if all views say the same; else the item is unmatched. Without it, the predictions as
    they are. An item of which a view is missing is left out.
    """
    if task.score.combine is None:
        return list(predictions)
    back = {view.name: carried_back(task, view) for view in task.views}
    first = task.views[0]
    items: dict[tuple[str, int], dict[str, Prediction]] = {}
    for prediction in predictions:
        key = (prediction.id, prediction.repeat)
        items.setdefault(key, {})[prediction.view] = prediction
    result: list[Prediction] = []
    for views in items.values():
        if len(views) < len(task.views):
            continue
        labels = {back[v][p.label] if p.label is not None else None for v, p in views.items()}
        agreed = labels.pop() if len(labels) == 1 else None
        outcomes = [p.outcome for p in views.values()]
        base = views[first.name]
        result.append(
            Prediction(
                id=base.id,
                view="",
                gold=back[first.name][base.gold],
                label=agreed,
                outcome=min(outcomes, key=[*Outcome][::-1].index),
                facts=base.facts,
                unmatched=agreed is None,
                repeat=base.repeat,
                response=_worst([p.response for p in views.values()]),
            )
        )
    return result


def _worst(responses: Sequence[Response | None]) -> Response | None:
    """The one that is furthest from a bare answer; none if one of them is not known."""
    known = [response for response in responses if response is not None]
    return max(known, key=[*Response].index) if len(known) == len(responses) else None


def carried_back(task: Task, view: View) -> dict[str, str]:
    """From a label in a view to the item's own label."""
    return {view.labels.get(label, label): label for label in task.answer.labels}


def score(task: Task, predictions: Sequence[Prediction]) -> dict[str, object]:
    """All of a task's scores: ``overall``, ``groups`` and ``confusion``; where the task looks
    closer, ``half_right`` and ``wrong_as``.

    Each entry of ``groups`` has ``by``, its columns, and ``rows``, one for each combination
    of values that occurs, in their order, with the values and the measures.
    """
    combined = combine(task, predictions)
    return {
        **disagreements(task, predictions, combined),
        "overall": measure(task, combined),
        "groups": [
            {"by": list(columns), "rows": _by(task, combined, columns)}
            for columns in task.score.groups
        ],
        "confusion": confusion(task, combined),
    }


def _by(
    task: Task, predictions: Sequence[Prediction], columns: tuple[str, ...]
) -> list[dict[str, object]]:
    groups: dict[tuple[Scalar, ...], list[Prediction]] = {}
    for prediction in predictions:
        groups.setdefault(tuple(prediction.facts[c] for c in columns), []).append(prediction)
    ordered = sorted(groups, key=lambda key: [_order(value) for value in key])
    return [
        {"values": dict(zip(columns, key, strict=True)), **measure(task, groups[key])}
        for key in ordered
    ]


def _order(value: Scalar) -> tuple[int, float, str]:
    if isinstance(value, int | float):
        return 0, value, ""
    return (1, 0.0, value) if value is not None else (2, 0.0, "")


def confusion(task: Task, predictions: Iterable[Prediction]) -> dict[str, dict[str, int]]:
    """Gold label -> answer -> how many; every label has a row and a column."""
    labels = list(task.answer.labels)
    columns = [*labels, NO_ANSWER] + ([UNMATCHED] if task.score.combine else [])
    table = {gold: dict.fromkeys(columns, 0) for gold in labels}
    for prediction in predictions:
        table[prediction.gold][_column(prediction)] += 1
    return table


def _column(prediction: Prediction) -> str:
    if prediction.label is not None:
        return prediction.label
    return UNMATCHED if prediction.unmatched else NO_ANSWER


def measure(task: Task, predictions: Sequence[Prediction]) -> dict[str, Number]:
    """The task's metrics over some predictions, with ``n``, how many they are."""
    result: dict[str, Number] = {"n": len(predictions)}
    for metric in task.score.metrics:
        result |= FUNCTIONS[metric](task, predictions)
    if task.score.combine:
        result["unmatched"] = _share(sum(p.unmatched for p in predictions), len(predictions))
    return result


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _accuracy(_: Task, predictions: Sequence[Prediction]) -> float | None:
    return _share(sum(p.right for p in predictions), len(predictions))


def _precision(task: Task, predictions: Sequence[Prediction]) -> float | None:
    said = [p for p in predictions if p.label == task.score.positive]
    return _share(sum(p.right for p in said), len(said))


def _strict_precision(task: Task, predictions: Sequence[Prediction]) -> float | None:
    both, said = _with_unanswered(task, predictions)
    return _share(both, said)


def _strict_f1(task: Task, predictions: Sequence[Prediction]) -> float | None:
    both, said = _with_unanswered(task, predictions)
    gold = sum(p.gold == task.score.positive for p in predictions)
    return _share(2 * both, gold + said)


def _with_unanswered(task: Task, predictions: Sequence[Prediction]) -> tuple[int, int]:
    """True positives, and all positives if what was not answered counts as one where negative."""
    both = sum(p.gold == task.score.positive and p.right for p in predictions)
    negatives = [p for p in predictions if p.gold != task.score.positive]
    false = sum(p.label is None or p.label == task.score.positive for p in negatives)
    return both, both + false


def _recall(task: Task, predictions: Sequence[Prediction]) -> float | None:
    gold = [p for p in predictions if p.gold == task.score.positive]
    return _share(sum(p.right for p in gold), len(gold))


def _f1(task: Task, predictions: Sequence[Prediction]) -> float | None:
    return _f1_of(task.score.positive, predictions)


def _f1_of(label: str | None, predictions: Sequence[Prediction]) -> float | None:
    gold = sum(p.gold == label for p in predictions)
    said = sum(p.label == label for p in predictions)
    both = sum(p.gold == label and p.right for p in predictions)
    return _share(2 * both, gold + said)


def _f1_by_label(task: Task, predictions: Sequence[Prediction]) -> Measures:
    gold = {p.gold for p in predictions}
    return {f"f1 {t}": _f1_of(t, predictions) for t in task.answer.labels if t in gold}


def _macro_f1(task: Task, predictions: Sequence[Prediction]) -> float | None:
    each = _f1_by_label(task, predictions).values()
    return _share(sum(value for value in each if value is not None), len(each))


def _reasoning_accuracy(_: Task, predictions: Sequence[Prediction]) -> float | None:
    return _share(sum(p.right and p.right_selection is True for p in predictions), len(predictions))


def _responses(_: Task, predictions: Sequence[Prediction]) -> Measures:
    counts = Counter(p.outcome for p in predictions)
    total = len(predictions)
    return {
        "non-empty": _share(total - counts[Outcome.EMPTY] - counts[Outcome.ERROR], total),
        "irrelevant": _share(counts[Outcome.UNREADABLE], total),
        "following-instruction": _share(counts[Outcome.ANSWER], total),
    }


def _response_types(_: Task, predictions: Sequence[Prediction]) -> Measures:
    names = ("non-empty text", "other text", "bare answer")
    if not predictions or any(p.response is None for p in predictions):
        return dict.fromkeys(names)
    counts = Counter(p.response for p in predictions)
    total, bare = len(predictions), counts[Response.BARE]
    written = total - counts[Response.EMPTY]
    return dict(zip(names, (written / total, (written - bare) / total, bare / total), strict=True))


def _faithfulness(task: Task, predictions: Sequence[Prediction]) -> Measures:
    column = task.score.pairs
    assert column is not None
    known = {(p.id, p.view, p.repeat): p for p in predictions}
    pairs: set[tuple[str, int, frozenset[str]]] = set()
    for p in predictions:
        partner = p.facts[column]
        if partner is not None and (str(partner), p.view, p.repeat) in known:
            pairs.add((p.view, p.repeat, frozenset({p.id, str(partner)})))
    faithful = 0
    for view, repeat, ids in pairs:
        labels = [known[identity, view, repeat].label for identity in ids]
        faithful += len(labels) == 2 and None not in labels and labels[0] != labels[1]
    return {"faithfulness": _share(faithful, len(pairs)), "pairs": len(pairs)}


def _ratio(
    name: str, function: Callable[[Task, Sequence[Prediction]], float | None]
) -> MetricFunction:
    return lambda task, predictions: {name: function(task, predictions)}


FUNCTIONS: Mapping[str, MetricFunction] = {
    "accuracy": _ratio("accuracy", _accuracy),
    "precision": _ratio("precision", _precision),
    "precision-unanswered-wrong": _ratio("precision-unanswered-wrong", _strict_precision),
    "recall": _ratio("recall", _recall),
    "f1": _ratio("f1", _f1),
    "f1-unanswered-wrong": _ratio("f1-unanswered-wrong", _strict_f1),
    "macro-f1": _ratio("macro-f1", _macro_f1),
    "f1-by-label": _f1_by_label,
    "reasoning-accuracy": _ratio("reasoning-accuracy", _reasoning_accuracy),
    "faithfulness": _faithfulness,
    "spearman": spearman,
    "responses": _responses,
    "response-types": _response_types,
}
"""The function of every metric of the contract: the measures that it adds, by their names."""
