"""Child processes of tests: never waited for without end, and never left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import pytest

PATIENCE = 240.0
"""Seconds after which a child hangs and is ended, with a failure: what decides is an event."""


@contextmanager
def started(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    stdin: int | IO[Any] | None = subprocess.DEVNULL,
    stdout: int | IO[Any] | None = None,
    stderr: int | IO[Any] | None = None,
) -> Iterator[subprocess.Popen[str]]:
    """Run a command in a session of its own, all of which ends with the block.

    ``env`` is added to the environment. Whoever reads a pipe of the command comes to its end at
    the latest when the patience does; then the test fails.
    """
    process = subprocess.Popen(
        [str(part) for part in command],
        env={**os.environ, **(env or {})},
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        text=True,
        start_new_session=True,
    )
    overdue = threading.Event()

    def end() -> None:
        overdue.set()
        _end(process)

    watch = threading.Timer(PATIENCE, end)
    watch.daemon = True
    watch.start()
    try:
        yield process
        if overdue.is_set():
            pytest.fail(f"had to be ended after {PATIENCE:.0f} seconds: {command}")
    finally:
        watch.cancel()
        _end(process)
        _close(process)


def line_of(process: subprocess.Popen[str]) -> str:
    """The next line that the process prints; fails if it ends before."""
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, f"ended without a line: {process.poll()}"
    return line


def _end(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _close(process: subprocess.Popen[str]) -> None:
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
