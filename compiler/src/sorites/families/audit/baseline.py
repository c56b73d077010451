"""Faults that are known and accepted, so that only new ones are told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sorites.canonical import Json, json_file
from sorites.errors import SoritesError
from sorites.families.audit.faults import Fault

__all__ = ["baseline_of", "new_faults", "read_baseline"]

_FORMAT = 1


def baseline_of(faults: Sequence[Fault]) -> str:
    """The content of a baseline that accepts these faults: JSON, sorted, to be committed."""
    known: list[Json] = [
        {
            "fault": fault.kind.value,
            "row": f"{fault.split}/{fault.id}",
            "message": fault.message,
            "key": fault.key,
        }
        for fault in sorted(faults, key=lambda each: (each.kind.value, each.split, each.id))
    ]
    return json_file({"baseline": _FORMAT, "known": known})


def read_baseline(path: Path) -> Counter[str]:
    """How often each fault is accepted, by its key. Raises SoritesError for any other file."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["baseline"] != _FORMAT:
            raise SoritesError(f"{path}: a baseline of another version: {found['baseline']}")
        return Counter(str(entry["key"]) for entry in found["known"])
    except OSError as error:
        raise SoritesError(f"{path} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise SoritesError(
            f"{path} is no baseline: write one with sorites audit … --write-baseline {path}"
        ) from None


def new_faults(faults: Sequence[Fault], known: Counter[str]) -> list[Fault]:
    """The faults that a baseline does not accept; one that it has once is accepted once."""
    left = Counter(known)
    found = []
    for fault in faults:
        if left[fault.key] > 0:
            left[fault.key] -= 1
        else:
            found.append(fault)
    return found
