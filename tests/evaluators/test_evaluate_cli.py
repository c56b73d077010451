"""The command line as a person meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import typer

from sorites_eval.cli import interruptible

COMMANDS = (
    "tasks",
    "run",
    "scores",
    "compare",
    "report",
    "leaderboard",
    "results",
    "export",
    "train",
    "bilinear",
)


def evaluate(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sorites_eval", *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "80", "TERM": "dumb", "NO_COLOR": "1"},
        check=False,
    )


def test_tasks_fit_a_terminal(small_release: Path) -> None:
    done = evaluate("tasks", small_release)
    assert done.returncode == 0
    assert max(map(len, done.stdout.splitlines())) <= 80
    for word in ("small 1.0.0", "premise-selection", "few-shot", "P1, P2", "False | True"):
        assert word in done.stdout


def test_run_prints_scores_and_writes_every_task(small_release: Path, tmp_path: Path) -> None:
    done = evaluate("run", small_release, "--model", "oracle", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    assert "premise-selection · zero-shot · oracle" in done.stdout
    assert "reasoning-accuracy     1.000" in done.stdout
    for task in ("entailment", "premise-selection", "relation"):
        scores = json.loads((tmp_path / "oracle" / task / "zero-shot" / "scores.json").read_text())
        assert scores["overall"]["accuracy"] == 1.0


def test_a_sample_says_so(small_release: Path, tmp_path: Path) -> None:
    options = ("--task", "entailment", "--limit", "4", "--seed", "7")
    done = evaluate("run", small_release, "--model", "random", "--out", tmp_path, *options)
    assert "4 of 12 items, a sample with seed 7." in done.stdout


def test_an_error_is_a_message_and_exit_code_one(tmp_path: Path) -> None:
    done = evaluate("tasks", tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        f"error: {tmp_path}: not a release: it has no release.json. Look in NAME/VERSION/.\n"
    )


def test_a_model_that_is_not_there(small_release: Path, tmp_path: Path) -> None:
    done = evaluate("run", small_release, "--model", "./none", "--out", tmp_path, "--limit", "2")
    assert done.returncode == 1
    assert "error: ./none: no such model folder or GGUF file." in done.stderr
    assert "Traceback" not in done.stderr


def test_help_teaches_with_an_example() -> None:
    for command in COMMANDS:
        done = evaluate(command, "--help")
        assert done.returncode == 0
        assert "Example: sorites-eval" in done.stdout


def test_runs_are_compared_reported_and_exported(small_release: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    for model in ("oracle", "random"):
        evaluate("run", small_release, "--model", model, "--out", runs, "--task", "entailment")
    done = evaluate("compare", runs, "--out", tmp_path / "comparison")
    assert "oracle – random" in done.stdout
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 80
    assert {p.name for p in (tmp_path / "comparison").iterdir()} == {
        "comparison.csv",
        "comparison.json",
    }
    hub = tmp_path / "hub" / "small.yaml"
    done = evaluate("results", runs / "oracle", "--dataset", "org/small", "--out", hub)
    assert done.returncode == 0
    assert "id: org/small" in hub.read_text()
    asked = ("--task", "entailment", "--setting", "few-shot", "--out", tmp_path / "harness")
    done = evaluate("export", small_release, "--to", "lm-eval", *asked)
    assert "--tasks sorites_small_entailment_few_shot" in done.stdout
    done = evaluate("export", small_release, "--to", "lmeval", *asked)
    assert done.stderr.splitlines()[0].startswith('error: unknown harness "lmeval". Did you mean')


def test_what_a_task_cannot_be_trained_on_is_said(small_release: Path, tmp_path: Path) -> None:
    asked = ("--task", "entailment", "--model", "lstm", "--out", tmp_path)
    done = evaluate("train", small_release, *asked)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr


def test_control_c_says_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    def stopped() -> None:
        raise KeyboardInterrupt

    app = typer.Typer()
    app.command()(interruptible(stopped))
    with pytest.raises(SystemExit) as caught:
        app([])
    assert caught.value.code == 130
    assert capsys.readouterr().err == "Interrupted. The same command goes on from here.\n"


def test_wrong_usage_is_exit_code_two(small_release: Path) -> None:
    assert evaluate("run", small_release).returncode == 2


def test_no_torch_without_a_local_model(small_release: Path, tmp_path: Path) -> None:
    code = (
        "import sys; from sorites_eval.cli import app; "
        f"app(['run', {str(small_release)!r}, '--model', 'random', '--out', {str(tmp_path)!r}], "
        "standalone_mode=False); "
        "assert not {'torch', 'transformers', 'compiler'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_the_version() -> None:
    done = evaluate("--version")
    assert (done.returncode, done.stdout) == (0, f"sorites-eval {version('sorites-eval')}\n")


def test_the_shell_completes_commands(monkeypatch: pytest.MonkeyPatch) -> None:
    # Asked in the name of the command, also where it is run with python -m.
    monkeypatch.setenv("_SORITES_EVAL_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "sorites-eval re")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert evaluate().stdout.split() == ["report", "results"]


def test_a_name_in_a_message_stays_as_it_is(small_release: Path, tmp_path: Path) -> None:
    """Rich would put a cross in the place of ``:x:``."""
    done = evaluate(
        "run", small_release, "--model", "openai:x", "--engine", "ray", "--out", tmp_path
    )
    assert done.returncode == 1
    assert done.stderr == (
        "error: openai:x: is asked from one machine, several requests at a time; leave out "
        "--engine ray, and say how many with --concurrency.\n"
    )


def test_a_launcher_and_an_engine_do_not_share_twice(
    small_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORLD_SIZE", "2")
    done = evaluate("run", small_release, "--model", "random", "--engine", "ray", "--out", tmp_path)
    assert (done.returncode, done.stderr) == (
        1,
        "error: --engine ray shares the items itself: start the command without a launcher.\n",
    )
