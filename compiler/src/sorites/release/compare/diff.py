"""What changed from one version of a data set to the next, row by row and task by task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import pyarrow as pa

from sorites.canonical import Json, json_line
from sorites.errors import InvalidRelease
from sorites.release.certificates.certificates import CONFIG as CERTIFICATES
from sorites.release.compare.row_changes import RowChanges, row_changes
from sorites.release.content import SplitName
from sorites.release.describe.markdown import code, escape
from sorites.release.files.mapped import mapped
from sorites.release.manifest.recorded import (
    RecordedSplit,
    Release,
    read_manifest,
    read_release_json,
)
from sorites_eval.contract.identity import Version

__all__ = ["Change", "Difference", "Weight", "diff_releases"]


class Weight(IntEnum):
    """Which part of the version number a change must raise (Semantic Versioning)."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


@dataclass(frozen=True, slots=True)
class Change:
    """One change in words, with the weight that it has."""

    weight: Weight
    text: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that differs between two releases of one data set.

    ``rows`` holds the splits whose rows differ; a split in ``unseen`` differs too, but its old
    rows are not at hand (a ledger entry keeps none). ``changes`` says everything in words.
    """

    name: str
    old: Version
    new: Version
    rows: Mapping[SplitName, RowChanges]
    unseen: tuple[SplitName, ...]
    changes: tuple[Change, ...]

    @property
    def weight(self) -> Weight:
        """The weight of the heaviest change; of ``unseen`` rows nothing is known."""
        return max((change.weight for change in self.changes), default=Weight.NONE)


def diff_releases(old: Path, new: Path) -> Difference:
    """Compare two release directories; the old one may be a ledger entry without its data.

    Raises InvalidRelease if one of them is no release, or if they are not of one data set.
    """
    before, after = read_manifest(old), read_manifest(new)
    if before.name != after.name:
        raise InvalidRelease(
            f"{old} is of the data set {before.name} and {new} of {after.name}: "
            "only versions of one data set can be compared"
        )
    old_tasks, new_tasks = _section(old, "tasks"), _section(new, "tasks")
    golds = _gold_columns(old_tasks) | _gold_columns(new_tasks)
    old_splits = {(split.config, split.split): split for split in before.splits}
    new_splits = {(split.config, split.split): split for split in after.splits}
    rows: dict[SplitName, RowChanges] = {}
    unseen: list[SplitName] = []
    certificates: list[SplitName] = []
    for name in old_splits.keys() & new_splits.keys():
        if old_splits[name].content_sha256 == new_splits[name].content_sha256:
            continue
        if name[0] == CERTIFICATES:
            certificates.append(name)
            continue
        tables = _table(before, old_splits[name]), _table(after, new_splits[name])
        if tables[0] is None or tables[1] is None:
            unseen.append(name)
        else:
            rows[name] = row_changes(tables[0], tables[1], golds.get(name, frozenset()))
    changes = [
        *_split_changes(old_splits, new_splits),
        *_column_changes(old_splits, new_splits),
        *(change for name in sorted(rows) for change in _in_words(name, rows[name])),
        *(_unseen(name, old_splits[name].rows, new_splits[name].rows) for name in sorted(unseen)),
        *(
            # What is asked and what is right stay as they are.
            Change(Weight.PATCH, f"{code('/'.join(name))}: labels are shown by other certificates.")
            for name in sorted(certificates)
        ),
        *_task_changes(old_tasks, new_tasks),
        *_analysis_changes(_section(old, "analyses"), _section(new, "analyses")),
        *_origin_changes(before, after),
    ]
    if not changes and _fingerprints(before) != _fingerprints(after):
        changes.append(Change(Weight.PATCH, "The card or the description of the files changed."))
    return Difference(
        before.name, before.version, after.version, rows, tuple(sorted(unseen)), tuple(changes)
    )


def _fingerprints(release: Release) -> Json:
    return {**release.files, **{file.path: file.sha256 for file in release.data_files()}}


def _section(directory: Path, name: str) -> Mapping[str, Mapping[str, Json]]:
    section: Mapping[str, Mapping[str, Json]] = read_release_json(directory / "benchmark.json").get(
        name, {}
    )
    return section


def _gold_columns(tasks: Mapping[str, Mapping[str, Json]]) -> dict[SplitName, frozenset[str]]:
    golds: dict[SplitName, frozenset[str]] = {}
    for task in tasks.values():
        data, answer = task.get("data"), task.get("answer")
        if isinstance(data, Mapping) and isinstance(answer, Mapping):
            name = (str(data.get("config")), str(data.get("split")))
            golds[name] = golds.get(name, frozenset()) | {str(answer.get("gold"))}
    return golds


def _table(release: Release, split: RecordedSplit) -> pa.Table | None:
    paths = [release.directory / file.path for file in split.files]
    if not all(path.is_file() for path in paths):
        return None
    return mapped(paths)


def _split_changes(
    old: Mapping[SplitName, RecordedSplit], new: Mapping[SplitName, RecordedSplit]
) -> Iterator[Change]:
    for name in sorted(old.keys() - new.keys()):
        yield Change(Weight.MAJOR, f"{code('/'.join(name))} removed ({old[name].rows:,} rows).")
    for name in sorted(new.keys() - old.keys()):
        yield Change(Weight.MINOR, f"{code('/'.join(name))} added ({new[name].rows:,} rows).")


def _column_changes(
    old: Mapping[SplitName, RecordedSplit], new: Mapping[SplitName, RecordedSplit]
) -> Iterator[Change]:
    for name in sorted(old.keys() & new.keys()):
        where = "/".join(name)
        before = {column.name: column.type for column in old[name].columns}
        after = {column.name: column.type for column in new[name].columns}
        for column in [column for column in before if column not in after]:
            yield Change(Weight.MAJOR, f"{code(where)}: column {code(column)} removed.")
        for column in [column for column in after if column not in before]:
            yield Change(Weight.MINOR, f"{code(where)}: column {code(column)} added.")
        for column, kind in before.items():
            if after.get(column, kind) != kind:
                yield Change(
                    Weight.MAJOR,
                    f"{code(where)}: column {code(column)} is {code(after[column])}, "
                    f"was {code(kind)}.",
                )


def _in_words(name: SplitName, rows: RowChanges) -> Iterator[Change]:
    where = "/".join(name)
    for weight, what, ids in (
        (Weight.MAJOR, "with another label", rows.relabelled),
        (Weight.MAJOR, "altered elsewhere", rows.altered),
        (Weight.MAJOR, "removed", rows.removed),
        (Weight.MINOR, "added", rows.added),
    ):
        if ids:
            yield Change(
                weight, f"{code(where)}: {len(ids):,} {'row' if len(ids) == 1 else 'rows'} {what}."
            )
    if rows.reordered:
        yield Change(Weight.MINOR, f"{code(where)}: the rows come in another order.")


def _unseen(name: SplitName, old: int, new: int) -> Change:
    where = "/".join(name)
    return Change(Weight.NONE, f"{code(where)}: the rows differ ({old:,} before, {new:,} now).")


def _task_changes(
    old: Mapping[str, Mapping[str, Json]], new: Mapping[str, Mapping[str, Json]]
) -> Iterator[Change]:
    for name in sorted(old.keys() - new.keys()):
        yield Change(Weight.MAJOR, f"Task {code(name)} removed.")
    for name in sorted(new.keys() - old.keys()):
        yield Change(Weight.MINOR, f"Task {code(name)} added.")
    for name in sorted(old.keys() & new.keys()):
        for path, verb in _json_changes(old[name], new[name], ()):
            shown = ".".join(path)
            yield Change(_task_weight(path, verb), f"Task {code(name)}: {code(shown)} {verb}.")


def _task_weight(path: tuple[str, ...], verb: str) -> Weight:
    """What a task asks, and how its answers count, decides whether scores can be compared."""
    if path[0] in ("title", "description"):
        return Weight.PATCH
    if verb == "added" and (path[0] == "score" or (path[0] == "prompts" and len(path) == 2)):
        return Weight.MINOR
    return Weight.MINOR if path[:2] in (("score", "metrics"), ("score", "groups")) else Weight.MAJOR


def _analysis_changes(
    old: Mapping[str, Mapping[str, Json]], new: Mapping[str, Mapping[str, Json]]
) -> Iterator[Change]:
    """No analysis changes what is asked or how it counts: all scores can still be compared."""
    for name in sorted(old.keys() - new.keys()):
        yield Change(Weight.MINOR, f"Analysis {code(name)} removed.")
    for name in sorted(new.keys() - old.keys()):
        yield Change(Weight.MINOR, f"Analysis {code(name)} added.")
    for name in sorted(old.keys() & new.keys()):
        for path, verb in _json_changes(old[name], new[name], ()):
            weight = Weight.PATCH if path[0] in ("title", "source") else Weight.MINOR
            yield Change(weight, f"Analysis {code(name)}: {code('.'.join(path))} {verb}.")


def _json_changes(
    old: Json, new: Json, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The paths of what differs in two JSON values, down to whole leaves and lists."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted({*old, *new}):
            if key not in new:
                yield (*path, key), "removed"
            elif key not in old:
                yield (*path, key), "added"
            else:
                yield from _json_changes(old[key], new[key], (*path, key))
    elif json_line(old) != json_line(new):
        yield path, "changed"


def _origin_changes(old: Release, new: Release) -> Iterator[Change]:
    if old.license != new.license:
        yield Change(Weight.MAJOR, f"Licence: {code(new.license)}, was {code(old.license)}.")
    for name in sorted(old.sources.keys() - new.sources.keys()):
        yield Change(Weight.PATCH, f"Source {code(name)} removed.")
    for name in sorted(new.sources.keys() - old.sources.keys()):
        yield Change(Weight.PATCH, f"Source {code(name)} added.")
    for name in sorted(old.sources.keys() & new.sources.keys()):
        before, after = old.sources[name], new.sources[name]
        if before["sha256"] != after["sha256"]:
            yield Change(
                Weight.PATCH,
                f"Source {code(name)}: version {escape(str(after['version']))}, "
                f"was {escape(str(before['version']))}.",
            )
        if before["license"] != after["license"]:
            yield Change(
                Weight.PATCH,
                f"Source {code(name)}: licence {code(str(after['license']))}, "
                f"was {code(str(before['license']))}.",
            )
