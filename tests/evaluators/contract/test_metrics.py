"""The table of metrics: every one has a function, and says what it needs."""

from __future__ import annotations

from sorites_eval.contract.metrics import METRICS, Metric
from sorites_eval.scoring.metrics import FUNCTIONS

NOTHING = {"positive": None, "pairs": None, "selection": None, "graded": None}


def test_every_metric_has_a_function_and_the_reverse() -> None:
    assert list(FUNCTIONS) == list(METRICS)
    assert all(name == metric.name and metric.meaning for name, metric in METRICS.items())


def test_what_is_missing_is_said_until_it_is_there() -> None:
    need = {name: metric.needs for name, metric in METRICS.items() if metric.needs}
    assert need == {
        "precision": "positive",
        "precision-unanswered-wrong": "positive",
        "recall": "positive",
        "f1": "positive",
        "f1-unanswered-wrong": "positive",
        "reasoning-accuracy": "selection",
        "faithfulness": "pairs",
        "spearman": "graded",
    }
    for name, field in need.items():
        text = METRICS[name].missing(NOTHING)
        assert text is not None
        assert f'"{field}"' in text
        assert METRICS[name].missing({**NOTHING, field: "something"}) is None
    assert Metric("new", "").missing(NOTHING) is None
