"""How fast requests are sent: as fast as they are answered, and slower where a limit is met.

All threads share one pace. A request that is turned away for its number makes all of them wait,
at least a moment whatever the answer asks for, and widens the gap between two requests; every
answer narrows it a little. So the rate settles just below the limit, whatever it is, and a wait of
several threads does not end in a new storm.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

__all__ = ["Clock", "Pace", "Waits"]

WIDEN, NARROW = 1.5, 0.93


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds on a clock that never goes back, and a way to let some pass."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True)
class Waits:
    """Seconds: the shortest and longest wait, the first and widest gap between two requests.

    ``patience`` is how long requests may be turned away with none answered in between.
    """

    shortest: float = 0.5
    longest: float = 120.0
    first_gap: float = 0.05
    widest_gap: float = 20.0
    patience: float = 1800.0

    def scaled(self, factor: float) -> Self:
        """The same in a world that is faster or slower."""
        return replace(
            self,
            shortest=self.shortest * factor,
            longest=self.longest * factor,
            first_gap=self.first_gap * factor,
            widest_gap=self.widest_gap * factor,
            patience=self.patience * factor,
        )

    def back_off(self, attempt: int) -> float:
        """A wait before the next attempt (from 0): twice as long each time, with jitter."""
        return min(self.shortest * 2.0**attempt, self.longest / 4) * random.uniform(0.75, 1.25)


class Pace:
    """The shared pace of all threads that send to one endpoint."""

    def __init__(
        self, clock: Clock, waits: Waits, stopped: Callable[[], bool] = lambda: False
    ) -> None:
        self._clock = clock
        self._stopped = stopped
        self._waits = waits
        self._lock = threading.Lock()
        self._next = self._not_before = clock.now()
        self._gap = 0.0
        self._slowed = self._answered = clock.now()
        self._in_a_row = 0

    def take(self) -> float:
        """Wait for a turn; returns when it came, or at once where all has stopped."""
        while True:
            with self._lock:
                now = self._clock.now()
                due = max(self._next, self._not_before)
                if now >= due or self._stopped():
                    self._next = now + self._gap * random.uniform(0.9, 1.1)
                    return now
            self._clock.sleep(due - now)

    def slow(self, started: float, wait: float | None) -> bool:
        """A request that took its turn at ``started`` was turned away, and asked for ``wait``.

        Returns whether patience is at its end.
        """
        with self._lock:
            now = self._clock.now()
            if started >= self._slowed:
                # What was under way already when the pace slowed says nothing of the new one.
                wider = max(self._gap * WIDEN, self._waits.first_gap)
                self._gap = min(wider, self._waits.widest_gap)
                self._slowed = now
                self._in_a_row += 1
            asked = self._waits.back_off(min(self._in_a_row - 1, 10)) if wait is None else wait
            hold = min(max(asked, self._waits.shortest), self._waits.longest)
            self._not_before = max(self._not_before, now + hold * random.uniform(1.0, 1.25))
            return now - self._answered > self._waits.patience

    def quicken(self) -> None:
        """A request was answered."""
        with self._lock:
            self._answered = self._clock.now()
            self._in_a_row = 0
            self._gap *= NARROW
            if self._gap < self._waits.first_gap / 4:
                self._gap = 0.0
