"""The ledger of releases: rebuilding what it records, and releasing the specs of a checkout."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites.canonical import digest, json_file
from sorites.engines.engine import Engine
from sorites.errors import SoritesError, SourceError
from sorites.pipeline import compile_spec, prove_again
from sorites.progress import Progress
from sorites.release.compare.versions import recorded_releases
from sorites.release.hub.publish import publish
from sorites.release.manifest.manifest import created_by
from sorites.release.manifest.recorded import Release, read_manifest
from sorites.release.manifest.verify import content_faults
from sorites.specfile.load import load

__all__ = ["Rebuilt", "rebuild_ledger", "release_spec"]


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What became of one entry: ``faults`` is empty if every row came out the same.

    ``skipped`` says why nobody could rebuild an entry here, ``error`` why its spec was refused;
    both are None if it was rebuilt.
    """

    directory: Path
    faults: tuple[str, ...] = ()
    skipped: str | None = None
    error: str | None = None


def rebuild_ledger(
    ledger: Path,
    specs: Sequence[Path],
    *,
    workers: int = 1,
    engine: Engine | None = None,
    progress: Progress,
) -> Iterator[Rebuilt]:
    """Compile every entry of a ledger again and compare the content of each split.

    An entry is rebuilt from the spec in ``specs`` that is the one it records; where that spec
    has moved on, from the copy in the entry's own manifest. Entries whose sources are not at
    hand are skipped, and so are those of another major version of the compiler, which makes
    other rows.
    """
    for directory in recorded_releases(ledger):
        release = read_manifest(directory)
        if made_by := _other_major(release):
            yield Rebuilt(
                directory,
                skipped=f"it was made by sorites {made_by}, and this is {_here()}: rebuild it with"
                f" 'pip install sorites=={made_by}'",
            )
            continue
        with tempfile.TemporaryDirectory(prefix="sorites-rebuild-") as scratch:
            spec = _spec_of(release, specs) or _recorded_spec(release, Path(scratch))
            try:
                again = compile_spec(
                    spec,
                    Path(scratch, "releases"),
                    workers=workers,
                    engine=engine,
                    progress=progress,
                )
            except SourceError as error:
                yield Rebuilt(directory, skipped=str(error))
            except SoritesError as error:
                yield Rebuilt(directory, error=str(error))
            else:
                yield Rebuilt(directory, faults=tuple(content_faults(directory, again)))


def release_spec(
    spec: Path,
    ledger: Path,
    organization: str,
    *,
    dry_run: bool,
    engine: Engine,
    progress: Progress,
) -> list[str]:
    """Compile, prove and publish a spec as ``ORGANIZATION/NAME``; what was done, in lines.

    A dry run publishes nothing, and without an organization nobody is asked. The same call
    again goes on where this one stopped. Raises SoritesError where the spec cannot be released.
    """
    directory = compile_spec(spec, ledger, engine=engine, progress=progress)
    release = prove_again(directory, engine=engine)
    if not organization:
        return [f"{directory} is compiled and proved"]
    return publish(directory, f"{organization}/{release.name}", dry_run=dry_run).summary()


def _other_major(release: Release) -> str | None:
    """The version of the compiler that made a release, if its major version is not this one's."""
    made_by = release.created_by.get("sorites", "")
    return None if made_by.split(".")[0] == _here().split(".")[0] else made_by


def _here() -> str:
    return str(created_by()["sorites"])


def _spec_of(release: Release, specs: Sequence[Path]) -> Path | None:
    for path in specs:
        try:
            spec = load(path)
        except SoritesError:
            # A spec that is being worked on says nothing about what was released.
            continue
        if digest(spec.document.data) == digest(release.document):
            return path
    return None


def _recorded_spec(release: Release, scratch: Path) -> Path:
    """The spec in a manifest as a file: JSON is YAML."""
    path = scratch / f"{release.name}.yaml"
    path.write_text(json_file(release.document), encoding="utf-8")
    return path
