"""Scores pushed to a model's repository, as its own owner would do it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from huggingface_hub._eval_results import parse_eval_result_entries

import sorites_eval
from tests.evaluators.conftest import DOCUMENT, small_tables, write_release
from tests.hub.conftest import TOKEN
from tests.hub.server import Fault, Hub

MODEL = "cafe/waiter"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored")
    root = write_release(folder / "small" / "1.0.0", DOCUMENT, small_tables())
    for task in ("entailment", "relation"):
        sorites_eval.evaluate(root, "oracle", task=task, out=folder / "runs")
    return folder / "runs"


def push(
    hub: Hub, runs: Path, home: Path, token: str | None = TOKEN, repo: str = MODEL
) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name[:3] != "HF_"}
    settings = {"HF_ENDPOINT": hub.url, "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
    if token is not None:
        settings["HF_TOKEN"] = token
    asked = ["results", str(runs), "--dataset", "cafe/small", "--push", repo]
    return subprocess.run(
        [sys.executable, "-m", "sorites_eval", *asked],
        env={**inherited, **settings},
        capture_output=True,
        text=True,
        check=False,
    )


def test_scores_come_in_one_commit_and_stay_beside_others(
    hub: Hub, runs: Path, tmp_path: Path
) -> None:
    model = hub.create(MODEL, kind="models")
    done = push(hub, runs / "oracle" / "entailment", tmp_path)
    assert done.returncode == 0, done.stderr
    assert [commit.title for commit in model.commits] == [
        "initial commit",
        "Add scores on small 1.0.0",
    ]
    assert done.stdout.split() == [
        "Pushed",
        "to",
        f"{hub.url}/{MODEL}/tree/{model.head.oid}/.eval_results",
    ]
    first = ".eval_results/small-entailment.yaml"
    assert set(model.head.files) == {".gitattributes", first}
    (entry,) = parse_eval_result_entries(yaml.safe_load(model.head.files[first].content))
    assert (entry.dataset_id, entry.task_id, entry.value) == ("cafe/small", "entailment", 1.0)
    done = push(hub, runs, tmp_path)
    assert done.returncode == 0, done.stderr
    assert len(model.commits) == 3
    assert set(model.head.files) == {
        ".gitattributes",
        first,
        ".eval_results/small-relation.yaml",
    }
    assert TOKEN not in done.stdout + done.stderr


def test_the_same_scores_again_are_no_commit(hub: Hub, runs: Path, tmp_path: Path) -> None:
    model = hub.create(MODEL, kind="models")
    for _ in range(2):
        assert push(hub, runs, tmp_path).returncode == 0
    assert len(model.commits) == 2


@pytest.mark.parametrize(
    ("token", "repo", "message"),
    [
        (None, MODEL, f"{MODEL}: set HF_TOKEN to a token with the right to write there."),
        (TOKEN, "cafe/none", "cafe/none: no such model on {url}. The scores go into the"),
        ("hf_stranger", MODEL, f"{MODEL}: the Hub refused to write (403). Set HF_TOKEN to a"),
        (TOKEN, "not a name", "not a name: not ORG/NAME of a model on the Hub."),
    ],
)
def test_what_cannot_be_pushed_changes_nothing(
    hub: Hub, runs: Path, tmp_path: Path, token: str | None, repo: str, message: str
) -> None:
    model = hub.create(MODEL, kind="models")
    done = push(hub, runs, tmp_path, token, repo)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {message.format(url=hub.url)}")
    assert "Traceback" not in done.stderr
    assert token is None or token not in done.stderr
    assert len(model.commits) == 1


def test_a_hub_that_fails_is_told_of(hub: Hub, runs: Path, tmp_path: Path) -> None:
    model = hub.create(MODEL, kind="models")
    hub.faults.append(Fault(r"POST /api/models/.*/commit/", 507))
    done = push(hub, runs, tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {MODEL}: the Hub answered 507; nothing was pushed.")
    assert len(model.commits) == 1
