"""Locks between processes and threads: a file that is held while it is used, and then removed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

from sorites.errors import SoritesError

__all__ = ["locked"]

_ATTEMPTS = 1000

SECONDS = 600.0
"""For so long a lock is waited for: what is done under one takes seconds."""

_LONGEST_COMMAND = 200


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock file ``path`` while the block runs; its folder is made if it is not there.

    Yields whether it is held: always, unless ``wait`` is false and another holds it. What a
    process that was killed leaves of its lock is an empty file, which holds up no one.

    Raises SoritesError, which names the holder where the system tells it, for a lock that was
    waited for in vain, and OSError where the file cannot be made.
    """
    lock = FileLock(path)
    try:
        _acquire(lock, path, wait)
    except Timeout:
        if wait:
            raise SoritesError(
                f"{path.parent}: {_holder(path)} has been writing there for {SECONDS:,.0f} seconds "
                "and more. Wait until it ends, or end it, and run the command again"
            ) from None
        yield False
        return
    try:
        yield True
    finally:
        # While it is held: whoever waits for this very file sees that it is gone, and makes one.
        # (Windows does not remove a file that is open; there the lock does so by itself.)
        with suppress(OSError):
            path.unlink()
        lock.release()


def _acquire(lock: FileLock, path: Path, wait: bool) -> None:
    for attempt in count(1):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire(timeout=SECONDS if wait else 0)
        except (FileNotFoundError, FileExistsError):
            # Another process has just removed a folder that it had made in vain (Python says that
            # it exists if that happens while it looks). A place where no folder can be, such as
            # /proc or below a file, looks the same, but for ever.
            if attempt == _ATTEMPTS:
                raise
        else:
            return


def _holder(path: Path) -> str:
    """Who holds a lock, in words: the process, if this is Linux and it can be seen from here."""
    with suppress(OSError, ValueError):
        found = path.stat()
        place = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            fields = line.split()
            if "->" not in fields and place in fields:
                number = int(fields[fields.index(place) - 1])
                return f"process {number}{_command(number)}"
    return "another process"


def _command(number: int) -> str:
    with suppress(OSError):
        text = Path(f"/proc/{number}/cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
        if text:
            return f" ({text[:_LONGEST_COMMAND]})"
    return ""
