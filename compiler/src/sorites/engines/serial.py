"""The engine without workers: one task after another, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

__all__ = ["Serial"]

Task = TypeVar("Task")
Result = TypeVar("Result")
Shared = TypeVar("Shared")


class Serial:
    """Works in this process."""

    workers = 1
    processes_here = 1

    def map(
        self,
        step: Callable[[Shared, Task], Result],
        tasks: Sequence[Task],
        *,
        shared: Shared,
        weight: Callable[[Task], int] | None = None,
    ) -> Iterator[Result]:
        """One result after another; see ``Engine``."""
        del weight
        for task in tasks:
            yield step(shared, task)
