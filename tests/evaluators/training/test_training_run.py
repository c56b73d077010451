from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sorites_eval.cli import app
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import RunError
from sorites_eval.training import training_run
from sorites_eval.training.lstm import LstmSettings
from sorites_eval.training.training_run import Request, Trained, train, write
from tests.evaluators.training.test_word_vectors import GLOVE

torch = pytest.importorskip("torch", reason="training needs torch")

TINY = LstmSettings(dimensions=8, hidden=8, layers=1, batch=32)


def request(**changed: object) -> Request:
    settings = {"model": "lstm", "runs": 1, "epochs": 1, "lstm": TINY} | changed
    return Request(**settings)  # type: ignore[arg-type]


def test_a_set_is_trained_on_beside_the_references(toy: Release, tmp_path: Path) -> None:
    told: list[int] = []

    def started(epochs: int) -> Callable[[int], None]:
        told.append(epochs)
        return told.append

    trained = train(toy, toy.task("follows"), request(runs=2, epochs=3), started)
    assert [summary.model for summary in trained.summaries] == ["lstm", "people"]
    assert trained.summaries[0].training_set == "both"
    assert told[0] == 6
    assert told[1:] == [1] * (len(told) - 1)
    write(trained, tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "training.md",
        "training.json",
        "training-runs.jsonl",
    }


