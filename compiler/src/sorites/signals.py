"""What ends the command from outside: its workers end with it, and nothing is half-written."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType

__all__ = ["TERMINATED", "end_with_parent", "signals_held", "stopping"]

TERMINATED = 128 + signal.SIGTERM
"""The exit code of a command that SIGTERM has ended, as shells count it."""

_STOPPING = (signal.SIGINT, signal.SIGTERM)
_SOON = 0.02


@contextmanager
def stopping() -> Iterator[None]:
    """Let SIGINT and SIGTERM raise in the main thread, so that all that was begun is undone.

    SIGINT (Ctrl-C) raises KeyboardInterrupt, SIGTERM SystemExit. A signal that whoever started
    the process has had ignored stays ignored; outside the main thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _STOPPING}
    try:
        for number, handler in before.items():
            if handler != signal.SIG_IGN:
                signal.signal(number, _stop)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    # For as long as the process goes on to live: what was begun is let go of to the very end.
    sys.unraisablehook = partial(_in_finalizer, number)
    raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(TERMINATED)


def _in_finalizer(number: int, unraisable: sys.UnraisableHookArgs) -> None:
    """Hear of an exception that a finalizer cannot raise, when a signal has come.

    Z3's objects have finalizers by the thousand. Where the signal itself came into one, it is
    sent again when that is over; objects that it left half made are not worth a word.
    """
    if isinstance(unraisable.exc_value, (KeyboardInterrupt, SystemExit)):
        again = threading.Timer(_SOON, _send, [number])
        again.daemon = True
        again.start()


def _send(number: int) -> None:
    if hasattr(signal, "pthread_kill"):
        # To the main thread itself: then it also wakes from what it waits for.
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(signal.Signals(number))


@contextmanager
def signals_held() -> Iterator[None]:
    """Keep signals from processes that are just starting: each would print a traceback.

    They inherit that the signals are held, until they call ``end_with_parent``; this process
    gets them when the block ends. Nothing is held on Windows.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Make this worker process end at once on a signal, and when its parent is gone.

    A worker that is interrupted has nothing to say; its parent has. One whose parent was killed
    would wait for work for ever.
    """
    # As the shell has it for what runs in the background: an interrupt that is ignored stays so.
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)


def _end_after(sentinel: int) -> None:
    from multiprocessing.connection import wait

    wait([sentinel])
    os._exit(1)
