"""Results of ``sorites-eval train`` and ``bilinear``, read back as what analyses need.

Their models answered the rows that they were tested on, but only scores were written down: in
``training-runs.jsonl`` one line a model, in ``bilinear.json`` the means over its repetitions.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import RunError
from sorites_eval.scoring.scores import Number

__all__ = ["BILINEAR_FILE", "RUNS_FILE", "Breakdown", "Trained", "read_trained"]

RUNS_FILE = "training-runs.jsonl"
BILINEAR_FILE = "bilinear.json"
MAX_BYTES = 500_000_000


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The measures of the rows with these values in some columns; of all rows without columns."""

    values: Mapping[str, Scalar]
    measures: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class Trained:
    """One trained model: on what it was trained, and what it scored.

    ``content`` is the digest of the release's rows. ``curve`` and ``step`` are None for a model
    that was trained on a set. ``validation`` are accuracies on the rows that it was chosen by. A
    model that is ``everywhere`` has no setting of its own to be compared with others.
    """

    content: str
    task: str
    model: str
    setting: str
    breakdowns: tuple[Breakdown, ...]
    validation: tuple[Breakdown, ...] = ()
    curve: str | None = None
    step: int | None = None
    everywhere: bool = False

    def facets(self) -> dict[str, Scalar]:
        """What tells it from other models."""
        return {"model": self.model, "setting": self.setting, "task": self.task}

    def by(self, columns: Collection[str]) -> list[Breakdown]:
        """The breakdown by exactly these columns, one entry a combination of values."""
        return [row for row in self.breakdowns if row.values.keys() == set(columns)]


def read_trained(place: Path) -> list[Trained]:
    """Every result of training in or under a folder; RunError for a file of another form."""
    found: list[Trained] = []
    for name, read in ((RUNS_FILE, _runs), (BILINEAR_FILE, _bilinear)):
        for path in sorted(place.rglob(name)):
            try:
                if path.stat().st_size > MAX_BYTES:
                    raise RunError(f"{path}: larger than {MAX_BYTES:,} bytes.")
                found += read(path.read_text(encoding="utf-8"))
            except OSError as error:
                raise RunError(f"{path}: cannot be read: {error.strerror or error}.") from error
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise RunError(f"{path}: not results of training: {error!r}.") from error
    return found


def _runs(text: str) -> Iterator[Trained]:
    for line in text.splitlines():
        # Of these files only as much is checked as is used: a wrong type is a TypeError.
        record = cast("dict[str, Any]", json.loads(line))
        if record["seed"] is None:
            # People's answers, which the release holds as well.
            continue
        whole = Breakdown({}, {"n": int(record["n"]), "accuracy": float(record["accuracy"])})
        groups = [
            Breakdown(dict(row["values"]), {k: v for k, v in row.items() if k != "values"})
            for entry in record["groups"]
            for row in entry["rows"]
        ]
        validation = record["validation"] or {"cells": []}
        yield Trained(
            content=str(record["release"]["content"]),
            task=str(record["task"]),
            model=str(record["model"]),
            setting=str(record["setting"]),
            breakdowns=(whole, *groups),
            validation=tuple(
                Breakdown(
                    dict(row["values"]), {"n": int(row["n"]), "accuracy": float(row["accuracy"])}
                )
                for row in validation["cells"]
            ),
            curve=None if record["curve"] is None else str(record["curve"]),
            step=None if record["step"] is None else int(record["step"]),
        )


def _bilinear(text: str) -> Iterator[Trained]:
    document = cast("dict[str, Any]", json.loads(text))
    scores = document["scores"]
    whole = {"macro-f1": float(scores["macro_f1"]), "unmatched": float(scores["unmatched"])}
    groups = [
        Breakdown(dict(row["values"]), _f1(row["f1"]))
        for entry in scores["groups"].values()
        for row in entry
    ]
    name = str(document["embeddings"]["model"]).rstrip("/").rpartition("/")[2]
    yield Trained(
        content=str(document["release"]["content"]),
        task=str(document["task"]),
        model=f"bilinear, {name}",
        setting="cross-validation",
        breakdowns=(Breakdown({}, {**whole, **_f1(scores["f1"])}), *groups),
        everywhere=True,
    )


def _f1(by_label: Mapping[str, Any]) -> dict[str, Number]:
    return {f"f1 {label}": float(values[0]) for label, values in by_label.items()}
