"""What the exit code of a command means: one rule for all of them, told by ``sorites --help``.

A command that judges something, such as ``audit`` or ``verify``, tells faults that it found from
an error that kept it from looking: who calls it in a script treats them differently.
"""

from __future__ import annotations

from enum import IntEnum

from sorites.signals import TERMINATED

__all__ = ["MEANINGS", "ExitCode"]


class ExitCode(IntEnum):
    """How a command ended."""

    DONE = 0
    FAILED = 1
    UNREADABLE = 2
    FAULTS = 3
    INTERRUPTED = 130
    TERMINATED = TERMINATED


MEANINGS = {
    ExitCode.DONE: "it was done, and no fault was found",
    ExitCode.FAILED: "it could not be done, or a spec is not valid",
    ExitCode.UNREADABLE: "the command line is wrong, or a spec cannot be read",
    ExitCode.FAULTS: "audit, verify or rebuild looked and found faults",
    ExitCode.INTERRUPTED: "ended by Ctrl-C",
    ExitCode.TERMINATED: "ended by SIGTERM",
}
