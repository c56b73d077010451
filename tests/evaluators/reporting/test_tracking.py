"""Scores in trackio, with the real library where it is installed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import sorites_eval
from sorites_eval.errors import RunError
from sorites_eval.reporting.tracking import Tracker, measures, open_tracker
from tests.evaluators.test_evaluate_cli import evaluate as command

HAS_TRACKIO = importlib.util.find_spec("trackio") is not None

LOGGED = """
import json
from trackio.sqlite_storage import SQLiteStorage
import trackio
(run,) = trackio.Api().runs("mine")
logs = SQLiteStorage.get_logs("mine", run.name)
print(json.dumps({"name": run.name, "config": run.config, "logs": logs}, default=str))
"""


@pytest.mark.skipif(not HAS_TRACKIO, reason="trackio is not installed")
def test_the_real_library_keeps_every_score(small_release: Path, tmp_path: Path) -> None:
    where = {"TRACKIO_DIR": str(tmp_path / "trackio"), "HF_HUB_OFFLINE": "1"}
    environment = {**os.environ, **where}
    asked = ["run", str(small_release), "--model", "random", "--task", "entailment"]
    asked += ["--repeats", "2", "--out", str(tmp_path / "runs"), "--log", "trackio:mine"]
    done = subprocess.run(
        [sys.executable, "-m", "sorites_eval", *asked],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Trackio" not in done.stdout
    read = subprocess.run(
        [sys.executable, "-c", LOGGED], env=environment, capture_output=True, text=True, check=True
    )
    found = json.loads(read.stdout.splitlines()[-1])
    (run,) = sorites_eval.find_runs([tmp_path / "runs"])
    assert found["name"] == "random · entailment · zero-shot"
    assert found["config"]["release.content_sha256"] == run.content
    assert found["config"]["model.seed"] == 0
    (logged,) = found["logs"]
    for name, value in measures(run).items():
        assert logged[name] == pytest.approx(value), name
    assert "pass_at/2" in logged


def test_measures_are_the_scores_that_are_defined(small_release: Path, tmp_path: Path) -> None:
    run = sorites_eval.evaluate(small_release, "oracle", task="entailment", out=tmp_path)
    found = measures(run)
    assert found["overall/accuracy"] == 1.0
    assert found["overall/n"] == 12.0
    assert not [name for name in found if not name.startswith("overall/")]


@pytest.mark.parametrize("target", ["wandb:mine", "trackio", "trackio:", "trackio: "])
def test_another_tracker_is_refused_before_anything_is_asked(
    target: str, small_release: Path, tmp_path: Path
) -> None:
    done = command(
        *("run", small_release, "--model", "random", "--out", tmp_path / "runs", "--log", target)
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: --log {target}: expected trackio:PROJECT. ")
    assert not (tmp_path / "runs").exists()


@pytest.mark.skipif(HAS_TRACKIO, reason="trackio is installed")
def test_without_the_library_the_extra_is_named() -> None:
    with pytest.raises(RunError) as caught:
        open_tracker("trackio:mine")
    assert str(caught.value) == (
        "--log trackio:mine: trackio is needed: pip install 'sorites-eval[trackio]'."
    )


def test_a_tracker_that_fails_says_where_the_run_is(small_release: Path, tmp_path: Path) -> None:
    class Broken:
        def init(self, project: str, **_: object) -> object:
            raise ConnectionError(f"no way to {project}")

        def log(self, metrics: dict[str, object]) -> None:
            raise AssertionError

        def finish(self) -> None:
            raise AssertionError

    run = sorites_eval.evaluate(small_release, "oracle", task="entailment", out=tmp_path)
    with pytest.raises(RunError) as caught:
        Tracker("mine", Broken()).log(run)
    assert str(caught.value) == (
        f"trackio:mine: ConnectionError: no way to mine The run is in {run.folder}; the same "
        "command logs it again."
    )
