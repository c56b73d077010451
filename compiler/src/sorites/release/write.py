"""A release as a directory: every file of it, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from sorites.canonical import Json, json_file, json_line
from sorites.engines.engine import Engine
from sorites.errors import CutShort, InvalidSpec, SoritesError
from sorites.licences import licence_url
from sorites.progress import Progress, Silent
from sorites.release.audit.audit import audit
from sorites.release.certificates.certificates import CHECKER
from sorites.release.certificates.refusal import certificate_faults
from sorites.release.compare.changelog import changelog, first_changelog
from sorites.release.compare.diff import diff_releases
from sorites.release.compare.versions import check_step, previous_release
from sorites.release.content import Content, SplitName
from sorites.release.describe.card import card
from sorites.release.describe.croissant import croissant
from sorites.release.describe.evaluation_registry import evaluation_registry
from sorites.release.describe.hub_ids import card_problems
from sorites.release.files.parquet import DataFile, file_sha256, write_split
from sorites.release.files.staging import check_place, staged
from sorites.release.manifest.contents import check_contents
from sorites.release.manifest.manifest import manifest
from sorites.release.manifest.recorded import read_manifest
from sorites.release.tasks.benchmark import benchmark, spec_analyses, spec_tasks
from sorites.specfile.model import Spec
from sorites_eval.contract.identity import InvalidIdentity, parse_name

__all__ = ["check_out", "write_release"]

_MOST = 20
"""Faults that are told before the rest is only counted."""


def write_release(
    spec: Spec,
    content: Content,
    out: Path,
    *,
    previous: Path | None = None,
    source_bytes: Mapping[str, int] | None = None,
    progress: Progress | None = None,
    engine: Engine | None = None,
) -> Path:
    """Write ``out/NAME/VERSION`` and return it; the same content again is no error.

    ``previous`` is the release that this one is compared with, for the changelog and for the
    step of its version; if none is given, the latest earlier version under ``out``.
    ``source_bytes`` is the size of each source's content by its id, for the manifest. ``engine``
    checks the certificates; without one, this process does.

    Raises InvalidSpec for tasks that do not fit the rows and for licences and categories that
    the Hub does not know. Raises SoritesError for content that cannot be a release, for a version
    that is too small a step from the one before or that exists with other content, and for a
    failure to write; then nothing is left behind.
    """
    try:
        parse_name(spec.name)
    except InvalidIdentity as error:
        raise SoritesError(str(error)) from error
    check_contents(content)
    if problems := [*card_problems(spec)]:
        raise InvalidSpec(problems)
    contract = benchmark(spec, content)
    tasks = spec_tasks(spec)
    analyses = [*spec_analyses(spec).values()]
    texts = {
        "benchmark.json": json_file(contract),
        "audit.json": json_file(audit(content, tasks)),
        "eval.yaml": evaluation_registry(spec, tasks),
        **content.files,
    }
    target = out / spec.name / str(spec.version)
    previous = previous or previous_release(out, spec.name, spec.version)
    try:
        with staged(target) as directory:
            files = _write_data(content, directory, progress or Silent())
            texts["README.md"] = card(spec, content, tasks, analyses, files)
            texts["croissant.json"] = json_file(
                croissant(spec, content, files, spec.license_link or _licence_address(spec.license))
            )
            for name, text in texts.items():
                _write_text(directory / name, text)
            hashes = {name: file_sha256(directory / name) for name in texts}
            record = manifest(spec, content, files, hashes, source_bytes or {})
            _refuse_other_writer(target, record)
            _write_text(directory / "release.json", json_file(record))
            _refuse_uncertified(content, directory, engine)
            # The changelog compares two releases: only now is this one there to be compared.
            told = _changelog(spec, content, directory, target, previous)
            _write_text(directory / "CHANGELOG.md", told)
            hashes["CHANGELOG.md"] = file_sha256(directory / "CHANGELOG.md")
            _write_text(directory / "release.json", json_file({**record, "files": hashes}))
    except OSError as error:
        raise _unwritable(target, error) from error
    return target


def check_out(spec: Spec, out: Path) -> None:
    """Raise SoritesError where the release of a spec could not be written: before the work."""
    target = out / spec.name / str(spec.version)
    try:
        check_place(target)
    except OSError as error:
        raise _unwritable(target, error) from error


def _unwritable(target: Path, error: OSError) -> CutShort:
    # Arrow words the same errors otherwise than the system does.
    reason = os.strerror(error.errno) if error.errno else str(error)
    return CutShort(f"{target}: cannot be written: {reason}. Nothing was left behind")


def _refuse_other_writer(target: Path, record: Mapping[str, Json]) -> None:
    """Explain the case in which only the writers' versions make the bytes differ."""
    if not (target / "release.json").is_file():
        return
    there = read_manifest(target)
    here = record["created_by"]
    if there.content_sha256 == record["content_sha256"] and there.created_by != here:
        raise SoritesError(
            f"{target}: this version is there already with the same rows, written by other "
            f"versions of the programs ({json_line(dict(there.created_by))}, here "
            f"{json_line(here)}), so its files cannot be the same to the byte. To complete it, "
            "install those versions; to check it, compile into another folder and compare"
        )


def _refuse_uncertified(content: Content, directory: Path, engine: Engine | None) -> None:
    """Raise SoritesError for what check.py refuses: nobody else would believe it either."""
    if not content.certificates:
        return
    faults = certificate_faults(directory, engine=engine)
    if faults:
        more = f"\nand {len(faults) - _MOST:,} more" if len(faults) > _MOST else ""
        told = "\n".join(faults[:_MOST]) + more
        raise SoritesError(f"certificates that {CHECKER} refuses:\n{told}")


def _changelog(
    spec: Spec, content: Content, directory: Path, target: Path, previous: Path | None
) -> str:
    """The changelog, written once: a ledger entry that lacks its data keeps its own.

    So the entry can be completed where the rows of the version before are not at hand.
    """
    told = target / "CHANGELOG.md"
    if told.is_file():
        return told.read_text(encoding="utf-8")
    if previous is None:
        return first_changelog(spec, content)
    difference = diff_releases(previous, directory)
    check_step(difference)
    return changelog(spec, content, difference, _history(previous))


def _history(previous: Path) -> str:
    path = previous / "CHANGELOG.md"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _write_data(
    content: Content, directory: Path, progress: Progress
) -> dict[SplitName, tuple[DataFile, ...]]:
    advance = progress.stage("Writing", sum(split.table.num_rows for split in content.splits))
    written: dict[SplitName, tuple[DataFile, ...]] = {}
    for split in content.splits:
        written[split.config, split.name] = write_split(split, directory)
        advance(split.table.num_rows)
    return written


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def _licence_address(licence: str) -> str:
    return licence_url(licence) or licence
