"""Copies of a source on this machine: in folders that the user names, and in the cache."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import platformdirs

from sorites.errors import SourceError
from sorites.progress import Progress
from sorites.sources.archive import SUFFIXES, content, packing_of, without_suffix
from sorites.sources.download import hint_on_disk
from sorites.specfile.model import SourcePin

__all__ = [
    "cache_folder",
    "cached_path",
    "copies_of",
    "folders_of_sources",
    "hint_on_made",
    "is_intact",
    "reading",
    "take",
]

_DEEPEST = 8
_MOST_FILES = 100_000


def folders_of_sources() -> tuple[Path, ...]:
    """The folders that SORITES_SOURCES names, separated as the system separates paths."""
    named = os.environ.get("SORITES_SOURCES", "")
    return tuple(Path(entry) for entry in named.split(os.pathsep) if entry)


def cache_folder() -> Path:
    """The folder that SORITES_CACHE names, or the user's cache for this program."""
    named = os.environ.get("SORITES_CACHE", "")
    return Path(named) if named else platformdirs.user_cache_path("sorites")


def copies_of(pin: SourcePin, search: Sequence[Path]) -> list[Path]:
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


def cached_path(pin: SourcePin, cache: Path, sha256: str) -> Path:
    """Where the content with a checksum is cached; the name of the file tells its format."""
    name = re.sub(r"[^A-Za-z0-9._-]", "_", without_suffix(pin.file_name))[-100:]
    return cache / f"{sha256}-{name}"


def hint_on_made(pin: SourcePin) -> str:
    """What to do about a file that lies at no address and was not found."""
    name, how = pin.made or (pin.file_name, "")
    return (
        f"source {pin.id}: {name} lies at no address. Make it, put it into a folder, and name that "
        f"folder in SORITES_SOURCES. How it is made: {how}"
    )


def is_intact(pin: SourcePin, path: Path) -> bool:
    """Whether a file of the cache is there and has the pin's checksum."""
    if not path.is_file():
        return False
    with reading(pin, path):
        return _digest(pin, path) == pin.sha256


def take(pin: SourcePin, copy: Path, cache: Path, progress: Progress) -> tuple[str, Path]:
    """The SHA-256 of a copy's content, and where that content lies.

    A plain file is used where it is. A compressed one is unpacked into the cache, if the pin has
    no checksum or that of its content. Raises SourceError where it cannot be read or stored.
    """
    if not packing_of(copy.name):
        with reading(pin, copy):
            return _digest(pin, copy), copy
    if pin.sha256 is not None and is_intact(pin, known := cached_path(pin, cache, pin.sha256)):
        return pin.sha256, known
    with reading(pin, copy):
        return _unpack(pin, copy, cache, progress)


@contextlib.contextmanager
def reading(pin: SourcePin, path: Path) -> Iterator[None]:
    """Errors of reading a file, as SourceErrors that name the source."""
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


def _unpack(pin: SourcePin, packed: Path, cache: Path, progress: Progress) -> tuple[str, Path]:
    """Decompress into the cache, where the content appears only if its checksum may be."""
    hasher = hashlib.sha256()
    size = packed.stat().st_size
    advance = progress.stage(f"unpack {packed.name}", size)
    with packed.open("rb") as file, _storing(pin, cache) as (unpacked, path):
        read = 0
        for piece in content(packed, file, packing=packing_of(packed.name), most=pin.max_bytes):
            hasher.update(piece)
            unpacked.write(piece)
            advance(file.tell() - read)
            read = file.tell()
        advance(size - read)
        unpacked.flush()
        os.fsync(unpacked.fileno())
        found = hasher.hexdigest()
        target = cached_path(pin, cache, found)
        if pin.sha256 in (None, found):
            path.replace(target)
    return found, target


@contextlib.contextmanager
def _storing(pin: SourcePin, cache: Path) -> Iterator[tuple[BinaryIO, Path]]:
    """A new file in the cache; removed at the end unless it was moved."""
    path = None
    try:
        cache.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=cache, prefix="unpacked-", suffix=".tmp")
        path = Path(name)
        with os.fdopen(handle, "wb") as file:
            yield file, path
    except OSError as error:
        raise SourceError(f"source {pin.id}: {hint_on_disk(error, cache)}") from error
    finally:
        if path is not None:
            path.unlink(missing_ok=True)
