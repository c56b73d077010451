"""Whether a release is whole and unaltered: every file, every checksum, every row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from sorites.canonical import digest
from sorites.errors import FaultyRelease, InvalidRelease, SoritesError
from sorites.release.files.features import type_name
from sorites.release.files.fingerprint import content_sha256
from sorites.release.files.mapped import mapped
from sorites.release.files.parquet import file_sha256
from sorites.release.files.staging import files_under
from sorites.release.manifest.manifest import all_content_sha256
from sorites.release.manifest.recorded import (
    RecordedSplit,
    Release,
    read_manifest,
    read_release_json,
)

__all__ = ["content_faults", "verify_release"]


def verify_release(directory: Path) -> dict[tuple[str, str], pa.Table]:
    """The tables of a release by config and split, after everything in it has been checked.

    They lie on the disk, in files that go with the process.

    Recomputed are: the list of files, the SHA-256 of each, the columns and rows of each split,
    the content hashes, the digest of the spec. The labels are for the family to prove again.

    Raises FaultyRelease with every fault, one a line, and InvalidRelease if there is no manifest.
    """
    release = read_manifest(directory)
    faults = [*_file_faults(release), *_record_faults(release)]
    if faults:
        raise FaultyRelease(faults)
    tables: dict[tuple[str, str], pa.Table] = {}
    for split in release.splits:
        try:
            tables[split.config, split.split] = _read(release, split)
        except InvalidRelease as error:
            faults.append(str(error))
    if faults:
        raise FaultyRelease(faults)
    return tables


def content_faults(recorded: Path, rebuilt: Path) -> list[str]:
    """Where a rebuilt release has other rows than a recorded one, a sentence a split.

    Compares the content hashes, which do not depend on the version of the Parquet writer, so
    ``recorded`` may be a ledger entry without its data. Raises InvalidRelease if one of them is
    no release.
    """
    old, new = read_manifest(recorded), read_manifest(rebuilt)
    there = {(split.config, split.split): split.content_sha256 for split in old.splits}
    here = {(split.config, split.split): split.content_sha256 for split in new.splits}
    return [
        f"{recorded}: {config}/{split}: "
        + (
            "rebuilt with other rows"
            if (config, split) in there.keys() & here.keys()
            else "not rebuilt"
            if (config, split) in there
            else "rebuilt, but not recorded"
        )
        for config, split in sorted({*there, *here})
        if there.get((config, split)) != here.get((config, split))
    ]


def _file_faults(release: Release) -> Iterator[str]:
    recorded = {file.path: file.sha256 for file in release.data_files()} | dict(release.files)
    present = {*files_under(release.directory)} - {"release.json"}
    for path in sorted(recorded.keys() - present):
        yield f"{release.directory / path}: missing"
    for path in sorted(present - recorded.keys()):
        yield f"{release.directory / path}: not part of the release (release.json lacks it)"
    for path in sorted(recorded.keys() & present):
        place = release.directory / path
        if place.is_symlink():
            yield f"{place}: a link, not a file"
        elif file_sha256(place) != recorded[path]:
            yield f"{place}: altered: its SHA-256 is not the one in release.json"


def _record_faults(release: Release) -> Iterator[str]:
    """Statements of release.json about itself and benchmark.json that are wrong."""
    place = release.directory / "release.json"
    if digest(release.document) != release.spec_sha256:
        yield f"{place}: spec.sha256 is not the digest of spec.document"
    if release.document.get("name") != release.name:
        yield f"{place}: the name is not the one in spec.document"
    if release.document.get("version") != str(release.version):
        yield f"{place}: the version is not the one in spec.document"
    hashes = [
        {"config": s.config, "split": s.split, "content_sha256": s.content_sha256}
        for s in release.splits
    ]
    if all_content_sha256(hashes) != release.content_sha256:
        yield f"{place}: content_sha256 does not follow from the splits"
    if "benchmark.json" not in release.files:
        yield f"{place}: files lacks benchmark.json"
    elif (release.directory / "benchmark.json").is_file():
        try:
            task_list = read_release_json(release.directory / "benchmark.json")
        except InvalidRelease as error:
            yield str(error)
            return
        if [task_list.get("name"), task_list.get("version")] != [
            release.name,
            str(release.version),
        ]:
            yield f"{release.directory / 'benchmark.json'}: it is of another release"


def _read(release: Release, split: RecordedSplit) -> pa.Table:
    where = f"{release.directory / 'data' / split.config}: {split.split}"
    for file in split.files:
        path = release.directory / file.path
        try:
            found = pq.read_metadata(path).num_rows
        except (pa.ArrowException, OSError) as error:
            raise InvalidRelease(f"{path}: cannot be read: {error}") from error
        if found != file.rows:
            raise InvalidRelease(f"{path}: {found:,} rows, but release.json says {file.rows:,}")
    table = mapped([release.directory / file.path for file in split.files])
    try:
        columns = [(field.name, type_name(field.type)) for field in table.schema]
    except SoritesError as error:
        raise InvalidRelease(f"{where}: its columns cannot be read: {error}") from error
    if columns != [(column.name, column.type) for column in split.columns]:
        raise InvalidRelease(f"{where}: its columns are not those that release.json names")
    if table.num_rows != split.rows:
        raise InvalidRelease(
            f"{where}: {table.num_rows:,} rows, but release.json says {split.rows:,}"
        )
    if content_sha256(table) != split.content_sha256:
        raise InvalidRelease(f"{where}: its rows are not those that release.json was written for")
    return table
