"""Faults of the Hub that pass by themselves, and how long a command waits for that."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from sorites.errors import SoritesError

__all__ = ["PASSING", "PassingFault", "Sleep", "patiently", "retry_after"]

T = TypeVar("T")

Sleep = Callable[[float], None]
"""Waits for some seconds."""

PASSING = frozenset({429, 500, 502, 503, 504})
"""The statuses by which a server says that it is busy or out of order, not that a call is wrong."""

_MOST_TRIES = 6
_LONGEST_WAIT = 120.0  # seconds
_LONGEST_IN_ALL = 600.0  # seconds


class PassingFault(SoritesError):
    """A call that may succeed when it is made again, after ``wait`` seconds if that is told."""

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a ``Retry-After`` asks for, or None (RFC 9110, section 10.2.3).

    >>> retry_after({"Retry-After": "7"}), retry_after({"Retry-After": "soon"}), retry_after({})
    (7.0, None, None)
    """
    told = headers.get("Retry-After", "").strip()
    if told.isdecimal():
        return float(told)
    try:
        until = parsedate_to_datetime(told)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def patiently(call: Callable[[], T], *, sleep: Sleep = time.sleep) -> T:
    """Make a call, and make it again after a passing fault, as long as that is reasonable.

    The call must be one that may be repeated. The waits are those that the server asks for, or
    1, 2, 4, … seconds. Raises the PassingFault that was one too many, and whatever else the call
    raises.
    """
    waited = 0.0
    for attempt in range(_MOST_TRIES - 1):
        try:
            return call()
        except PassingFault as fault:
            wait = float(2**attempt) if fault.wait is None else fault.wait
            if wait > _LONGEST_WAIT or waited + wait > _LONGEST_IN_ALL:
                raise
            sleep(wait)
            waited += wait
    return call()
