"""Finished runs, read back and compared."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from sorites_eval.backends.baselines import Oracle, Random
from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.release import open_release
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import RunError
from sorites_eval.prompts.requests import Request
from sorites_eval.reporting.compare import Comparison, compare, to_csv, to_json
from sorites_eval.running.finished import Run, find_runs
from sorites_eval.running.run import perform, plan


class Weakening:
    """Right without distractors, wrong half the time with one, always wrong with two."""

    def identity(self) -> Mapping[str, Scalar]:
        return {"backend": "test", "model": "weakening"}

    def notes(self) -> Mapping[str, Scalar]:
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, request in enumerate(requests):
            distractors = request.question.count("\nP") - 1
            wrong = distractors == 2 or (distractors == 1 and position % 4 < 2)
            other = {"True": "False", "False": "True"}[request.gold]
            yield position, Reply(other if wrong else request.gold)


@pytest.fixture
def runs(make_release: Callable[..., Path], tmp_path: Path) -> list[Run]:
    release = open_release(make_release(items=240))
    task = release.task("entailment")
    drawn = plan(release, task, "zero-shot")
    for backend in (Oracle(), Random(task, 0), Weakening()):
        perform(drawn, backend, tmp_path / "runs" / str(backend.identity()["model"]))
    return find_runs([tmp_path / "runs"])


@pytest.fixture
def found(runs: list[Run]) -> Comparison:
    return compare(runs)


def test_runs_are_found_below_a_folder_once(runs: list[Run], tmp_path: Path) -> None:
    again = find_runs([tmp_path / "runs" / "oracle", tmp_path / "runs"])
    assert sorted(run.model for run in again) == sorted(run.model for run in runs)
    assert [run.model for run in runs] == ["oracle", "random", "weakening"]


def test_standings_have_intervals_over_clusters(found: Comparison) -> None:
    oracle, random, weakening = found.standings
    assert oracle.run == "oracle · entailment · zero-shot"
    assert (oracle.interval.estimate, oracle.interval.low, oracle.interval.high) == (1, 1, 1)
    assert oracle.interval.clusters == 120
    assert random.interval.low < 0.5 < random.interval.high
    assert weakening.interval.estimate == pytest.approx(0.5)


def test_two_runs_are_paired_on_items(found: Comparison) -> None:
    (test,) = [
        f for f in found.findings if (f.first, f.second) == ("oracle", "weakening") and f.difference
    ]
    assert test.test.name == "McNemar"
    assert test.test.p is not None
    assert test.test.p < 1e-20
    assert test.difference is not None
    assert test.difference.estimate == pytest.approx(0.5)
    assert test.p_adjusted is not None
    assert test.p_adjusted >= test.test.p


def test_a_trend_over_distractors_is_seen(found: Comparison) -> None:
    trends = {
        f.over: f.test
        for f in found.findings
        if f.first.startswith("weakening") and f.test.name == "Spearman"
    }
    assert trends["distractors"].effect == pytest.approx(-1)
    assert trends["distractors, modus ponens"].effect < -0.8


def test_two_kinds_of_items_are_set_against_each_other(found: Comparison) -> None:
    (test,) = [
        f for f in found.findings if f.first.startswith("random") and f.test.name == "Fisher"
    ]
    assert test.over == "scheme = modus ponens against scheme = modus tollens"


def test_json_and_csv_hold_every_test(found: Comparison) -> None:
    document = json.loads(to_json(found))
    rows = list(csv.DictReader(io.StringIO(to_csv(found))))
    assert len(document["findings"]) == len(rows) == len(found.findings)
    assert document["standings"][0]["interval"]["estimate"] == 1.0
    assert rows[0]["test"] in {"Fisher", "Spearman"}
    assert not any(value.startswith("=") for row in rows for value in row.values())


def test_a_folder_without_a_run_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(RunError) as caught:
        find_runs([tmp_path])
    assert str(caught.value) == (
        f"{tmp_path}: no finished run here. A run is finished once it has a run.json: the same "
        "sorites-eval run command completes it."
    )


def test_what_is_no_run_is_refused(runs: list[Run]) -> None:
    (runs[0].folder / "run.json").write_text('{"run": 7}')
    with pytest.raises(RunError, match=r"not a run of format 1"):
        find_runs([runs[0].folder])
