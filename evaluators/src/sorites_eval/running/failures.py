"""When requests that failed are too many to go on.

An item that fails is an item with an outcome of its own, and the run goes on. But where nothing is
answered at all, or a large part fails, it is not the items that are at fault.
"""

from __future__ import annotations

from dataclasses import dataclass

from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.errors import ModelError

__all__ = ["Failures"]

FEWEST = 20
"""Failures that are always let pass, unless another limit is asked for, …"""
SHARE = 0.25
"""… or this share of the requests, whichever is more;"""
AT_FIRST = 5
"""and so many before anything was answered."""


@dataclass
class Failures:
    """Counts the failures of a command that asks ``requests``; ``most`` is its own limit."""

    requests: int
    most: int | None = None
    failed: int = 0
    answered: int = 0

    def add(self, reply: Reply) -> None:
        """Count one reply; ModelError if there were too many failures."""
        if reply.ended is not Ended.ERROR:
            self.answered += 1
            return
        self.failed += 1
        if self.most is not None:
            too_many = self.failed > self.most
        elif not self.answered:
            too_many = self.failed >= min(AT_FIRST, self.requests)
        else:
            too_many = self.failed > max(FEWEST, SHARE * self.requests)
        if too_many:
            raise ModelError(
                f"{self.failed} of {self.failed + self.answered} requests failed; the last: "
                f"{reply.trouble} What was answered is kept: the same command asks the rest, and "
                "--max-errors N lets more fail."
            )
