"""A directory that appears whole or not at all.

It is filled beside its place under a name of its own, flushed to the disk, and renamed. A lock
file in the folder above it keeps a second run out; so whatever unfinished directory lies there
while the lock is held was left by a run that was killed, and is removed.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sorites.errors import SoritesError
from sorites.files import check_folder, missing_folders, remove_empty
from sorites.locks import locked
from sorites.release.files.parquet import file_sha256

__all__ = ["check_place", "files_under", "staged"]

_LOCK = ".lock"
_UNFINISHED = re.compile(r"\.\d+\.\d+\.\d+\.partial", re.ASCII)


@contextmanager
def staged(target: Path) -> Iterator[Path]:
    """Yield an empty directory to fill, which becomes ``target`` when the block ends well.

    If the block raises, or is interrupted, nothing is left of it, nor of folders made for it. A
    target that is there already with the very same files is left alone; one that lacks some of
    them and holds no others (a ledger entry without its data) is completed.

    Raises SoritesError if the target is there with other content, OSError if the disk refuses.
    """
    missing = missing_folders(target.parent)
    try:
        with locked(target.parent / _LOCK):
            work = target.parent / f".{target.name}.partial"
            try:
                _remove_unfinished(target.parent)
                work.mkdir()
                yield work
                _flush(work)
                _settle(work, target)
            finally:
                shutil.rmtree(work, ignore_errors=True)
    except BaseException:
        remove_empty(missing)
        raise


def check_place(target: Path) -> None:
    """Raise OSError where a directory could not be written: before the work that would fill it.

    What is tried out leaves nothing behind.
    """
    if target.exists() and not target.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(target))
    check_folder(target.parent)


def files_under(directory: Path) -> list[str]:
    """Everything under a directory that is no directory itself, as sorted paths with ``/``."""
    return sorted(
        path.relative_to(directory).as_posix()
        for path in directory.rglob("*")
        if path.is_symlink() or not path.is_dir()
    )


def _remove_unfinished(folder: Path) -> None:
    for path in folder.iterdir():
        if _UNFINISHED.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)


def _flush(directory: Path) -> None:
    for path in [*directory.rglob("*"), directory]:
        _sync(path)


def _sync(path: Path) -> None:
    if os.name == "nt":
        # Windows flushes only what is open for writing, and no directories.
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _settle(work: Path, target: Path) -> None:
    if not target.exists():
        work.rename(target)
    else:
        new, old = files_under(work), files_under(target)
        differing = [
            name
            for name in old
            if name not in new or file_sha256(work / name) != file_sha256(target / name)
        ]
        if differing:
            raise SoritesError(
                f"{target}: this version is there already, with other content "
                f"({', '.join(differing[:5])}{', …' if len(differing) > 5 else ''}). "
                "A version never changes once it is published: raise the version in the spec, "
                "or remove the folder if it was never published"
            )
        # release.json of a ledger entry names these files already: each arrives whole.
        for name in new:
            if name not in old:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                (work / name).rename(target / name)
    _sync(target.parent)
