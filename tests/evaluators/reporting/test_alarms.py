"""What makes a reader doubt a run's scores."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from sorites_eval.backends.baselines import Oracle
from sorites_eval.contract.release import open_release
from sorites_eval.reporting.alarms import alarms
from sorites_eval.running.finished import Run, read_run
from sorites_eval.running.run import perform, plan


@pytest.fixture
def run(small_release: Path, tmp_path: Path) -> Run:
    release = open_release(small_release)
    perform(plan(release, release.task("entailment"), "zero-shot"), Oracle(), tmp_path)
    return read_run(tmp_path)


def with_columns(run: Run, outcomes: list[str], ties: list[bool]) -> Run:
    table = run.table
    for name, values in (("outcome", outcomes), ("near_tie", ties)):
        place = table.schema.get_field_index(name)
        table = table.set_column(place, name, pa.array(values))
    return replace(run, table=table)


def test_clear_answers_raise_none(run: Run) -> None:
    assert alarms(run) == []


def test_each_kind_is_counted_under_the_name_of_today(run: Run) -> None:
    n = len(run.rows)
    kinds = ["cut off", "refused", "error", "empty", "irrelevant", "unreadable"]
    outcomes = kinds + ["answer"] * (n - len(kinds))
    found = alarms(with_columns(run, outcomes, [k == 0 for k in range(n)]))
    assert [(alarm.kind, alarm.count) for alarm in found] == [
        *(("cut off", 1), ("refused", 1), ("error", 1), ("empty", 1)),
        *(("unreadable", 2), ("near tie", 1)),
    ]
    assert all(alarm.asked == n and alarm.loud and alarm.advice for alarm in found)
