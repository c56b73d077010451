"""A real model of 135 million parameters, asked both tasks on a CPU."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from sorites_eval.backends.local.loading import Loaded, load
from sorites_eval.backends.local.model import Local
from sorites_eval.contract.release import open_release
from sorites_eval.running.run import perform, plan


@pytest.fixture(scope="session")
def smollm2(root: Path, request: pytest.FixtureRequest) -> Loaded:
    """The model from the cache; fetched only where slow tests are asked for."""
    command = [sys.executable, str(root / "tests" / "bench" / "smollm2.py")]
    slow = "slow" in str(request.config.getoption("-m")) and "not" not in str(
        request.config.getoption("-m")
    )
    done = subprocess.run(
        command + ([] if slow else ["--offline"]), capture_output=True, text=True, check=False
    )
    if done.returncode:
        pytest.skip("SmolLM2 is not in the cache: python tests/bench/smollm2.py fetches it")
    return load(done.stdout.splitlines()[-1], dtype="float32", device_map="cpu")


def run(loaded: Loaded, root: Path, out: Path, task: str, **options: object) -> dict[str, object]:
    release = open_release(root)
    drawn = plan(release, release.task(task), "few-shot")
    perform(drawn, Local(loaded, drawn.task, **options), out)
    scores: dict[str, object] = json.loads((out / "scores.json").read_text())
    return scores


def test_it_follows_the_instruction(smollm2: Loaded, small_release: Path, tmp_path: Path) -> None:
    scores = run(smollm2, small_release, tmp_path, "entailment")
    overall = scores["overall"]
    assert isinstance(overall, dict)
    assert overall["following-instruction"] == 1.0
    assert 0.5 < scores["mean_label_mass"] <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("task", ["entailment", "premise-selection"])
def test_two_hundred_items_of_each_task(
    smollm2: Loaded, make_release: Callable[..., Path], tmp_path: Path, task: str
) -> None:
    root = make_release(items=200)
    scores = run(smollm2, root, tmp_path / "a", task, batch_size=16)
    overall = scores["overall"]
    assert isinstance(overall, dict)
    assert overall["n"] == 200
    assert overall["following-instruction"] >= 0.95
    assert 0.4 <= overall["accuracy"] <= 0.8
    if task == "entailment":
        again = run(smollm2, root, tmp_path / "b", task, batch_size=1)
        assert again["confusion"] == scores["confusion"]
