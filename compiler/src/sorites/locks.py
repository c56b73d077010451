"""Locks between processes and threads: a file that is held while it is used, and then removed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["locked"]

_ATTEMPTS = 1000


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold the lock file ``path`` while the block runs; its folder is made if it is not there.

    Yields whether it is held: always, unless ``wait`` is false and another holds it. What a
    process that was killed leaves of its lock is an empty file, which holds up no one.

    Raises OSError where the file cannot be made.
    """
    lock = FileLock(path)
    try:
        _acquire(lock, path, wait)
    except Timeout:
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
            lock.acquire(timeout=-1 if wait else 0)
        except FileNotFoundError:
            # Another process has just removed a folder that it had made in vain. A place where
            # no folder can be (such as /proc) looks the same, but for ever.
            if attempt == _ATTEMPTS:
                raise
        else:
            return
