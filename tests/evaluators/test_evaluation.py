"""Evaluating from Python: the same runs as from the command line, and as tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pytest

import sorites_eval
from sorites_eval import InvalidRelease, Reply, Request, RunError, SoritesError
from tests.evaluators.test_evaluate_cli import evaluate as command


class Always:
    """A backend of a user's own: one label, whatever is asked."""

    def __init__(self, label: str) -> None:
        self._label = label

    def identity(self) -> Mapping[str, str]:
        return {"backend": "always", "model": f"org/always {self._label}"}

    def notes(self) -> Mapping[str, str]:
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, _ in enumerate(requests):
            yield position, Reply(self._label)


def test_the_command_and_the_function_write_the_same_run(
    small_release: Path, tmp_path: Path
) -> None:
    options = ("--task", "entailment", "--limit", "6", "--seed", "3")
    done = command("run", small_release, "--model", "random", "--out", tmp_path / "a", *options)
    assert done.returncode == 0, done.stderr
    run = sorites_eval.evaluate(
        small_release, "random", task="entailment", limit=6, seed=3, out=tmp_path / "b"
    )
    assert run.folder == tmp_path / "b" / "random" / "entailment" / "zero-shot"
    same = tmp_path / "a" / "random" / "entailment" / "zero-shot"
    for name in ("scores.json", "predictions.parquet"):
        assert (run.folder / name).read_bytes() == (same / name).read_bytes()


def test_a_release_may_be_open_a_path_or_text(small_release: Path, tmp_path: Path) -> None:
    opened = sorites_eval.open_release(small_release)
    for number, release in enumerate((opened, small_release, str(small_release))):
        run = sorites_eval.evaluate(
            release, "oracle", task="relation", out=str(tmp_path / str(number))
        )
        assert run.scores.overall["accuracy"] == 1.0


def test_any_object_that_answers_is_a_model(small_release: Path, tmp_path: Path) -> None:
    run = sorites_eval.evaluate(
        small_release, Always("True"), task="entailment", setting="few-shot", out=tmp_path
    )
    assert run.folder == tmp_path / "org--always-True" / "entailment" / "few-shot"
    assert run.scores.overall["accuracy"] == 0.5
    assert run.scores.overall["recall"] == 1.0
    assert run.model == "org/always True"


def test_the_seed_is_that_of_the_options_unless_one_is_given(
    small_release: Path, tmp_path: Path
) -> None:
    seeds = []
    for name, seed in (("a", None), ("b", 5)):
        run = sorites_eval.evaluate(
            small_release,
            "random",
            task="entailment",
            seed=seed,
            options=sorites_eval.Options(seed=4),
            out=tmp_path / name,
        )
        seeds.append(run.about["seed"])
    assert seeds == [4, 5]


