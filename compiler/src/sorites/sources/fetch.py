"""Pinned files: found in a mirror, in the cache or on the web, and always checked.

Nothing but the content that the spec's checksum promises ever leaves this module.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import httpx2
import platformdirs

from sorites.errors import SourceError
from sorites.locks import locked
from sorites.progress import Progress
from sorites.sources.archive import SUFFIXES, content, packing_of, without_suffix
from sorites.sources.download import Download, download, hint_on_disk
from sorites.specfile.model import SourcePin

__all__ = ["cache_folder", "mirror_folders", "obtain"]

BLANK = "0" * 64
"""A checksum to be filled in: a spec that nobody could pin yet is valid, and does not compile."""

_DEEPEST = 8
_MOST_FILES = 100_000
# An archive of what cannot be compressed is a little larger than its content.
_PACKING = 1 << 20


def mirror_folders() -> tuple[Path, ...]:
    """The folders that SORITES_SOURCES names, separated as the system separates paths."""
    named = os.environ.get("SORITES_SOURCES", "")
    return tuple(Path(entry) for entry in named.split(os.pathsep) if entry)


def cache_folder() -> Path:
    """The folder that SORITES_CACHE names, or the user's cache for this program."""
    named = os.environ.get("SORITES_CACHE", "")
    return Path(named) if named else platformdirs.user_cache_path("sorites")


def obtain(
    pin: SourcePin,
    progress: Progress,
    *,
    search: Sequence[Path] | None = None,
    cache: Path | None = None,
    transport: httpx2.BaseTransport | None = None,
) -> Path:
    """The content of a pinned file, decompressed, its checksum verified.

    A ``file`` of the pin is read where it is. Otherwise the file is looked for by its name,
    compressed or not, below the folders of ``search`` (those of SORITES_SOURCES), then in
    ``cache`` (that of SORITES_CACHE), then fetched, unless SORITES_OFFLINE is set.

    Raises SourceError where the file is nowhere, is not what the checksum promises, is larger
    than the pin allows, or cannot be read, fetched or stored.
    """
    if pin.sha256 == BLANK:
        raise SourceError(
            f"source {pin.id}: 64 zeros stand for a checksum that is not known. Fetch {pin.url}, "
            "look at it, and write the SHA-256 of its unpacked content into the spec."
        )
    search = mirror_folders() if search is None else search
    cache = cache_folder() if cache is None else cache
    if pin.file is not None:
        return _local(pin, [pin.file], cache, progress)
    copies = _mirrored(pin, search)
    if copies:
        return _local(pin, copies, cache, progress)
    target = _cached_path(pin, cache)
    if _intact(pin, target):
        return target
    if os.environ.get("SORITES_OFFLINE", "0") not in ("", "0"):
        folders = ", ".join(map(str, search)) or "which is not set"
        raise SourceError(
            f"source {pin.id}: {pin.file_name} is neither below SORITES_SOURCES ({folders}) nor "
            f"in the cache ({cache}), and SORITES_OFFLINE forbids fetching it. Put the file into "
            "a folder and name that folder in SORITES_SOURCES."
        )
    return _fetched(pin, target, progress, transport)


def _local(pin: SourcePin, copies: Sequence[Path], cache: Path, progress: Progress) -> Path:
    """The first copy whose checksum is right; if there is none, an error that lists all copies."""
    wrong = []
    for copy in copies:
        packed = bool(packing_of(copy.name))
        target = _cached_path(pin, cache)
        if packed and _intact(pin, target):
            return target
        with _reading(pin, copy):
            found = _unpack(pin, copy, target, progress) if packed else _digest(pin, copy)
        if found == pin.sha256:
            return target if packed else copy
        wrong.append(f"{copy} has {found}")
    raise SourceError(_wrong_checksum(pin, "; ".join(wrong)))


def _wrong_checksum(pin: SourcePin, found: str) -> str:
    named = pin.url or pin.file
    return (
        f"source {pin.id}: wrong checksum: {found}; the spec has {pin.sha256} for {named}. "
        "Replace the file by the version that the spec names, or correct the spec."
    )


