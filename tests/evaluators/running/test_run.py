"""Whole runs with the baselines: scores, files, resuming, refusing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from sorites_eval.backends.baselines import Majority, Oracle, Prior, Random
from sorites_eval.backends.protocol import Backend, Choice, Reply
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import InvalidRelease, RunError
from sorites_eval.prompts.requests import Request
from sorites_eval.running.processes import Share
from sorites_eval.running.run import Plan, folder, perform, plan
from tests.processes import line_of, started

SETTINGS = [
    ("entailment", "zero-shot"),
    ("entailment", "few-shot"),
    ("premise-selection", "zero-shot"),
    ("premise-selection", "few-shot"),
    ("relation", "zero-shot"),
    ("relation", "two-shot"),
]


def planned(root: Path, task: str = "entailment", setting: str = "zero-shot") -> Plan:
    release = open_release(root)
    return plan(release, release.task(task), setting)


class Counting:
    """A real backend that also counts what it was asked, and stops when told to."""

    def __init__(self, inner: Backend, stop_after: int | None = None) -> None:
        self.inner = inner
        self.asked: list[tuple[str, str]] = []
        self.stop_after = stop_after

    def identity(self) -> Mapping[str, Scalar]:
        return self.inner.identity()

    def notes(self) -> Mapping[str, Scalar]:
        return self.inner.notes()

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, reply in self.inner.answer(requests):
            if self.stop_after is not None and len(self.asked) == self.stop_after:
                raise KeyboardInterrupt
            self.asked.append((requests[position].id, requests[position].view))
            yield position, reply


def test_a_plan_takes_what_it_must_have_by_place_or_name_and_all_else_by_name(
    small_release: Path,
) -> None:
    release = open_release(small_release)
    named = plan(release=release, task=release.task("relation"), setting="zero-shot", limit=2)
    assert len(named.items) == 2
    by_place = plan(release, release.task("relation"), "zero-shot", limit=2)
    assert [item.id for item in named.items] == [item.id for item in by_place.items]
    with pytest.raises(TypeError):
        plan(release, release.task("relation"), "zero-shot", 2)  # type: ignore[misc]


@pytest.mark.parametrize(("task", "setting"), SETTINGS)
def test_the_oracle_scores_one_everywhere(
    small_release: Path, tmp_path: Path, task: str, setting: str
) -> None:
    result = perform(planned(small_release, task, setting), Oracle(), tmp_path)
    overall = result.scores["overall"]
    assert isinstance(overall, dict)
    zero = {"irrelevant", "unmatched"}
    for metric, value in overall.items():
        if metric not in {"n", "pairs"}:
            assert value == (0.0 if metric in zero else 1.0), metric


def test_a_finished_run_is_three_files(small_release: Path, tmp_path: Path) -> None:
    perform(planned(small_release, "premise-selection"), Oracle(), tmp_path)
    files = sorted(p.name for p in tmp_path.iterdir() if p.name != ".lock")
    assert files == ["predictions.parquet", "run.json", "scores.json"]
    about = json.loads((tmp_path / "run.json").read_text())
    assert about["task"] == "premise-selection"
    assert about["model"] == {"backend": "baseline", "model": "oracle"}
    assert about["requests"] == about["asked"] == 12
    row = pq.read_table(tmp_path / "predictions.parquet").to_pylist()[0]
    assert row["text"] == "True, P1, P2"
    assert (row["answer"], row["gold"], row["outcome"]) == ("True", "True", "answered")
    assert (row["selection"], row["gold_selection"]) == ([1, 2], [1, 2])
    assert row["item.scheme"] == "modus tollens"
    assert row["question"].startswith("P1: Every swimmer")


def test_majority_says_one_thing(make_release: Callable[..., Path], tmp_path: Path) -> None:
    drawn = planned(make_release(glosses=16), "relation")
    perform(drawn, Majority(drawn.task, drawn.items), tmp_path)
    rows = pq.read_table(tmp_path / "predictions.parquet").to_pylist()
    assert {(row["view"], row["answer"]) for row in rows} == {("forward", "1"), ("reversed", "2")}


def test_prior_draws_each_label_as_often_as_it_is_right(
    make_release: Callable[..., Path], tmp_path: Path
) -> None:
    """Of 3 relations, 1 and 2 are each other's reverse: each label is right in a third."""
    drawn = planned(make_release(glosses=300), "relation")
    perform(drawn, Prior(drawn.task, drawn.everything, 0), tmp_path)
    rows = pq.read_table(tmp_path / "predictions.parquet").to_pylist()
    counts = {label: sum(row["answer"] == label for row in rows) for label in "123"}
    assert all(140 < count < 260 for count in counts.values())
    assert Prior(drawn.task, drawn.items, 0).identity()["weights"] == "200, 200, 200"


