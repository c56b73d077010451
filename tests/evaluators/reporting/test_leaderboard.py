"""Standings from runs and from the scores in models' repositories."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sorites_eval.backends.baselines import Oracle, Random
from sorites_eval.contract.release import open_release
from sorites_eval.errors import RunError
from sorites_eval.reporting.hub_results import results_yaml
from sorites_eval.reporting.leaderboard import entries, write_leaderboard
from sorites_eval.running.finished import find_runs
from sorites_eval.running.run import perform, plan
from tests.hub.repository import Blob
from tests.hub.server import Hub, serving

ATTACK = "<script>document.title='owned'</script>"


@pytest.fixture
def runs(small_release: Path, tmp_path: Path) -> Path:
    release = open_release(small_release)
    task = release.task("entailment")
    perform(plan(release, task, "zero-shot"), Random(task, 0), tmp_path / "runs/random")
    perform(plan(release, task, "few-shot", limit=8), Oracle(), tmp_path / "runs/oracle")
    return tmp_path / "runs"


def results(folder: Path, text: str) -> Path:
    (folder / ".eval_results").mkdir(parents=True)
    (folder / ".eval_results" / "small.yaml").write_text(text)
    return folder


def test_runs_stand_by_score_with_intervals_and_how_they_were_asked(
    runs: Path, tmp_path: Path
) -> None:
    found = entries([runs])
    assert {(e.release, e.task) for e in found} == {("small 1.0.0", "entailment")}
    oracle = next(entry for entry in found if entry.model == "oracle")
    assert (oracle.value, oracle.setting, oracle.source) == (1.0, "few-shot", "run")
    assert oracle.interval is not None
    assert oracle.interval.low < 1
    assert [entry.how for entry in found] == [
        "8 of 12 items; backend: baseline",
        "12 items; backend: baseline; seed: 0; weights: 1, 1",
    ]
    text = write_leaderboard(found, tmp_path / "board.html").read_text()
    assert re.findall(r'<th scope="row">(\w+)', text) == ["oracle", "random"]
    assert f"{oracle.interval.low:.3f} to 1.000" in text


def test_what_we_write_for_the_hub_is_read_back(runs: Path, tmp_path: Path) -> None:
    for run in find_runs([runs]):
        place = tmp_path / "models" / "org" / run.model
        results(place, results_yaml([run], "org/small"))
    told = {entry.model: entry for entry in entries([tmp_path / "models"])}
    for own in entries([runs]):
        other = told[f"org/{own.model}"]
        assert (other.task, other.setting, other.metric) == (own.task, own.setting, own.metric)
        assert (other.release, other.source) == ("org/small 1.0.0", "model repository")
        assert other.value == own.value
        assert own.interval is not None
        assert other.interval is not None
        assert other.interval.low == pytest.approx(own.interval.low, abs=5e-4)
    assert told["org/oracle"].how == "a stratified sample of 8 of 12 items"
    assert told["org/random"].how == "all items"


def test_others_words_are_text_and_no_markup(tmp_path: Path) -> None:
    row = f'- dataset: {{id: "{ATTACK}", task_id: "{ATTACK}"}}\n  value: 0.5\n  notes: "{ATTACK}"\n'
    place = results(tmp_path / "org" / "model", row)
    text = write_leaderboard(entries([place]), tmp_path / "board.html").read_text()
    assert "<script>document" not in text
    assert "&lt;script&gt;document" in text
    assert "script-src 'sha256-" in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- {dataset: {id: a, task_id: t}, value: 1.5}", "entry 1: expected a dataset with id"),
        ("- {dataset: x, value: 0.5}", "entry 1: expected a dataset with id"),
        ("a: 1", "expected a list of scores, as the Hub has them"),
        ("[1", "cannot be read as scores"),
        ("!!python/object/apply:os.system [true]", "cannot be read as scores"),
    ],
)
def test_a_file_of_another_make_is_named(tmp_path: Path, text: str, told: str) -> None:
    place = results(tmp_path / "org" / "model", text)
    with pytest.raises(RunError, match=re.escape(told)) as caught:
        entries([place])
    assert str(place) in str(caught.value)


def test_a_place_without_scores_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"no finished run and no \.eval_results with scores"):
        entries([tmp_path])
    with pytest.raises(RunError, match=r"^a/b/c: neither a folder nor ORG/NAME of a model"):
        entries(["a/b/c"])


def test_scores_are_fetched_from_models_on_the_hub(tmp_path: Path) -> None:
    notes = "f1, zero-shot, version 2"
    scores = f"- {{dataset: {{id: org/small, task_id: t}}, value: 0.25, notes: '{notes}'}}"
    with serving(Hub()) as hub:
        for name, files in (
            ("full", {".eval_results/a.yaml": scores, "weights.bin": "x" * 99}),
            ("bare", {}),
        ):
            model = hub.create(f"org/{name}", kind="models")
            model.commit(
                "add", {path: Blob(text.encode(), lfs=False) for path, text in files.items()}
            )
        kept = {name: value for name, value in os.environ.items() if name[:3] != "HF_"}
        settings = {"HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "home")}

        def asked(model: str) -> subprocess.CompletedProcess[str]:
            out = str(tmp_path / f"{model.rpartition('/')[2]}.html")
            command = [sys.executable, "-m", "sorites_eval", "leaderboard", model, "--out", out]
            return subprocess.run(
                command, env={**kept, **settings}, capture_output=True, text=True, check=False
            )

        done, bare, gone = asked("org/full"), asked("org/bare"), asked("org/gone")
        assert done.returncode == 0, done.stderr
        assert not any("weights.bin" in line for line in hub.log)
    text = (tmp_path / "full.html").read_text()
    assert "org/small 2" in text
    assert '<th scope="row">org/full</th>' in text
    assert "error: org/bare: this model on the Hub has no scores in .eval_results." in bare.stderr
    assert "error: org/gone: no such model on the Hub, or none for you (401)." in gone.stderr
    assert not (tmp_path / "bare.html").exists()
