"""The gold answers score 1.0 on every task and setting of every sample release."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.pipeline import check_spec
from sorites_eval.backends.baselines import Oracle
from sorites_eval.contract.release import open_release
from sorites_eval.running.run import perform, plan
from tests.samples import SAMPLES, compiled

PERFECT = ("accuracy", "precision", "recall", "f1", "macro-f1", "reasoning-accuracy",
           "faithfulness", "non-empty", "following-instruction")  # fmt: skip


@pytest.fixture(scope="session", params=SAMPLES, ids=lambda path: path.stem)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample release."""
    path: Path = request.param
    return compiled(path, tmp_path_factory)


def test_there_are_samples() -> None:
    assert {check_spec(path).kind for path in SAMPLES} == {
        "argument-schemes", "audit", "sense-relations", "veridicality"
    }  # fmt: skip


def test_gold_answers_score_one_on_every_task_and_setting(release: Path, tmp_path: Path) -> None:
    opened = open_release(release)
    asked = 0
    for name, task in opened.benchmark.tasks.items():
        for setting in task.prompts:
            chosen = plan(opened, task, setting, limit=600)
            done = perform(chosen, Oracle(), tmp_path / name / setting)
            overall = done.scores["overall"]
            assert isinstance(overall, dict)
            assert overall["n"] > 0
            for metric in PERFECT:
                # Undefined (null) where the items give nothing to measure it on.
                assert overall.get(metric, 1.0) in (1.0, None), (name, setting, metric)
            assert overall["accuracy" if "accuracy" in overall else "macro-f1"] == 1.0
            assert overall.get("irrelevant", 0.0) == 0.0
            asked += 1
    assert asked > 0