def test_random_depends_on_seed_and_item_alone(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release)
    texts = []
    for number, seed in enumerate((0, 0, 1)):
        perform(drawn, Random(drawn.task, seed), tmp_path / str(number))
        rows = pq.read_table(tmp_path / str(number) / "predictions.parquet").to_pylist()
        texts.append([row["text"] for row in rows])
    assert texts[0] == texts[1] != texts[2]
    assert set(texts[0]) == {"True", "False"}


def test_an_interrupted_run_goes_on_and_asks_nothing_twice(
    small_release: Path, tmp_path: Path
) -> None:
    drawn = planned(small_release)
    perform(drawn, Random(drawn.task, 0), tmp_path / "whole")
    stopped = Counting(Random(drawn.task, 0), stop_after=5)
    with pytest.raises(KeyboardInterrupt):
        perform(drawn, stopped, tmp_path / "halves")
    assert not (tmp_path / "halves" / "run.json").exists()
    with (tmp_path / "halves" / "answers.jsonl").open("a") as stream:
        stream.write('{"key": "torn li')
    rest = Counting(Random(drawn.task, 0))
    result = perform(drawn, rest, tmp_path / "halves")
    assert result.reused == 5
    assert len(rest.asked) == 7
    assert not set(rest.asked) & set(stopped.asked)
    for name in ("predictions.parquet", "scores.json"):
        whole, halves = (tmp_path / part / name for part in ("whole", "halves"))
        assert whole.read_bytes() == halves.read_bytes()


def test_a_larger_limit_asks_only_what_is_new(small_release: Path, tmp_path: Path) -> None:
    release = open_release(small_release)
    task = release.task("entailment")
    small = plan(release, task, "zero-shot", limit=4)
    perform(small, Random(task, 0), tmp_path)
    again = Counting(Random(task, 0))
    perform(plan(release, task, "zero-shot"), again, tmp_path)
    assert len(again.asked) == 8


def test_a_smaller_sample_loses_no_answer(small_release: Path, tmp_path: Path) -> None:
    release = open_release(small_release)
    task = release.task("entailment")
    perform(plan(release, task, "zero-shot"), Random(task, 0), tmp_path)
    few = Counting(Random(task, 0))
    perform(plan(release, task, "zero-shot", limit=4), few, tmp_path)
    again = Counting(Random(task, 0))
    perform(plan(release, task, "zero-shot"), again, tmp_path)
    assert few.asked == again.asked == []


SHARE = """
import sys
from pathlib import Path
from sorites_eval.backends.baselines import Random
from sorites_eval.contract.release import open_release
from sorites_eval.running.run import perform, plan
from sorites_eval.running.processes import Share

release = open_release(sys.argv[1])
drawn = plan(release, release.task("relation"), "zero-shot")
perform(drawn, Random(drawn.task, 0), Path(sys.argv[2]), share=Share.from_environment())
"""