def test_progress_is_told_and_nothing_is_printed(
    small_release: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told: list[tuple[int, int]] = []
    sorites_eval.evaluate(
        small_release,
        "oracle",
        task="entailment",
        out=tmp_path,
        progress=lambda done, total: told.append((done, total)),
    )
    assert told == [(done, 12) for done in range(13)]
    assert capfd.readouterr() == ("", "")


def test_what_is_not_there(small_release: Path, tmp_path: Path) -> None:
    def refused(**asked: str) -> str:
        with pytest.raises(InvalidRelease) as caught:
            sorites_eval.evaluate(small_release, "random", out=tmp_path, **asked)
        return str(caught.value)

    assert refused() == (
        "small 1.0.0 has several tasks: give task= one of entailment, premise-selection, relation."
    )
    assert 'no task "entailmnt". Did you mean "entailment"?' in refused(task="entailmnt")
    assert 'no setting "zero". Did you mean "zero-shot"?' in refused(
        task="entailment", setting="zero"
    )
    assert not [*tmp_path.iterdir()]


def test_runs_are_read_back_as_they_were(small_release: Path, tmp_path: Path) -> None:
    run = sorites_eval.evaluate(small_release, "random", task="relation", out=tmp_path)
    again = sorites_eval.read_run(str(run.folder))
    assert again == run
    assert sorites_eval.find_runs([tmp_path, run.folder, run]) == [run]
    (run.folder / "scores.json").write_text('{"overall": 1}')
    with pytest.raises(RunError, match=r"scores\.json: not scores: "):
        sorites_eval.read_run(run.folder)


def test_answers_and_scores_as_tables(small_release: Path, tmp_path: Path) -> None:
    run = sorites_eval.evaluate(small_release, "random", task="entailment", out=tmp_path)
    answers = run.to_arrow()
    assert answers.num_rows == 12
    assert {"id", "answer", "gold", "item.scheme"} <= {*answers.column_names}
    scores = run.scores.to_arrow()
    first, *groups = scores.to_pylist()
    assert (first["reading"], first["by"], first["item.scheme"]) == ("free", "", None)
    assert {name: first[name] for name in run.scores.overall} == run.scores.overall
    by_scheme = [row for row in groups if row["by"] == "scheme"]
    assert {row["item.scheme"] for row in by_scheme} == {"modus ponens", "modus tollens"}
    assert sum(row["n"] for row in by_scheme) == 12
    assert len(groups) == len(run.scores.groups)
    assert scores.column_names[:4] == ["reading", "by", "item.scheme", "item.distractors"]
    assert scores.schema.field("accuracy").type == pa.float64()
    assert scores.schema.field("n").type == pa.int64()


def test_a_measure_that_is_undefined_is_a_number_that_is_missing(
    small_release: Path, tmp_path: Path
) -> None:
    run = sorites_eval.evaluate(small_release, Always("False"), task="entailment", out=tmp_path)
    table = run.scores.to_arrow()
    assert table.schema.field("precision").type == pa.float64()
    assert table["precision"].null_count == table.num_rows


def test_scores_held_to_the_labels_stand_below_the_free_ones() -> None:
    plain = {"overall": {"n": 2, "accuracy": 0.5}, "groups": [], "confusion": {}}
    document = {**plain, "constrained": {**plain, "overall": {"n": 2, "accuracy": 1.0}}}
    scores = sorites_eval.Scores.read(document)
    assert [(row["reading"], row["accuracy"]) for row in scores.to_arrow().to_pylist()] == [
        ("free", 0.5),
        ("constrained", 1.0),
    ]


def test_runs_are_compared_and_reported(small_release: Path, tmp_path: Path) -> None:
    runs = [
        sorites_eval.evaluate(small_release, model, task="entailment", out=tmp_path / "runs")
        for model in ("oracle", "random")
    ]
    found = sorites_eval.compare([runs[0], tmp_path / "runs" / "random"])
    assert [standing.run for standing in found.standings] == [run.name for run in runs]
    assert found == sorites_eval.compare([str(tmp_path / "runs")])
    table = found.to_arrow()
    assert table.num_rows == len(found.findings)
    assert table["first"][0].as_py() is not None
    command("compare", tmp_path / "runs", "--out", tmp_path / "comparison")
    heading = (tmp_path / "comparison" / "comparison.csv").read_text().splitlines()[0]
    assert heading.split(",") == table.column_names


def test_data_frames_where_pandas_is(small_release: Path, tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    run = sorites_eval.evaluate(small_release, "oracle", task="entailment", out=tmp_path)
    frame = run.to_pandas()
    assert list(frame["answer"]) == list(frame["gold"])
    scores = run.scores.to_pandas()
    assert (scores["accuracy"] == 1.0).all()
    assert len(sorites_eval.compare([run]).to_pandas()) == len(sorites_eval.compare([run]).findings)


def test_without_pandas_the_message_says_what_to_do(
    small_release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = sorites_eval.evaluate(small_release, "oracle", task="entailment", out=tmp_path)
    monkeypatch.setitem(sys.modules, "pandas", None)
    for table in (run, run.scores, sorites_eval.compare([run])):
        with pytest.raises(SoritesError) as caught:
            table.to_pandas()
        assert str(caught.value) == (
            "a data frame needs pandas: pip install pandas. to_arrow() gives the same without it."
        )
