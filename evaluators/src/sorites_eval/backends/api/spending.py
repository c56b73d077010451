"""What a run has spent, and a budget that it stays within."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, field

from sorites_eval.backends.api.estimate import tokens
from sorites_eval.backends.protocol import Reply, Usage
from sorites_eval.errors import RunError
from sorites_eval.prompts.requests import Request

__all__ = ["Price", "Spending"]


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens that are read, and that are written."""

    read: float
    written: float

    def of(self, usage: Usage) -> float:
        """What some tokens cost, in dollars."""
        return (usage.read * self.read + usage.written * self.written) / 1_000_000


@dataclass
class Spending:
    """Counts tokens and dollars; ``budget`` is the most that may be spent, or None.

    A request is let through only if the budget covers the most that it and those under way can
    cost. So it is kept as far as the counts of tokens go: the provider's own where it tells them,
    by which the estimates of what is to come are corrected upwards, else the estimates.
    """

    price: Price | None = None
    budget: float | None = None
    limit: int = 0
    read: int = 0
    written: int = 0
    dollars: float = 0.0
    _ratio: float = 1.0
    _reserved: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.budget is not None and self.price is None:
            raise RunError("a budget needs prices: give --price READ WRITTEN as well.")

    def lets(self, request: Request) -> bool:
        """Set aside what a request can cost at most; False if the budget does not cover it."""
        if self.budget is None or self.price is None:
            return True
        with self._lock:
            read = math.ceil(tokens(request) * self._ratio)
            most = self.price.of(Usage(read, self.limit))
            if self.dollars + sum(self._reserved.values()) + most > self.budget:
                return False
            self._reserved[_key(request)] = most
            return True

    def add(self, request: Request, reply: Reply) -> None:
        """Count what a reply has cost."""
        usage = reply.usage or Usage(tokens(request), len(reply.thought + reply.text) // 4)
        if reply.usage is None and not reply.text and not reply.thought:
            usage = Usage(0, 0)
        with self._lock:
            self._reserved.pop(_key(request), None)
            self._ratio = max(self._ratio, usage.read / tokens(request))
            self.read += usage.read
            self.written += usage.written
            if self.price is not None:
                self.dollars += self.price.of(usage)

    def over(self, left: int) -> RunError:
        """The error with which a run stops that may spend no more."""
        assert self.budget is not None
        return RunError(
            f"the budget of ${self.budget:,.2f} does not cover another request: "
            f"${self.dollars:,.4f} are spent, {left:,} requests are left. What was answered is "
            "kept: the same command goes on with a new budget."
        )


def _key(request: Request) -> str:
    return f"{request.id}\0{request.view}"
