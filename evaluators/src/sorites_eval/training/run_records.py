"""What each trained model scored, one line a model: the form that the package's docstring tells."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Task
from sorites_eval.files import write_text
from sorites_eval.training.fine_tuning import Run, Summary
from sorites_eval.training.growth import Growth, Point

__all__ = ["RUNS_FILE", "Record", "growth_records", "summary_records", "write_records"]

RUNS_FILE = "training-runs.jsonl"

Record = Mapping[str, object]
"""One line of the file."""


def summary_records(release: Release, task: Task, summaries: Sequence[Summary]) -> list[Record]:
    """A record for each run of each summary."""
    nothing = {"curve": None, "step": None, "held_out": None, "added": None}
    return [
        {**record, **nothing, "rows_added": 0}
        for summary in summaries
        for record in _records(release, task, summary, summary.training_set)
    ]


def growth_records(release: Release, task: Task, growths: Sequence[Growth]) -> list[Record]:
    """A record for each run at each point of each curve."""
    return [
        {**record, **_place(growth, point)}
        for growth in growths
        for point in growth.points
        for record in _records(release, task, point.summary, growth.curve.base)
    ]


def write_records(records: Sequence[Record], folder: Path) -> None:
    """Write the records to the folder's ``training-runs.jsonl``."""
    lines = [json.dumps(record, ensure_ascii=False, sort_keys=True) for record in records]
    write_text(folder / RUNS_FILE, "".join(f"{line}\n" for line in lines))


def _place(growth: Growth, point: Point) -> Record:
    return {
        "curve": growth.name,
        "step": point.step,
        "rows_added": point.rows_added,
        "held_out": growth.curve.held_out,
        "added": None if point.added is None else list(point.added),
    }


def _records(release: Release, task: Task, summary: Summary, setting: str) -> Iterator[Record]:
    by = list(task.score.groups[0]) if task.score.groups else []
    identity = {
        "name": release.name,
        "version": str(release.version),
        "content": release.content,
    }
    runs: Sequence[Run | None] = summary.runs or [None] * len(summary.scores)
    for run, scores in zip(runs, summary.scores, strict=True):
        # What ``score`` of this package made: its form is known.
        found = cast("Mapping[str, Any]", scores)
        rows = [entry["rows"] for entry in found["groups"] if entry["by"] == by]
        cells = rows[0] if rows else []
        yield {
            "release": identity,
            "task": task.name,
            "model": summary.model,
            "setting": setting,
            "rows": summary.trained_on,
            "seed": run.seed if run else None,
            "epochs": run.epochs if run else None,
            "best_epoch": run.best if run else None,
            "dropout": run.dropout if run else None,
            "n": found["overall"]["n"],
            "accuracy": found["overall"]["accuracy"],
            "cells": [
                {"values": row["values"], "n": row["n"], "accuracy": row["accuracy"]}
                for row in cells
            ],
            "groups": found["groups"],
            "validation": _validation(run),
        }


def _validation(run: Run | None) -> Record | None:
    if run is None or run.validation_accuracy is None:
        return None
    cells = [
        {"values": dict(group.values), "n": group.n, "accuracy": group.accuracy.mean}
        for group in run.validation
    ]
    return {"accuracy": run.validation_accuracy, "cells": cells}
