"""A compile that is stopped from outside, on a terminal, in the middle of its work."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sorites.engines.engine import AGAIN
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from tests.processes import started
from tests.small_spec import small_spec

if os.name == "nt":
    pytest.skip("signals and terminals of POSIX", allow_module_level=True)

import pty

BEGUN = re.compile("finding bindings")
"""Shown when the spec is checked and read; workers, if there are any, are being started."""

AT_WORK = re.compile(r"[1-9]/4")
"""Shown when a scheme is done, by a worker or here; of many items, others are being worked on."""


@dataclass
class Terminal:
    """The screen of a command: a pseudo-terminal, on which it shows its progress."""

    screen: int
    seen: str = field(default="")

    def until(self, text: re.Pattern[str]) -> None:
        """Wait for a text."""
        while not text.search(self.seen):
            assert self._more(), self.seen

    def to_the_end(self) -> str:
        """All that is shown until no process of the command is left, workers included."""
        while self._more():
            pass
        return self.seen.replace("\r\n", "\n")

    def _more(self) -> bool:
        try:
            shown = os.read(self.screen, 65_536)
        except OSError:
            # So Linux tells that no one holds the other side any more.
            return False
        self.seen += shown.decode(errors="replace")
        return bool(shown)


@contextmanager
def compiling(
    spec: Path, out: Path, workers: int, *, before: tuple[str, ...] = ()
) -> Iterator[tuple[subprocess.Popen[str], Terminal]]:
    command = [*before, sys.executable, "-m", "sorites", "compile", spec, "--out", out]
    home = {"XDG_CACHE_HOME": str(spec.parent), "SORITES_SOURCES": "", "TERM": "xterm"}
    screen, side = pty.openpty()
    try:
        with started([*command, "--workers", str(workers)], env=home, stderr=side) as process:
            os.close(side)
            yield process, Terminal(screen)
    finally:
        os.close(screen)


def endless(folder: Path) -> Path:
    """A spec whose items take longer than any test waits."""

    def long(data: dict[str, Any]) -> None:
        data["items"].update(arguments=5000, distractors=5)

    return small_spec(folder, long)


@pytest.mark.parametrize(
    ("number", "code", "word", "workers", "shown"),
    [
        (signal.SIGINT, 130, "interrupted", 1, BEGUN),
        (signal.SIGINT, 130, "interrupted", 2, BEGUN),
        (signal.SIGINT, 130, "interrupted", 2, AT_WORK),
        (signal.SIGTERM, 143, "terminated", 1, BEGUN),
        (signal.SIGTERM, 143, "terminated", 2, BEGUN),
    ],
)
def test_a_signal_ends_all_processes_and_leaves_nothing(
    number: int, code: int, word: str, workers: int, shown: re.Pattern[str], tmp_path: Path
) -> None:
    """Ctrl-C reaches every process of the group, as from a terminal; SIGTERM only the first."""
    out = tmp_path / "out"
    with compiling(endless(tmp_path), out, workers) as (process, terminal):
        terminal.until(shown)
        send = os.killpg if number == signal.SIGINT else os.kill
        send(process.pid, number)
        told = terminal.to_the_end()
        assert process.wait() == code, told
    assert told.endswith(f"{word}: nothing was left half-written\n")
    assert "Traceback" not in told
    assert not out.exists()


def test_sigterm_to_the_whole_group(tmp_path: Path) -> None:
    """As a container or a batch system that stops does it."""
    out = tmp_path / "out"
    with compiling(endless(tmp_path), out, 2) as (process, terminal):
        terminal.until(AT_WORK)
        os.killpg(process.pid, signal.SIGTERM)
        told = terminal.to_the_end()
        assert process.wait() == 143, told
    assert told.endswith("terminated: nothing was left half-written\n")
    assert "Traceback" not in told
    assert not out.exists()


def test_workers_end_with_a_parent_that_was_killed(tmp_path: Path) -> None:
    with compiling(endless(tmp_path), tmp_path / "out", 2) as (process, terminal):
        terminal.until(AT_WORK)
        process.kill()
        # The terminal comes to its end when the last worker is gone.
        assert "Traceback" not in terminal.to_the_end()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")
def test_workers_that_are_killed_again_and_again_are_told(tmp_path: Path) -> None:
    """As the system does it when memory runs out."""
    out = tmp_path / "out"
    with compiling(endless(tmp_path), out, 2) as (process, terminal):
        terminal.until(AT_WORK)
        killed: set[int] = set()
        for _ in range(AGAIN + 1):
            killed.add(kill_a_worker(process.pid, killed))
        told = terminal.to_the_end()
        assert process.wait() == 1, told
    assert "a worker process ended in the middle of its work" in told
    assert "Traceback" not in told
    assert not out.exists()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")
def test_a_worker_that_is_killed_changes_no_byte(tmp_path: Path) -> None:
    spec = small_spec(tmp_path, lambda data: data["items"].update(arguments=100))
    with compiling(spec, tmp_path / "killed", 2) as (process, terminal):
        terminal.until(BEGUN)
        kill_a_worker(process.pid, set())
        told = terminal.to_the_end()
        assert process.wait() == 0, told
    compile_spec(spec, tmp_path / "alone", progress=Silent())
    assert content_of(tmp_path / "killed") == content_of(tmp_path / "alone")


def kill_a_worker(parent: int, but: set[int]) -> int:
    """Send SIGKILL to a worker process that is there now, or as soon as there is one."""
    while True:
        for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
            try:
                line = Path(f"/proc/{child}/cmdline").read_text()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if "spawn_main" in line and int(child) not in but:
                os.kill(int(child), signal.SIGKILL)
                return int(child)
        time.sleep(0.05)


def content_of(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.slow
def test_signals_that_the_shell_has_ignored_stay_so(tmp_path: Path) -> None:
    """As in ``nohup sorites compile … &`` in a script: neither parent nor workers stop."""
    ignoring = ("sh", "-c", 'trap "" INT TERM; exec "$@"', "sh")
    out = tmp_path / "out"
    with compiling(small_spec(tmp_path), out, 2, before=ignoring) as (process, terminal):
        terminal.until(AT_WORK)
        os.killpg(process.pid, signal.SIGINT)
        os.kill(process.pid, signal.SIGTERM)
        told = terminal.to_the_end()
        assert process.wait() == 0, told
    assert (out / "small" / "1.0.0" / "release.json").is_file()


FINALIZERS = """
import os, signal, sys
from sorites.signals import stopping

class Half:
    def __init__(self):
        os.kill(os.getpid(), number)
        self.whole = True
    def __del__(self):
        if self.whole:
            os.kill(os.getpid(), number)

number = int(sys.argv[1])
with stopping():
    half = Half.__new__(Half)
    if sys.argv[2] == "in a finalizer":
        half.whole = True
        del half
        sys.stdin.read()
    half.__init__()
"""


@pytest.mark.parametrize("place", ["in a finalizer", "in a constructor"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_is_not_lost_in_a_finalizer(number: int, place: str) -> None:
    command = [sys.executable, "-c", FINALIZERS, str(int(number)), place]
    pipe = subprocess.PIPE
    with started(command, stdin=pipe, stderr=pipe) as process:
        assert process.stderr is not None
        told = process.stderr.read()
        code = process.wait()
    if number == signal.SIGTERM:
        assert (code, told) == (143, "")
    else:
        assert code == -signal.SIGINT
        assert told.startswith("Traceback")
        assert "Exception ignored" not in told
