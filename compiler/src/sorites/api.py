"""The commands of ``sorites`` as functions, for Python; the commands themselves call these."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sorites.auditing import AuditReport
    from sorites.progress import Progress
    from sorites.release.compare.diff import Difference
    from sorites.release.hub.publish import Publication
    from sorites.release.manifest.recorded import Release
    from sorites.source_check import SourceCheck
    from sorites.sources.pins import Pinned
    from sorites.specfile.model import Spec

__all__ = [
    "audit",
    "check",
    "check_sources",
    "compile",
    "diff",
    "init",
    "pin",
    "publish",
    "verify",
]


def init(kind: str, folder: str | Path) -> Path:
    """Write a small spec of a kind, with everything that it needs, into a new folder.

    Returns the path of the spec; ``check`` and ``compile`` take it as it is. Raises SoritesError
    for a kind that is not known and for a folder that is there already; then nothing was written.
    """
    from sorites.specfile.starter import write_starter

    return write_starter(kind, Path(folder))


def audit(
    path: str | Path, *, baseline: str | Path | None = None, progress: Progress | None = None
) -> AuditReport:
    """Prove the labels of a spec of the kind audit; nothing is written.

    The report has the faults, those of them that ``baseline`` does not accept, and writes the
    page. For the release with the labels that hold, ``compile`` the spec. Raises SoritesError in
    one of its kinds.
    """
    from sorites.auditing import audit_of_spec
    from sorites.progress import Silent

    known = None if baseline is None else Path(baseline)
    return audit_of_spec(Path(path), baseline=known, progress=progress or Silent())


def check(path: str | Path) -> Spec:
    """Read a spec, and everything that can be known to be wrong with it without its sources.

    Raises InvalidSpec, whose ``problems`` are all there are, each with file, line and column, and
    UnreadableSpec for a file that cannot be read at all.
    """
    from sorites.pipeline import check_spec

    return check_spec(Path(path))


def check_sources(path: str | Path, *, progress: Progress | None = None) -> SourceCheck:
    """Say what a compile of a spec would find in its sources, in seconds and without compiling.

    The result has tables of what the sources hold, what the spec's policies leave out, and how
    much each scheme, relation or label has to choose from; and the problems for which a compile
    would fail, each with its place. Sources are looked for on this machine alone.

    Raises InvalidSpec and UnreadableSpec for a spec that is not valid.
    """
    from sorites.progress import Silent
    from sorites.source_check import check_sources as look

    return look(Path(path), progress or Silent())


def compile(
    path: str | Path,
    out: str | Path,
    *,
    workers: int = 1,
    engine: str | None = None,
    address: str | None = None,
    progress: Progress | None = None,
) -> Path:
    """Compile a spec to the release ``OUT/NAME/VERSION``, whole or not at all; returns that folder.

    Sources are looked for by name in the folders of SORITES_SOURCES, then in the cache, then
    fetched; their checksums are in the spec. The result is the same for any number of
    ``workers`` and on any ``engine``: "serial", "processes", or "ray" for a Ray cluster, the one
    at ``address`` or one of this machine. Without a name they are processes: with more than one, a
    script must do its work under ``if __name__ == "__main__":``, as the module multiprocessing
    asks. ``progress`` is told of each stage; without it nothing is shown.

    Raises SoritesError in one of its kinds: InvalidSpec and UnreadableSpec as ``check`` does,
    SourceError for a source that is missing or is not what its checksum promises.
    """
    from sorites.engines.choose import engine_of
    from sorites.pipeline import compile_spec
    from sorites.progress import Silent

    with engine_of(engine, workers=workers, address=address) as by:
        return compile_spec(Path(path), Path(out), engine=by, progress=progress or Silent())


def pin(
    path: str | Path, *, only: Collection[str] = (), progress: Progress | None = None
) -> list[Pinned]:
    """Hash the sources of a spec, fetching them where needed, and write the checksums into it.

    ``only`` names the sources to pin; all of them if it is empty. Comments stay, and the spec is
    rewritten whole or not at all. Returns what became of each source. Raises InvalidSpec,
    UnreadableSpec, and SourceError for a source that cannot be read or fetched.
    """
    from sorites.progress import Silent
    from sorites.sources.pins import pin_sources

    return pin_sources(Path(path), progress or Silent(), only=only)


def verify(
    directory: str | Path,
    *,
    with_z3: bool = False,
    workers: int = 1,
    engine: str | None = None,
    address: str | None = None,
) -> Release:
    """Recompute every checksum of a release and check every label's certificate from its words.

    With ``with_z3`` every label is proved again besides, as are labels of a release without
    certificates. ``workers``, ``engine`` and ``address`` are as in ``compile``. Returns what the
    release says of itself. Raises FaultyRelease with each fault found, and InvalidRelease if no
    release is there.
    """
    from sorites.engines.choose import engine_of
    from sorites.pipeline import prove_again

    with engine_of(engine, workers=workers, address=address) as by:
        return prove_again(Path(directory), with_z3=with_z3, engine=by)


def diff(old: str | Path, new: str | Path) -> Difference:
    """What differs between two releases of one data set, and what step of version that asks for.

    Each is a folder, or ``ORG/NAME@vVERSION`` on the Hub. Raises InvalidRelease if one is no
    release or if they are of two data sets, SoritesError for a version that the Hub does not give.
    """
    from sorites.release.compare.diff import diff_releases

    with _release_at(old) as before, _release_at(new) as after:
        return diff_releases(before, after)


def publish(
    directory: str | Path,
    repo: str,
    *,
    private: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
    token: str | None = None,
    endpoint: str | None = None,
) -> Publication:
    """Publish a release in the dataset repository ``ORG/NAME`` of the Hub, under ``vVERSION``.

    One commit and one tag; a version that is published never changes, and after any fault the
    same call completes what was begun. A dry run shows what would change and changes nothing.
    What was changed by hand on the Hub is undone only with ``overwrite``. The token is the one
    given, or that of HF_TOKEN or of a login.

    Raises InvalidRelease for a release that is not whole, SoritesError for whatever else keeps it
    from being published.
    """
    from sorites.release.hub.publish import publish as publish_release

    return publish_release(
        Path(directory),
        repo,
        private=private,
        dry_run=dry_run,
        overwrite=overwrite,
        token=token,
        endpoint=endpoint,
    )


def _release_at(place: str | Path) -> AbstractContextManager[Path]:
    """A release on disk, or one of the Hub for as long as it is looked at."""
    if "@" in str(place) and not Path(place).exists():
        from sorites.release.hub.download import downloaded

        return downloaded(str(place))
    return nullcontext(Path(place))
