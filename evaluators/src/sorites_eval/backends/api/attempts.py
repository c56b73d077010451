"""Asking again while that can help: limits, faults that pass, and answers that make no sense."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from sorites_eval.backends.api.oddities import Oddities
from sorites_eval.backends.api.pacing import Clock, Pace, Waits
from sorites_eval.backends.api.refusal import Failed
from sorites_eval.errors import ModelError

__all__ = ["MOST", "STALL", "Again", "Attempts", "Limited"]

MOST = 8
"""Attempts at one request, those apart that were turned away for their number."""
STALL = 3
"""Attempts that one time-out is worth: it has cost its time already."""

T = TypeVar("T")


@dataclass(frozen=True)
class Limited(Exception):
    """Too many requests; ``wait`` is what was asked for. ``spent`` if it is money that ran out."""

    trouble: str
    wait: float | None = None
    spent: bool = False


@dataclass(frozen=True)
class Again(Exception):
    """A fault that may pass. ``reachable`` tells whether anybody answered at all."""

    trouble: str
    wait: float | None = None
    cost: int = 1
    reachable: bool = True


class Attempts:
    """Attempts at requests to one place, which all threads share with their pace."""

    def __init__(
        self, place: str, tell: Callable[[str], None], clock: Clock | None, waits: Waits | None
    ) -> None:
        self._place = place
        self._clock = clock or Clock()
        self._waits = waits or Waits()
        self._stopped = threading.Event()
        own = Clock(self._clock.now, self._sleep)
        self._pace = Pace(own, self._waits, self._stopped.is_set)
        self.oddities = Oddities(tell)

    def stop(self) -> None:
        """Let no thread ask again: whoever waits for answers has gone."""
        self._stopped.set()

    def _sleep(self, seconds: float) -> None:
        """Sleep in pieces, so that a stop is soon heard of."""
        while seconds > 0 and not self._stopped.is_set():
            self._clock.sleep(min(seconds, 1.0))
            seconds -= 1.0

    def make(self, send: Callable[[], T]) -> T:
        """What ``send`` returns in the end; it raises Limited or Again for another attempt.

        Raises Failed after the last attempt, and ModelError if nobody answered, if no request is
        let through any more, or if the account is empty. Other errors of ``send`` go through.
        """
        spent = 0
        while True:
            started = self._pace.take()
            if self._stopped.is_set():
                raise ModelError(f"{self._place}: stopped.")
            try:
                answer = send()
            except Limited as limited:
                self._slow(started, limited)
            except Again as again:
                self.oddities.add(again.trouble)
                spent += again.cost
                if spent >= MOST:
                    raise self._end(again, spent) from again
                if again.wait is not None:
                    self._pace.slow(started, again.wait)
                else:
                    self._sleep(self._waits.back_off(spent - 1))
            else:
                self._pace.quicken()
                return answer

    def _slow(self, started: float, limited: Limited) -> None:
        if limited.spent:
            raise ModelError(
                f"{self._place}: the account has no credit left: {limited.trouble}. The same "
                "command goes on from here."
            ) from limited
        if self._pace.slow(started, limited.wait):
            minutes = self._waits.patience / 60
            raise ModelError(
                f"{self._place}: for {minutes:.0f} minutes every request was turned away; the "
                f"last: {limited.trouble}. The same command goes on from here."
            ) from limited

    def _end(self, again: Again, spent: int) -> Failed | ModelError:
        text = f"no answer after {spent // again.cost} attempts; the last: {again.trouble}"
        if again.reachable:
            return Failed(f"{text}.")
        return ModelError(f"{self._place}: {text}. The same command goes on from here.")