def test_another_data_set_is_mixed_in_or_stands_alone(toy: Release, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    lines = [f"p {n}\th {n}\t{'entailment' if n % 2 else 'neutral'}" for n in range(10)]
    other.write_text("premise\thypothesis\tlabel\n" + "\n".join(lines), encoding="utf-8")
    task = toy.task("follows")
    mixed = train(toy, task, request(others=str(other), others_limit=6)).summaries[0]
    assert (mixed.trained_on, mixed.training_set) == (134, "both + other.tsv")
    alone = train(toy, task, request(others=str(other), only_others=True)).summaries[0]
    assert (alone.trained_on, alone.training_set) == (10, "other.tsv")


def test_a_curve_is_written_as_table_figures_and_plot(toy: Release, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="a plot needs matplotlib")
    trained = train(toy, toy.task("follows"), request(curves=("by-verb", "same"), limit=30))
    assert [summary.trained_on for summary in trained.summaries] == [30, 50, 70, 30, 40]
    write(trained, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {
        "curve.md",
        "curve.json",
        "curve.svg",
        "training-runs.jsonl",
    }
    text = (tmp_path / "curve.md").read_text(encoding="utf-8")
    assert text.startswith("Composites, verb by verb\n\n| step | added | rows | ")
    assert "\n\nComposites of the same pairs\n\n| step | added | rows | " in text


def test_each_model_is_a_line_that_says_what_it_was_trained_on(
    toy: Release, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib", reason="a plot needs matplotlib")
    task = toy.task("follows")
    write(train(toy, task, request(curves=("same",), steps=(1,), runs=2)), tmp_path)
    lines = (tmp_path / "training-runs.jsonl").read_text(encoding="utf-8").splitlines()
    first, second = map(json.loads, lines)
    assert (first["seed"], second["seed"]) == (0, 1)
    assert first["release"] == {"name": "toy", "version": "1.0.0", "content": toy.content}
    told = {key: first[key] for key in ("task", "model", "setting", "curve", "step")}
    assert told == {
        "task": "follows", "model": "lstm", "setting": "both", "curve": "same", "step": 1,
    }  # fmt: skip
    assert (first["rows"], first["rows_added"]) == (138, 10)
    assert (first["held_out"], first["added"], first["n"]) == ("verb", ["knows"], 30)
    right = sum(cell["n"] * cell["accuracy"] for cell in first["cells"])
    assert right / 30 == pytest.approx(first["accuracy"])
    assert first["cells"][0]["values"] == {"label_veridical": "unk", "label_embedded": "unk"}
    assert first["validation"]["accuracy"] == pytest.approx(
        sum(cell["n"] * cell["accuracy"] for cell in first["validation"]["cells"]) / 32
    )


def test_a_reference_is_a_line_without_a_seed(toy: Release, tmp_path: Path) -> None:
    write(train(toy, toy.task("follows"), request()), tmp_path)
    lines = (tmp_path / "training-runs.jsonl").read_text(encoding="utf-8").splitlines()
    model, people = map(json.loads, lines)
    assert (model["model"], model["curve"], model["rows_added"]) == ("lstm", None, 0)
    assert (people["model"], people["seed"], people["validation"]) == ("people", None, None)
    assert (people["n"], people["accuracy"]) == (10, 0.5)
    assert model.keys() == people.keys()


def test_differences_from_a_main_training_are_a_column(toy: Release, tmp_path: Path) -> None:
    task = toy.task("follows")
    main = train(toy, task, request(training_set="veridical", epochs=2))
    write(main, tmp_path / "main")
    other = train(toy, task, request(epochs=4, main=tmp_path / "main"))
    write(other, tmp_path / "other")
    assert other.main is not None
    assert other.main.accuracy == pytest.approx(
        other.summaries[0].accuracy.mean - main.summaries[0].accuracy.mean
    )
    for group in other.summaries[0].groups[other.by]:
        before = next(g for g in main.summaries[0].groups[other.by] if g.values == group.values)
        assert other.main.of(group) == pytest.approx(group.accuracy.mean - before.accuracy.mean)
    table = (tmp_path / "other" / "training.md").read_text(encoding="utf-8").splitlines()
    assert table[0] == (
        "| label_veridical / label_embedded | lstm · both | Δ lstm · veridical | people |"
    )
    cells = [line.strip("| ").split(" | ") for line in table[2:]]
    assert all(re.fullmatch(r"[+−]\d+\.\d", row[2]) for row in cells[:4])
    assert cells[-1][2] == "–"
    document = json.loads((tmp_path / "other" / "training.json").read_bytes())
    assert document[0]["differences"]["from"] == "lstm · veridical"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        ("{", "not the results of a training"),
        ("[]", "not the results of a training"),
        ('[{"model": "x"}]', "not the results of a training"),
        ("[" * 100_000, "not the results of a training"),
        (
            '[{"model": "x", "training_set": "", "accuracy": {"mean": 1}, "groups": []}]',
            None,
        ),
    ],
)
def test_differences_need_a_training(
    toy: Release, tmp_path: Path, content: str | None, message: str | None
) -> None:
    if content is not None:
        (tmp_path / "training.json").write_text(content, encoding="utf-8")
    told: list[int] = []
    with pytest.raises(RunError) as raised:
        train(toy, toy.task("follows"), request(main=tmp_path), lambda _: told.append)
    # It is told before anything is trained.
    assert told == []
    assert str(raised.value) == (
        f"{tmp_path}: was tested on no group of rows that is to be tested on here"
        if message is None
        else f"{tmp_path / 'training.json'}: {message}"
    )


def test_the_command_line_sets_how_a_model_is_trained(
    toy: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Request] = []
    # The networks themselves are tested elsewhere: here it is what the options say.
    real = training_run.train

    def seen(release: Release, task: Task, given: Request, started: object = None) -> Trained:
        asked.append(given)
        return real(release, task, replace(given, lstm=TINY), None)

    monkeypatch.setattr(training_run, "train", seen)
    arguments = [
        "train", toy.origin, "--task", "follows", "--model", "lstm", "--runs", "1",
        "--epochs", "1", "--batch", "32", "--learning-rate", "0.01", "--dropout", "0,0.1",
        "--vectors", str(GLOVE),
    ]  # fmt: skip
    done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path / "main")])
    assert done.exit_code == 0, done.output
    (given,) = asked
    assert (given.batch, given.learning_rate, given.dropout) == (32, 0.01, (0.0, 0.1))
    (line, _) = (tmp_path / "main" / "training-runs.jsonl").read_text().splitlines()
    assert json.loads(line)["dropout"] in (0.0, 0.1)
    curve = ["--curve", "by-verb", "--curve", "same", "--steps", "0,1", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, [*arguments, *curve])
    assert done.exit_code == 0, done.output
    lines = (tmp_path / "training-runs.jsonl").read_text().splitlines()
    assert [(record["curve"], record["step"]) for record in map(json.loads, lines)] == [
        ("by-verb", 0), ("by-verb", 1), ("same", 0), ("same", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            ["--dropout", "0,2"],
            "--dropout 0,2: not shares from 0 to below 1 with commas between, as in 0,0.1,0.2",
        ),
        (
            ["--dropout", "nan"],
            "--dropout nan: not shares from 0 to below 1 with commas between, as in 0,0.1,0.2",
        ),
        (["--learning-rate", "0"], "--learning-rate 0.0: not a rate above 0, as in 0.001"),
        (["--steps", "1;2"], "--steps 1;2: not whole numbers with commas between, as in 0,1,4"),
        (["--steps", "1"], "steps are those of a curve: name one"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    toy: Release, tmp_path: Path, option: list[str], message: str
) -> None:
    arguments = ["train", toy.origin, "--task", "follows", "--model", "lstm"]
    done = CliRunner().invoke(app, [*arguments, *option, "--out", str(tmp_path / "out")])
    assert isinstance(done.exception, RunError)
    assert str(done.exception) == message
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"curves": ("by-verb",), "others": "x.tsv"},
            "a curve is trained on the release alone: leave the other data set out",
        ),
        (
            {"curves": ("by-verb",), "main": Path("main")},
            "differences are those of a training set: leave the curve out",
        ),
        (
            {"curves": ("by-verb",), "training_set": "both"},
            "a curve says which set it starts from: leave the training set out",
        ),
        ({"steps": (1,)}, "steps are those of a curve: name one"),
        (
            {"model": "bert", "vectors": Path("glove.txt")},
            "word vectors are for the model lstm; bert has its own",
        ),
        (
            {"model": "bert", "lstm": LstmSettings(vectors=Path("glove.txt"))},
            "word vectors are for the model lstm; bert has its own",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    toy: Release, changed: dict[str, object], message: str
) -> None:
    with pytest.raises(RunError) as raised:
        train(toy, toy.task("follows"), request(**changed))
    assert str(raised.value) == message
