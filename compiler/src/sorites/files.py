"""Files that appear whole or not at all, and folders that are tried out before they are needed."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

__all__ = ["check_folder", "missing_folders", "remove_empty", "write_whole"]

_PROBE = b"\0" * (64 << 10)
"""The least that anything written here needs."""


def check_folder(folder: Path) -> None:
    """Raise OSError where no file could be written into a folder: before the work that fills it.

    What is tried out leaves nothing behind, nor do folders that are made for it.
    """
    missing = missing_folders(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(_PROBE)
            probe.flush()
            os.fsync(probe.fileno())
    finally:
        remove_empty(missing)


def missing_folders(folder: Path) -> list[Path]:
    """Which of a folder and those above it are not there yet, innermost first."""
    return [*takewhile(lambda path: not path.exists(), (folder, *folder.parents))]


def remove_empty(folders: Sequence[Path]) -> None:
    """Remove folders, innermost first, up to the first that holds something or is not there."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file beside its place, flushed to the disk, and move it there.

    The mode of a file that is replaced stays. Raises OSError; then the old content is still there.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            part.chmod(path.stat().st_mode)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