def test_several_processes_share_a_run(small_release: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    command = [sys.executable, "-c", SHARE, str(small_release), str(shared)]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(started(command, env={"RANK": str(rank), "WORLD_SIZE": "3"}))
            for rank in range(3)
        ]
        assert [process.wait() for process in processes] == [0, 0, 0]
    drawn = planned(small_release, "relation")
    perform(drawn, Random(drawn.task, 0), tmp_path / "alone")
    for name in ("predictions.parquet", "scores.json"):
        assert (shared / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    assert not list(shared.glob("answers*"))


@pytest.mark.parametrize(("rank", "world"), [("3", "3"), ("-1", "2"), ("x", "2")])
def test_a_share_that_makes_no_sense(
    monkeypatch: pytest.MonkeyPatch, rank: str, world: str
) -> None:
    monkeypatch.setenv("RANK", rank)
    monkeypatch.setenv("WORLD_SIZE", world)
    with pytest.raises(RunError, match="RANK"):
        Share.from_environment()


def test_a_folder_that_cannot_be_written(small_release: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError) as caught:
        perform(planned(small_release), Oracle(), tmp_path / "file" / "run")
    assert str(caught.value) == f"{tmp_path / 'file' / 'run'}: cannot be written: Not a directory."


def test_another_run_is_not_overwritten(small_release: Path, tmp_path: Path) -> None:
    drawn = planned(small_release)
    perform(drawn, Random(drawn.task, 0), tmp_path)
    before = (tmp_path / "scores.json").read_bytes()
    with pytest.raises(RunError) as caught:
        perform(drawn, Random(drawn.task, 1), tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}: holds a run with another model. Choose another --out, or remove that folder."
    )
    assert (tmp_path / "scores.json").read_bytes() == before


def test_a_run_on_another_content_is_not_overwritten(small_release: Path, tmp_path: Path) -> None:
    """Name and version may be the same: what tells releases apart is their rows."""
    drawn = planned(small_release)
    perform(drawn, Oracle(), tmp_path)
    other = replace(drawn, release=replace(drawn.release, content="0" * 64))
    with pytest.raises(RunError) as caught:
        perform(other, Oracle(), tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}: holds a run with another release. "
        "Choose another --out, or remove that folder."
    )


def test_models_of_one_name_by_two_authors_have_two_folders(tmp_path: Path) -> None:
    first, second = (
        folder(tmp_path, f"{author}/model", "entailment", "zero-shot") for author in "ab"
    )
    assert first == tmp_path / "a--model" / "entailment" / "zero-shot"
    assert second == tmp_path / "b--model" / "entailment" / "zero-shot"


class HalfScored(Oracle):
    """Tells of the labels' probabilities for every second item; every fourth is a near tie."""

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, reply in super().answer(requests):
            choice = Choice(reply.text, reply.text, 1.0, 1.0, 0.5, near_tie=position % 4 == 0)
            yield position, replace(reply, choice=None if position % 2 else choice)


def test_near_ties_are_a_share_of_what_was_scored(small_release: Path, tmp_path: Path) -> None:
    scores = perform(planned(small_release), HalfScored(), tmp_path).scores
    assert scores["near_ties"] == {"count": 3, "share": 0.5}
    assert scores["mean_label_mass"] == 0.5


def test_an_unknown_setting_gets_the_nearest(small_release: Path) -> None:
    with pytest.raises(InvalidRelease) as caught:
        planned(small_release, "entailment", "fewshot")
    assert str(caught.value) == (
        'the task entailment has no setting "fewshot". Did you mean "few-shot"? There are: '
        "few-shot, zero-shot."
    )


STOPPING_ORACLE = """
import sys
from pathlib import Path
from sorites_eval.backends.baselines import Oracle
from sorites_eval.contract.release import open_release
from sorites_eval.running.run import perform, plan

class Stopping(Oracle):
    def answer(self, requests):
        for number, found in enumerate(super().answer(requests)):
            if number == 3:
                print("three", flush=True)
                sys.stdin.read()
            yield found

release = open_release(sys.argv[1])
perform(plan(release, release.task("relation"), "zero-shot"), Stopping(), Path(sys.argv[2]))
"""


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is of POSIX")
def test_kill_in_the_middle_then_the_same_result(small_release: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    command = [sys.executable, "-c", STOPPING_ORACLE, small_release, killed]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert line_of(process) == "three\n"
        process.kill()
        process.wait()
    done = (killed / "answers.jsonl").read_bytes().count(b"\n")
    assert done == 3
    drawn = planned(small_release, "relation")
    rest = Counting(Oracle())
    result = perform(drawn, rest, killed)
    assert result.reused == done
    assert len(rest.asked) == 36 - done
    perform(drawn, Oracle(), tmp_path / "whole")
    for name in ("predictions.parquet", "scores.json"):
        assert (killed / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
