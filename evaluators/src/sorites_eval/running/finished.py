"""Finished runs, read back from their folders, as what compares and reports on them needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from sorites_eval.contract.read import read_benchmark
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import RunError
from sorites_eval.prompts.asked import as_asked
from sorites_eval.running.predictions import facts, in_order, read_table
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.graded import positive_probability
from sorites_eval.scoring.metrics import Prediction, combine
from sorites_eval.scoring.responses import response_of
from sorites_eval.scoring.scores import Scores
from sorites_eval.scoring.tables import data_frame

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Run", "find_runs", "prediction_of", "read_run"]

Row = Mapping[str, object]


@dataclass(frozen=True)
class Run:
    """A finished run: a task in a setting, put to a model, and what came of it.

    ``about`` is all of ``run.json``: the release, the model, how it was asked. ``table`` has one
    row a request, with what was asked, what came back and how it was read; ``predictions`` is one
    for each item, its views combined.
    """

    folder: Path
    about: Mapping[str, object]
    scores: Scores
    task: Task
    table: pa.Table
    predictions: Sequence[Prediction]

    @cached_property
    def rows(self) -> Sequence[Row]:
        """The rows of the table as plain values."""
        rows: list[dict[str, object]] = self.table.to_pylist()
        return rows

    def to_arrow(self) -> pa.Table:
        """The answers, one row a request; the item's own columns are named ``item.COLUMN``."""
        return self.table

    def to_pandas(self) -> pd.DataFrame:
        """As ``to_arrow``, as a data frame; SoritesError if pandas is not installed."""
        return data_frame(self.table)

    @property
    def model(self) -> str:
        """The model's name, short: of a folder the last part."""
        about = self.about["model"]
        name = str(about["model"]) if isinstance(about, dict) else ""
        return Path(name).name if name.startswith(("/", ".", "~")) else name

    @property
    def setting(self) -> str:
        """The setting in which it was asked."""
        return str(self.about["setting"])

    @property
    def name(self) -> str:
        """Model, task and setting."""
        return f"{self.model} · {self.task.name} · {self.setting}"

    @property
    def content(self) -> str:
        """The hash of the rows of the release: runs with the same one saw the same items."""
        release = self.about["release"]
        return str(release["content_sha256"]) if isinstance(release, dict) else ""


def find_runs(places: Iterable[Run | str | Path]) -> list[Run]:
    """Every finished run in or under some folders, in the order of their paths, each once.

    A run among the places stands for itself. Raises RunError for a place without one.
    """
    found: dict[Path, Run] = {}
    for place in places:
        if isinstance(place, Run):
            found.setdefault(place.folder.resolve(), place)
            continue
        folders = [path.parent for path in sorted(Path(place).rglob("run.json"))]
        if not folders:
            raise RunError(
                f"{place}: no finished run here. A run is finished once it has a run.json: "
                "the same sorites-eval run command completes it."
            )
        for folder in folders:
            found.setdefault(folder.resolve(), read_run(folder))
    return list(found.values())


def read_run(folder: str | Path) -> Run:
    """Read a run's three files; RunError if one is missing or makes no sense."""
    folder = Path(folder)
    about, scores = _json(folder / "run.json"), _json(folder / "scores.json")
    release, name = about.get("release"), about.get("task")
    if not isinstance(release, dict) or not isinstance(name, str) or about.get("run") != 1:
        raise RunError(f"{folder / 'run.json'}: not a run of format 1.")
    document = {
        "benchmark": 1,
        "name": release.get("name"),
        "version": release.get("version"),
        "tasks": {name: about.get("contract")},
    }
    task = as_asked(read_benchmark(json.dumps(document)).tasks[name], str(about.get("setting")))
    table = read_table(folder / "predictions.parquet")
    try:
        predictions = combine(task, [prediction_of(task, row) for row in table.to_pylist()])
    except (KeyError, ValueError) as error:
        raise RunError(f"{folder / 'predictions.parquet'}: not predictions: {error}") from error
    try:
        return Run(folder, about, Scores.read(scores), task, table, predictions)
    except ValueError as error:
        raise RunError(f"{folder / 'scores.json'}: {error}") from error


def _json(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise RunError(f"{path}: not an object.")
    return value


def prediction_of(task: Task, row: Row) -> Prediction:
    """The free reading of a row of the table, as the scores take it."""
    label, selection, repeat = row["answer"], row["selection"], row.get("repeat")
    right = row["selection"] == row["gold_selection"] if task.answer.selection else None
    return Prediction(
        id=str(row["id"]),
        view=str(row["view"]),
        gold=str(row["gold"]),
        label=None if label is None else str(label),
        outcome=Outcome(str(row["outcome"])),
        facts=facts(row),
        right_selection=right,
        selection=in_order(selection) if isinstance(selection, list) else None,
        repeat=repeat if isinstance(repeat, int) else 0,
        probability=positive_probability(
            task, None if label is None else str(label), row["constrained"], row["margin"]
        ),
        response=response_of(
            Outcome(str(row["outcome"])), str(row["text"]), scored=row["mass"] is not None
        ),
    )
