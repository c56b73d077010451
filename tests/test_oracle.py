"""The gold answers score 1.0 on every task and setting of every sample release."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock

from sorites.pipeline import check_spec, compile_spec
from sorites.progress import Silent
from sorites_eval.backends.baselines import Oracle
from sorites_eval.contract.release import open_release
from sorites_eval.running.run import perform, plan

SAMPLES = sorted((Path(__file__).resolve().parent.parent / "specs" / "sample").glob("*.yaml"))

PERFECT = ("accuracy", "precision", "recall", "f1", "macro-f1", "reasoning-accuracy",
           "faithfulness", "non-empty", "following-instruction")  # fmt: skip


@pytest.fixture(scope="session", params=SAMPLES, ids=lambda path: path.stem)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample release; processes of one run of the tests share it."""
    shared = tmp_path_factory.getbasetemp()
    if shared.name.startswith("popen-"):
        shared = shared.parent
    spec = check_spec(request.param)
    out = shared / spec.kind
    with FileLock(shared / f"{spec.kind}.lock"):
        folder = out / spec.name / str(spec.version)
        if not folder.is_dir():
            compile_spec(request.param, out, workers=1, progress=Silent())
    return folder


def test_there_are_samples() -> None:
    assert {check_spec(path).kind for path in SAMPLES} == {
        "argument-schemes", "sense-relations", "veridicality"
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
