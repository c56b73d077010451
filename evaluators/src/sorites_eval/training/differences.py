"""How far a training's accuracies are from those of another: that of the main setting."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sorites_eval.contract.tasks import Scalar, label_key
from sorites_eval.errors import RunError
from sorites_eval.training.examples import Example
from sorites_eval.training.fine_tuning import Group, Summary

__all__ = ["Differences", "Main", "differences", "differences_json", "read_main"]

_MAX_BYTES = 50_000_000

_Key = frozenset[tuple[str, tuple[str, Scalar]]]


@dataclass(frozen=True, slots=True)
class Differences:
    """Mean accuracies less those of a main training, in all and by group, from -1 to 1.

    ``main`` names that training's model and set. ``groups`` has an entry for each group of the
    task's first breakdown that both have.
    """

    main: str
    accuracy: float
    groups: tuple[tuple[Group, float], ...]

    def of(self, group: Group) -> float | None:
        """The difference of one group; None where the main training has no such group."""
        wanted = _key(group.values)
        return next((by for known, by in self.groups if _key(known.values) == wanted), None)


@dataclass(frozen=True, slots=True)
class Main:
    """A training that others are compared with: its name and its mean accuracies."""

    name: str
    accuracy: float
    groups: Mapping[_Key, float]


def read_main(folder: Path, by: tuple[str, ...], test: Sequence[Example]) -> Main:
    """The first training in ``training.json`` of a folder, by the columns ``by``.

    Raises RunError where the folder holds no such file, or no group of the rows to test on.
    """
    document = _document(folder)
    try:
        found = Main(
            " · ".join(filter(None, (str(document["model"]), str(document["training_set"])))),
            float(document["accuracy"]["mean"]),
            {
                _key(row["values"]): float(row["accuracy"]["mean"])
                for entry in document["groups"]
                if entry["by"] == list(by)
                for row in entry["rows"]
            },
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError(f"{folder / 'training.json'}: not the results of a training") from error
    tested = {_key({column: row.facts.get(column) for column in by}) for row in test}
    if not tested & found.groups.keys():
        raise RunError(f"{folder}: was tested on no group of rows that is to be tested on here")
    return found


def differences(summary: Summary, by: tuple[str, ...], main: Main) -> Differences:
    """The mean accuracies of a summary less those of a main training."""
    shared = tuple(
        (group, group.accuracy.mean - main.groups[_key(group.values)])
        for group in summary.groups.get(by, ())
        if _key(group.values) in main.groups
    )
    return Differences(main.name, summary.accuracy.mean - main.accuracy, shared)


def differences_json(found: Differences) -> dict[str, object]:
    """The differences as ``training.json`` holds them."""
    rows = [{"values": dict(group.values), "accuracy": by} for group, by in found.groups]
    return {"from": found.main, "accuracy": found.accuracy, "groups": rows}


def _document(folder: Path) -> Mapping[str, Any]:
    path = folder / "training.json"
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES:
            raise RunError(f"{path}: larger than {_MAX_BYTES:,} bytes")
        document = json.loads(content)
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise RunError(f"{path}: not the results of a training") from error
    if not isinstance(document, list) or not document or not isinstance(document[0], dict):
        raise RunError(f"{path}: not the results of a training")
    return cast("Mapping[str, Any]", document[0])


def _key(values: Mapping[str, Scalar]) -> _Key:
    return frozenset((column, label_key(value)) for column, value in values.items())
