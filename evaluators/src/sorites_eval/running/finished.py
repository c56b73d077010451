"""Finished runs, read back from their folders, as what compares and reports on them needs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites_eval.contract.read import read_benchmark
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import RunError
from sorites_eval.running.predictions import facts, read_table
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import Prediction, combine

__all__ = ["Run", "find_runs", "read_run"]

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run. ``rows`` is its table, ``predictions`` one for each item, views combined."""

    folder: Path
    about: Mapping[str, object]
    scores: Mapping[str, object]
    task: Task
    rows: Sequence[Row]
    predictions: Sequence[Prediction]

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


def find_runs(places: Iterable[Path]) -> list[Run]:
    """Every finished run in or under some folders, in the order of their paths.

    Raises RunError for a place without one.
    """
    found: dict[Path, Run] = {}
    for place in places:
        folders = [path.parent for path in sorted(place.rglob("run.json"))]
        if not folders:
            raise RunError(
                f"{place}: no finished run here. A run is finished once it has a run.json: "
                "the same sorites-eval run command completes it."
            )
        for folder in folders:
            found.setdefault(folder.resolve(), read_run(folder))
    return list(found.values())


def read_run(folder: Path) -> Run:
    """Read a run's three files; RunError if one is missing or makes no sense."""
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
    task = read_benchmark(json.dumps(document)).tasks[name]
    rows = read_table(folder / "predictions.parquet")
    try:
        predictions = combine(task, [_prediction(task, row) for row in rows])
    except (KeyError, ValueError) as error:
        raise RunError(f"{folder / 'predictions.parquet'}: not predictions: {error}") from error
    return Run(folder, about, scores, task, rows, predictions)


def _json(path: Path) -> dict[str, object]:
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise RunError(f"{path}: cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise RunError(f"{path}: not an object.")
    return value


def _prediction(task: Task, row: Row) -> Prediction:
    label = row["answer"]
    right = row["selection"] == row["gold_selection"] if task.answer.selection else None
    return Prediction(
        id=str(row["id"]),
        view=str(row["view"]),
        gold=str(row["gold"]),
        label=None if label is None else str(label),
        outcome=Outcome(str(row["outcome"])),
        facts=facts(row),
        right_selection=right,
    )
