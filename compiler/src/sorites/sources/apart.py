"""Work on a stranger's file in a process of its own, which ends when it has had its share.

What is refused is refused by rules that count; this is the last resort for what no rule foresaw.
It ends a process, and decides no row: there is a result, or an error.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from sorites.canonical import Json
from sorites.errors import SourceError

__all__ = ["LimitReached", "Limits", "apart"]


class LimitReached(SourceError):
    """The process had its share; the message says of what."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What the process may use: ``seconds`` of computing, ``memory`` in bytes on top of ours.

    ``waiting`` are seconds by the clock, for a process that neither computes nor ends.
    """

    seconds: int
    memory: int
    waiting: int = 24 * 3600


def apart(work: Callable[[], Iterator[Json]], limits: Limits) -> Iterator[Json]:
    """What ``work`` yields, from a process in which it runs as it would have here.

    A None is not passed on: it hands over at once what was yielded before it.
    Raises SourceError as ``work`` does and for whatever else it raises, and LimitReached where it
    reaches a limit. Where processes cannot be forked (Windows) it runs here, without limits.
    """
    if sys.platform == "win32":
        yield from (value for value in work() if value is not None)
        return
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        # Other threads of this process do not exist in the new one, which needs none of them.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        os.close(reading)
        _run(work, writing, limits)
    os.close(writing)
    status: int | None = None
    try:
        with os.fdopen(reading, encoding="utf-8") as lines:
            for line in lines:
                kind, value = json.loads(line)
                if kind == "limit":
                    raise LimitReached(str(value))
                if kind == "error":
                    raise SourceError(str(value))
                if kind == "end":
                    return
                yield value
        _, status = os.waitpid(child, 0)
    finally:
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    raise LimitReached(_ending(status, limits))


def _run(work: Callable[[], Iterator[Json]], writing: int, limits: Limits) -> NoReturn:
    """Do the work, and end the process without anything that this process would do at its end."""
    try:
        _limit(limits)
        faulthandler.disable()
        # What a library prints when it gives up is for its authors; ours is told by the parent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        # It ends with its work, and looking for cycles costs a parser a tenth of its time.
        gc.disable()
        with os.fdopen(writing, "w", encoding="utf-8") as lines:
            try:
                for value in work():
                    if value is None:
                        lines.flush()
                        continue
                    lines.write(json.dumps(["value", value]) + "\n")
                lines.write(json.dumps(["end", None]) + "\n")
            except SourceError as error:
                lines.write(json.dumps(["error", str(error)]) + "\n")
            except MemoryError:
                lines.write(json.dumps(["limit", _memory(limits)]) + "\n")
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                lines.write(json.dumps(["error", text]) + "\n")
    finally:
        os._exit(0)


if sys.platform != "win32":
    import resource

    def _limit(limits: Limits) -> None:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGXCPU, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, limits.waiting)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))
        used = _data()
        if used is not None:
            most = used + limits.memory
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data() -> int | None:
    """The bytes of data that this process has mapped, where the system says it."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    found = [line.split()[1] for line in lines if line.startswith("VmData:")]
    return int(found[0]) * 1024 if found else None


def _ending(status: int, limits: Limits) -> str:
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if number == getattr(signal, "SIGXCPU", -1) or number == signal.SIGKILL:
        return f"it takes more than {limits.seconds:,} seconds of computing, or was ended"
    if number == getattr(signal, "SIGALRM", -1):
        return f"it takes more than {limits.waiting:,} seconds"
    return _memory(limits)


def _memory(limits: Limits) -> str:
    return f"it takes more than {limits.memory >> 20:,} MB of memory, or cannot go on"