def _mirrored(pin: SourcePin, search: Sequence[Path]) -> list[Path]:
    """The files below the folders that have the pin's name, the plain one of each folder first."""
    plain = without_suffix(pin.file_name)
    names = list(dict.fromkeys([plain, pin.file_name, *(plain + end for end in SUFFIXES)]))
    found = []
    for folder in search:
        if not folder.is_dir():
            raise SourceError(
                f"source {pin.id}: SORITES_SOURCES names {folder}, which is not a folder"
            )
        seen = 0
        for at, folders, files in os.walk(folder):
            folders.sort()
            if len(Path(at).relative_to(folder).parts) >= _DEEPEST:
                folders.clear()
            seen += len(files) + len(folders)
            if seen > _MOST_FILES:
                raise SourceError(
                    f"source {pin.id}: {folder} holds more than {_MOST_FILES:,} files. Let "
                    "SORITES_SOURCES name the folder of the sources itself."
                )
            found += [Path(at, name) for name in names if name in files]
    return found


def _cached_path(pin: SourcePin, cache: Path) -> Path:
    """Where the content is cached: named by its checksum, and by the file for its format."""
    name = re.sub(r"[^A-Za-z0-9._-]", "_", without_suffix(pin.file_name))[-100:]
    return cache / f"{pin.sha256}-{name}"


def _intact(pin: SourcePin, path: Path) -> bool:
    if not path.is_file():
        return False
    with _reading(pin, path):
        return _digest(pin, path) == pin.sha256


@contextlib.contextmanager
def _reading(pin: SourcePin, path: Path) -> Iterator[None]:
    try:
        if path.exists() and not path.is_file():
            raise SourceError(f"source {pin.id}: {path} is not a file")
        yield
    except SourceError as error:
        told = str(error)
        raise SourceError(
            told if told.startswith("source ") else f"source {pin.id}: {told}"
        ) from None
    except OSError as error:
        raise SourceError(
            f"source {pin.id}: {path} cannot be read: {error.strerror or error}"
        ) from None


def _digest(pin: SourcePin, path: Path) -> str:
    hasher = hashlib.sha256()
    with path.open("rb") as file:
        for piece in content(path, file, packing="", most=pin.max_bytes):
            hasher.update(piece)
    return hasher.hexdigest()


def _unpack(pin: SourcePin, packed: Path, target: Path, progress: Progress) -> str:
    """Decompress into ``target``, which appears only if its checksum is right; returns it."""
    hasher = hashlib.sha256()
    size = packed.stat().st_size
    advance = progress.stage(f"unpack {packed.name}", size)
    with packed.open("rb") as file, _storing(pin, target) as (unpacked, path):
        read = 0
        for piece in content(packed, file, packing=packing_of(packed.name), most=pin.max_bytes):
            hasher.update(piece)
            unpacked.write(piece)
            advance(file.tell() - read)
            read = file.tell()
        advance(size - read)
        unpacked.flush()
        os.fsync(unpacked.fileno())
        if hasher.hexdigest() == pin.sha256:
            path.replace(target)
    return hasher.hexdigest()


@contextlib.contextmanager
def _storing(pin: SourcePin, target: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A new file beside ``target``; removed at the end unless it was moved."""
    path = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name[:16], suffix=".tmp")
        path = Path(name)
        with os.fdopen(handle, "wb") as file:
            yield file, path
    except OSError as error:
        raise SourceError(f"source {pin.id}: {hint_on_disk(error, target)}") from error
    finally:
        if path is not None:
            path.unlink(missing_ok=True)


def _fetched(
    pin: SourcePin, target: Path, progress: Progress, transport: httpx2.BaseTransport | None
) -> Path:
    packing = packing_of(pin.file_name)
    most = pin.max_bytes + (_PACKING if packing else 0)
    wanted = Download(pin.url or "", f"source {pin.id}", most)
    with _part(pin, target, packing) as (part, file):
        found = download(wanted, part, file, progress, transport=transport)
        if packing:
            # Whole, so of no use to a later run, whether or not its content is right.
            try:
                with _reading(pin, part):
                    found = _unpack(pin, part, target, progress)
            finally:
                part.unlink()
        elif found == pin.sha256:
            # Moved while it is locked, so that no other process goes on writing to it.
            part.replace(target)
        else:
            part.unlink()
    if found != pin.sha256:
        raise SourceError(_wrong_checksum(pin, f"{pin.url} has {found}"))
    return target


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
                with part.open("a+b") as file:
                    yield part, file
                return
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=target.name[:16]) as folder:
            own = Path(folder, part.name)
            with own.open("a+b") as file:
                yield own, file
    except OSError as error:
        raise SourceError(f"source {pin.id}: {hint_on_disk(error, part)}") from error
