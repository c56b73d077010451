"""What an engine is, and in which order it begins its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from sorites.errors import CutShort

__all__ = ["AGAIN", "Engine", "EngineError", "begun_in_order", "window"]

Task = TypeVar("Task")
Result = TypeVar("Result")
Shared = TypeVar("Shared")

AGAIN = 3
"""How often lost workers are replaced in one map before the work is given up."""


class EngineError(CutShort):
    """Work that an engine could not begin, or whose workers were lost too often."""


class Engine(Protocol):
    """Maps a step over tasks, on workers of whatever kind; the results are the same on all."""

    @property
    def workers(self) -> int:
        """How many tasks are worked on at one time."""
        ...

    @property
    def processes_here(self) -> int:
        """How many of the workers share the memory of this machine."""
        ...

    def map(
        self,
        step: Callable[[Shared, Task], Result],
        tasks: Sequence[Task],
        *,
        shared: Shared,
        weight: Callable[[Task], int] | None = None,
    ) -> Iterator[Result]:
        """The results in the order of the tasks, whatever ran when.

        ``step`` is a function of a module, without effects: a task whose worker was lost is done
        again. A worker gets what is ``shared`` once. Of near tasks those of the most ``weight``
        are begun first, and never more than a ``window`` of them ahead of the results.

        Raises what the step raises, and EngineError where workers are lost again and again.
        """
        ...


def window(workers: int) -> int:
    """How many tasks may be begun whose results nobody has taken yet."""
    return max(64, 4 * workers)


def begun_in_order(
    tasks: Sequence[Task], size: int, weight: Callable[[Task], int] | None
) -> list[int]:
    """The positions of tasks in the order of their beginning: in each window the heaviest first.

    A heavy task that is begun last is waited for by all. With at most ``size`` tasks ahead of the
    results, the task whose result is due has always been begun.

    >>> begun_in_order(["a", "ccc", "bb", "dddd"], 2, len)
    [1, 0, 3, 2]
    """
    positions = range(len(tasks))
    if weight is None:
        return [*positions]
    heavy = {position: weight(tasks[position]) for position in positions}
    return sorted(positions, key=lambda position: (position // size, -heavy[position]))
