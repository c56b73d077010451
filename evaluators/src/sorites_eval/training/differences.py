"""How far a training's accuracies are from those of another: that of the main setting."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from sorites_eval.contract.tasks import Scalar, label_key
from sorites_eval.errors import RunError
from sorites_eval.training.fine_tuning import Group, Summary

__all__ = ["Differences", "differences", "differences_json"]

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


def differences(summary: Summary, by: tuple[str, ...], main: Path) -> Differences:
    """The differences of a summary from the first in ``training.json`` of a folder.

    Raises RunError where that folder holds no such file, or no group of this summary.
    """
    document = _main(main)
    try:
        known = {
            _key(row["values"]): float(row["accuracy"]["mean"])
            for entry in document["groups"]
            if entry["by"] == list(by)
            for row in entry["rows"]
        }
        accuracy = float(document["accuracy"]["mean"])
        name = " · ".join(filter(None, (str(document["model"]), str(document["training_set"]))))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunError(f"{main / 'training.json'}: not the results of a training") from error
    shared = tuple(
        (group, group.accuracy.mean - known[_key(group.values)])
        for group in summary.groups.get(by, ())
        if _key(group.values) in known
    )
    if not shared:
        raise RunError(f"{main}: was tested on no group that this training was tested on")
    return Differences(name, summary.accuracy.mean - accuracy, shared)


def differences_json(found: Differences) -> dict[str, object]:
    """The differences as ``training.json`` holds them."""
    rows = [{"values": dict(group.values), "accuracy": by} for group, by in found.groups]
    return {"from": found.main, "accuracy": found.accuracy, "groups": rows}


def _main(folder: Path) -> Mapping[str, Any]:
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
