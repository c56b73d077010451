"""Some items of a run, at the run or afterwards, broken down by any column."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import sorites_eval
from sorites_eval.errors import RunError, SoritesError
from sorites_eval.prompts.requests import Request
from sorites_eval.running.finished import Run, read_run
from tests.evaluators.test_evaluate_cli import evaluate as command


def by_length(request: Request) -> str:
    return "True" if len(request.question) % 3 else "False"


def run_of(root: Path, out: Path, **more: object) -> Run:
    return sorites_eval.evaluate(root, by_length, task="entailment", out=out, **more)  # type: ignore[arg-type]


def groups(run: Run, by: tuple[str, ...]) -> dict[tuple[object, ...], object]:
    found = [group for group in run.scores.groups if group.by == by]
    return {tuple(group.values[c] for c in by): group.measures for group in found}


def test_at_the_run_and_afterwards_give_the_same_scores(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    """``label`` and ``conclusion`` are not among what the task keeps: they are read again."""
    root = make_release(items=60)
    chosen = {"where": ["distractors=1,label=true"], "by": ["label,scheme"]}
    before = run_of(root, tmp_path / "before", **chosen)
    (after,) = sorites_eval.select([run_of(root, tmp_path / "whole")], **chosen)
    assert 0 < len(before.rows) < 60
    assert before.scores.overall == after.scores.overall
    assert groups(before, ("label", "scheme")) == groups(after, ("label", "scheme"))
    assert len(groups(after, ("label", "scheme"))) == 2
    assert [p.id for p in before.predictions] == [p.id for p in after.predictions]
    assert [p.label for p in before.predictions] == [p.label for p in after.predictions]
    assert before.about["where"] == after.about["where"] == ["distractors=1", "label=true"]
    assert before.about["items"] == after.about["items"] == len(before.rows)
    assert read_run(before.folder).task == before.task == after.task


def test_conditions_are_met_by_every_item_that_is_asked(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    asked: list[Request] = []

    def answer(request: Request) -> str:
        asked.append(request)
        return "True"

    root = make_release(items=60)
    run = sorites_eval.evaluate(
        root, answer, task="entailment", where=["distractors=2"], limit=6, out=tmp_path
    )
    assert len(asked) == 6
    assert {request.question.count("\nP") for request in asked} == {3}
    assert {row["item.distractors"] for row in run.rows} == {2}


def test_all_answers_count_once_and_parts_add_up(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    run = run_of(make_release(items=60), tmp_path)
    parts = [
        part
        for value in ("true", "false")
        for part in sorites_eval.select([run], where=[f"label={value}"])
    ]
    sizes = [part.scores.overall["n"] for part in parts]
    assert sizes == [30, 30]
    rights = [sum(p.right for p in part.predictions) for part in (run, *parts)]
    assert rights[0] == rights[1] + rights[2]
    assert sorites_eval.select([run]) == [run]


def test_choices_keep_their_second_reading(small_release: Path, tmp_path: Path) -> None:
    def weigh(request: Request) -> dict[str, float]:
        return {by_length(request): -0.1}

    run = sorites_eval.evaluate(small_release, weigh, task="entailment", out=tmp_path)
    (part,) = sorites_eval.select([run], where=["scheme=modus ponens"])
    assert part.scores.constrained is not None
    assert part.scores.constrained.overall["accuracy"] == part.scores.overall["accuracy"]
    (whole,) = sorites_eval.select([run], by=["label"])
    for key in ("constrained", "near_ties", "mean_label_mass"):
        then, now = run.scores.document[key], whole.scores.document[key]
        if key == "constrained":
            assert isinstance(then, dict)
            assert isinstance(now, dict)
            then, now = then["overall"], now["overall"]
        assert then == pytest.approx(now)


def test_a_release_that_has_moved_is_found_where_it_is_now(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    root = make_release(items=20)
    run = run_of(root, tmp_path / "runs")
    moved = tmp_path / "moved" / "1.0.0"
    moved.parent.mkdir()
    shutil.move(root, moved)
    with pytest.raises(RunError) as caught:
        sorites_eval.select([run], by=["label"])
    assert str(caught.value).startswith(
        f"{run.folder}: the run did not keep label, and its release is not at {root}: "
    )
    assert str(caught.value).endswith("Say where it is: --release.")
    (found,) = sorites_eval.select([run], by=["label"], release=str(moved))
    assert len(groups(found, ("label",))) == 2
    other = make_release(items=24)
    with pytest.raises(RunError) as caught:
        sorites_eval.select([run], by=["label"], release=str(other))
    assert str(caught.value) == (
        f"{run.folder}: the run did not keep label, and {other} has other rows than the release "
        "that was run. Say where that one is: --release."
    )


def test_what_the_run_kept_needs_no_release(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    root = make_release(items=20)
    run = run_of(root, tmp_path / "runs")
    shutil.rmtree(root)
    (found,) = sorites_eval.select([run], where=["distractors=0"], by=["binding_id"])
    assert len(groups(found, ("binding_id",))) == 4


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"where": ["colour=red"]}, 'no column "colour"'),
        ({"by": ["colour"]}, 'no column "colour"'),
        ({"by": ["premises"]}, "premises"),
        ({"where": ["distractors=7"]}, "--where distractors=7: no item has that value. There are"),
    ],
)
def test_what_is_not_there_is_refused_at_the_run(
    small_release: Path, tmp_path: Path, more: dict[str, object], message: str
) -> None:
    with pytest.raises(SoritesError) as caught:
        run_of(small_release, tmp_path / "runs", **more)
    assert message in str(caught.value)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("colour", 'neither the run nor its release has a column "colour". There are: id, scheme,'),
        ("premises", 'the column "premises" holds lists, so items cannot be told apart by it.'),
    ],
)
def test_what_is_not_there_is_refused_afterwards(
    small_release: Path, tmp_path: Path, by: str, message: str
) -> None:
    with pytest.raises(RunError) as caught:
        sorites_eval.select([run_of(small_release, tmp_path)], by=[by])
    assert message in str(caught.value)


def test_compared_runs_are_of_the_chosen_items(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    root = make_release(items=60)
    runs = [
        run_of(root, tmp_path),
        sorites_eval.evaluate(root, "oracle", task="entailment", out=tmp_path),
    ]
    found = sorites_eval.compare(runs, where=["distractors=0"], by=["label"])
    assert {standing.n for standing in found.standings} == {20}
    assert "label = False against label = True" in {f.over for f in found.findings}


def test_from_the_command_line(small_release: Path, tmp_path: Path) -> None:
    options = ("--task", "entailment", "--out", tmp_path, "--where", "distractors=0")
    done = command("run", small_release, "--model", "random", *options, "--by", "label")
    assert done.returncode == 0, done.stderr
    assert "4 of 12 items, with distractors=0." in done.stdout
    assert "label" in done.stdout
    table = tmp_path / "scores.csv"
    done = command(
        "scores", tmp_path, "--where", "label=true", "--by", "scheme,label", "--out", table
    )
    assert done.returncode == 0, done.stderr
    assert "random · entailment · zero-shot" in done.stdout
    assert max(map(len, done.stdout.splitlines()[:-1])) <= 80
    rows = list(csv.DictReader(table.open()))
    overall = [row for row in rows if not row["by"] and row["measure"] == "n"]
    assert [row["value"] for row in overall] == ["2"]
    assert {row["values"] for row in rows if row["by"] == "scheme × label"} == {
        "modus ponens · True",
        "modus tollens · True",
    }
    for verb in ("compare", "report"):
        done = command(verb, tmp_path, "--where", "label=perhaps", "--out", tmp_path / "out")
        assert done.returncode == 1
        assert "--where label=perhaps: no item has that value." in done.stderr
