"""Pinned files: found in a folder, in the cache, on the web or in a mirror, and always checked.

Nothing but the content that the spec's checksum promises ever leaves ``obtain``.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import httpx2

from sorites.errors import SourceError, UnpinnedSource
from sorites.locks import locked
from sorites.progress import Progress, Silent
from sorites.sources.archive import packing_of
from sorites.sources.copies import (
    cache_folder,
    cached_path,
    copies_of,
    folders_of_sources,
    hint_on_made,
    is_intact,
    take,
)
from sorites.sources.download import Download, download, hint_on_disk, tag_of
from sorites.specfile.model import SourcePin

__all__ = ["Fallback", "at_hand", "fetch", "obtain"]

# An archive of what cannot be compressed is a little larger than its content.
_PACKING = 1 << 20

Fallback = Callable[[str, Path], None]
"""Writes the content with a SHA-256 into a new file; raises SourceError where it has none."""


def obtain(
    pin: SourcePin,
    progress: Progress,
    *,
    search: Sequence[Path] | None = None,
    cache: Path | None = None,
    transport: httpx2.BaseTransport | None = None,
    mirror: Fallback | None = None,
) -> Path:
    """The content of a pinned file, decompressed, its checksum verified.

    A ``file`` of the pin is read where it is. Otherwise the file is looked for by its name,
    compressed or not, below the folders of ``search`` (those of SORITES_SOURCES), then in
    ``cache`` (that of SORITES_CACHE), then, unless SORITES_OFFLINE is set, fetched from its
    addresses in order, and at last from ``mirror`` by its checksum.

    Raises UnpinnedSource for a pin without a checksum, and SourceError where the file is nowhere,
    is not what the checksum promises, is larger than the pin allows, or cannot be read, fetched
    or stored.
    """
    if pin.sha256 is None:
        raise UnpinnedSource(
            f"source {pin.id}: its checksum is not known yet (sha256: null). Run: sorites pin SPEC "
            f"--source {pin.id}"
        )
    search = folders_of_sources() if search is None else search
    cache = cache_folder() if cache is None else cache
    found = _on_disk(pin, search, cache, progress)
    if found is not None:
        return found
    if os.environ.get("SORITES_OFFLINE", "0") not in ("", "0"):
        raise SourceError(
            f"{_nowhere(pin, search, cache)}, and SORITES_OFFLINE forbids fetching it. Put the "
            "file into a folder and name that folder in SORITES_SOURCES."
        )
    return _fetched(pin, cache, progress, transport, mirror)


def at_hand(
    pin: SourcePin,
    progress: Progress,
    *,
    search: Sequence[Path] | None = None,
    cache: Path | None = None,
) -> Path:
    """The content of a file that lies on this machine, looked for as by ``obtain``.

    Nothing is fetched. A pin without a checksum takes the first copy that there is. Raises
    SourceError as ``obtain`` does.
    """
    search = folders_of_sources() if search is None else search
    cache = cache_folder() if cache is None else cache
    found = _on_disk(pin, search, cache, progress)
    if found is not None:
        return found
    if pin.made is not None:
        raise SourceError(hint_on_made(pin))
    raise SourceError(
        f"{_nowhere(pin, search, cache)}. Put the file into a folder and name that folder in "
        f"SORITES_SOURCES, or let it be fetched: sorites pin SPEC --source {pin.id}"
    )


def _on_disk(
    pin: SourcePin, search: Sequence[Path], cache: Path, progress: Progress
) -> Path | None:
    """A copy on this machine that is what the pin promises; None where there is no copy."""
    if pin.file is not None:
        return _local(pin, [pin.file], cache, progress)
    copies = copies_of(pin, search)
    if copies:
        return _local(pin, copies, cache, progress)
    if pin.sha256 is not None and is_intact(pin, known := cached_path(pin, cache, pin.sha256)):
        return known
    return None


def _nowhere(pin: SourcePin, search: Sequence[Path], cache: Path) -> str:
    folders = ", ".join(map(str, search)) or "which is not set"
    return (
        f"source {pin.id}: {pin.file_name} is neither below SORITES_SOURCES ({folders}) nor in the "
        f"cache ({cache})"
    )


def fetch(
    pin: SourcePin,
    address: str,
    cache: Path,
    progress: Progress,
    *,
    transport: httpx2.BaseTransport | None = None,
) -> tuple[str, Path]:
    """Fetch a file from one address into the cache: the SHA-256 of its content, and where it is.

    The content is kept only if the pin has no checksum or this one. Raises SourceError as
    ``obtain`` does, but not for another checksum.
    """
    packing = packing_of(address.partition("?")[0])
    most = pin.max_bytes + (_PACKING if packing else 0)
    wanted = Download(address, f"source {pin.id}", most)
    name = pin.sha256 or hashlib.sha256(address.encode()).hexdigest()
    with _part(pin, cached_path(pin, cache, name), packing) as (part, file):
        found = download(wanted, part, file, progress, transport=transport)
        # Whole by now: of no use to a later run, whether or not its content is right.
        try:
            if packing:
                found, target = take(pin, part, cache, progress)
            else:
                target = cached_path(pin, cache, found)
                if pin.sha256 in (None, found):
                    # Moved while it is locked, so that no other process goes on writing to it.
                    part.replace(target)
        finally:
            part.unlink(missing_ok=True)
    return found, target


def _local(pin: SourcePin, copies: Sequence[Path], cache: Path, progress: Progress) -> Path:
    """The first copy whose checksum is right; if there is none, an error that lists all copies."""
    wrong = []
    for copy in copies:
        found, place = take(pin, copy, cache, progress)
        if pin.sha256 in (None, found):
            return place
        wrong.append(f"{copy} has {found}")
    raise SourceError(_wrong_checksum(pin, "; ".join(wrong)))


def _fetched(
    pin: SourcePin,
    cache: Path,
    progress: Progress,
    transport: httpx2.BaseTransport | None,
    mirror: Fallback | None,
) -> Path:
    """The content from the first address that has it, or from the mirror."""
    failures: list[SourceError] = []
    if pin.made is not None:
        failures.append(SourceError(hint_on_made(pin)))
    for address in pin.addresses:
        try:
            found, target = fetch(pin, address, cache, progress, transport=transport)
        except SourceError as error:
            failures.append(error)
            continue
        if found == pin.sha256:
            return target
        failures.append(SourceError(_wrong_checksum(pin, f"{address} has {found}")))
    if mirror is not None and pin.sha256 is not None:
        try:
            return _from_mirror(pin, pin.sha256, cache, mirror)
        except SourceError as error:
            failures.append(error)
    if len(failures) == 1:
        raise failures[0]
    raise SourceError("\n".join(map(str, failures)))


def _from_mirror(pin: SourcePin, sha256: str, cache: Path, mirror: Fallback) -> Path:
    target = cached_path(pin, cache, sha256)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=target.name[:16]) as folder:
            part = Path(folder, "content")
            mirror(sha256, part)
            found, _ = take(pin, part, cache, Silent())
            if found != sha256:
                raise SourceError(_wrong_checksum(pin, f"the mirror has {found}"))
            part.replace(target)
    except OSError as error:
        raise SourceError(f"source {pin.id}: {hint_on_disk(error, target)}") from error
    return target


def _wrong_checksum(pin: SourcePin, found: str) -> str:
    named = pin.url or pin.file
    return (
        f"source {pin.id}: wrong checksum: {found}; the spec has {pin.sha256} for {named}. "
        "Replace the file by the version that the spec names, or correct the spec."
    )


@contextlib.contextmanager
def _part(pin: SourcePin, target: Path, packing: str) -> Iterator[tuple[Path, BinaryIO]]:
    """An unfinished download, for this process alone, which stays there when it breaks off.

    Another process that fetches the same file is not waited for: a second download, into a
    file of its own, costs less than a lock that someone has forgotten.
    """
    part = target.with_name(f"{target.name}.part{packing}")
    try:
        with locked(part.with_name(f"{part.name}.lock"), wait=False) as held:
            if held:
                try:
                    with part.open("a+b") as file:
                        yield part, file
                finally:
                    # No answer came that a later run could go on from.
                    if part.is_file() and not (part.stat().st_size or tag_of(part).exists()):
                        part.unlink()
                return
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=target.name[:16]) as folder:
            own = Path(folder, part.name)
            with own.open("a+b") as file:
                yield own, file
    except OSError as error:
        raise SourceError(f"source {pin.id}: {hint_on_disk(error, part)}") from error
