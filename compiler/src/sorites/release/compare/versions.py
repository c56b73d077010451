"""Which version number a change needs, and which versions a ledger holds."""

from __future__ import annotations

from pathlib import Path

from sorites.errors import SoritesError
from sorites.release.compare.diff import Difference, Weight
from sorites_eval.contract.identity import InvalidIdentity, Version, parse_version

__all__ = [
    "check_step",
    "previous_release",
    "recorded_releases",
    "smallest_version",
    "version_in",
]


def version_in(name: str) -> Version | None:
    """The version that a folder or a tag is named by, or None for other names.

    >>> version_in("1.10.0"), version_in("draft")
    (Version(major=1, minor=10, patch=0), None)
    """
    try:
        return parse_version(name)
    except InvalidIdentity:
        return None


def recorded_releases(ledger: Path, name: str | None = None) -> list[Path]:
    """The directories of all releases in a ledger, or of one data set, in order of version."""
    homes = [ledger / name] if name is not None else sorted(ledger.glob("*"))
    found = [
        (home.name, number, path)
        for home in homes
        for path in (home.iterdir() if home.is_dir() else ())
        if (number := version_in(path.name)) is not None and (path / "release.json").is_file()
    ]
    return [path for _, _, path in sorted(found)]


def previous_release(ledger: Path, name: str, version: Version) -> Path | None:
    """The directory of the latest version of a data set before ``version``, if there is one."""
    earlier = [
        path
        for path in recorded_releases(ledger, name)
        if (version_in(path.name) or version) < version
    ]
    return earlier[-1] if earlier else None


def smallest_version(old: Version, weight: Weight) -> Version:
    """The smallest version after ``old`` that a change of this weight may have.

    Before 1.0.0 nothing is promised yet, so a minor step carries any change.

    >>> str(smallest_version(Version(1, 2, 3), Weight.MINOR))
    '1.3.0'
    >>> str(smallest_version(Version(0, 2, 3), Weight.MAJOR))
    '0.3.0'
    """
    if weight == Weight.MAJOR and old.major > 0:
        return Version(old.major + 1, 0, 0)
    if weight >= Weight.MINOR:
        return Version(old.major, old.minor + 1, 0)
    return Version(old.major, old.minor, old.patch + 1)


def check_step(difference: Difference) -> None:
    """Refuse a version that is too small for what changed since the one before.

    Raises SoritesError, which names the changes and the smallest version that may have them.
    """
    # Of rows that cannot be seen the worst is assumed: they may have changed their labels.
    weight = Weight.MAJOR if difference.unseen else difference.weight
    smallest = smallest_version(difference.old, weight)
    if difference.new >= smallest:
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
