"""Which version number a change asks for, and which versions a ledger holds."""

from __future__ import annotations

import re
from pathlib import Path

from sorites.errors import SoritesError
from sorites.release.compare.diff import Difference, Weight

__all__ = [
    "Version",
    "check_step",
    "parse_version",
    "previous_release",
    "recorded_releases",
    "smallest_version",
]

_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)", re.ASCII)

Version = tuple[int, int, int]
"""Major, minor and patch."""


def parse_version(text: str) -> Version | None:
    """A version as three numbers, or None for what is no version.

    >>> parse_version("1.10.0")
    (1, 10, 0)
    """
    match = _VERSION.fullmatch(text)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def recorded_releases(ledger: Path, name: str | None = None) -> list[Path]:
    """The directories of all releases in a ledger, or of one data set, in order of version."""
    homes = [ledger / name] if name is not None else sorted(ledger.glob("*"))
    found = [
        (home.name, number, path)
        for home in homes
        for path in (home.iterdir() if home.is_dir() else ())
        if (number := parse_version(path.name)) is not None and (path / "release.json").is_file()
    ]
    return [path for _, _, path in sorted(found)]


def previous_release(ledger: Path, name: str, version: str) -> Path | None:
    """The directory of the latest version of a data set before ``version``, if there is one."""
    bound = parse_version(version)
    if bound is None:
        return None
    earlier = [
        path
        for path in recorded_releases(ledger, name)
        if (parse_version(path.name) or bound) < bound
    ]
    return earlier[-1] if earlier else None


def smallest_version(old: str, weight: Weight) -> str:
    """The smallest version after ``old`` that a change of this weight may have.

    Before 1.0.0 nothing is promised yet, so a minor step carries any change.

    >>> smallest_version("1.2.3", Weight.MINOR)
    '1.3.0'
    >>> smallest_version("0.2.3", Weight.MAJOR)
    '0.3.0'
    """
    major, minor, patch = parse_version(old) or (0, 0, 0)
    if weight == Weight.MAJOR and major > 0:
        return f"{major + 1}.0.0"
    if weight >= Weight.MINOR:
        return f"{major}.{minor + 1}.0"
    return f"{major}.{minor}.{patch + 1}"


def check_step(difference: Difference) -> None:
    """Refuse a version that is too small for what changed since the one before.

    Raises SoritesError, which names the changes and the smallest version that may have them.
    """
    # Of rows that cannot be seen the worst is assumed: they may have changed their labels.
    weight = Weight.MAJOR if difference.unseen else difference.weight
    smallest = smallest_version(difference.old, weight)
    if (parse_version(difference.new) or (0, 0, 0)) >= (parse_version(smallest) or (0, 0, 0)):
        return
    heaviest = [change.text for change in difference.changes if change.weight == weight]
    listed = "".join(f"\n    {text}" for text in heaviest)
    message = (
        f"version {difference.new} of {difference.name} is too small a step from "
        f"{difference.old}: it must be {smallest} or later{':' if listed else ''}{listed}"
    )
    for name in difference.unseen:
        message += (
            f"\n    `{'/'.join(name)}`: the rows differ, and those of {difference.old} are not at "
            "hand to tell whether rows were only added: compile or download that version first"
        )
    raise SoritesError(message)
