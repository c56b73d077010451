"""How many processes a compile takes if nobody says, and work that is spread over them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from typing import TypeVar

from sorites.errors import SoritesError
from sorites.signals import end_with_parent, signals_held

__all__ = ["default_workers", "refuse_none", "spread"]

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def default_workers() -> int:
    """One a core, and at most eight: each holds its own copy of the ontology."""
    return min(os.cpu_count() or 1, 8)


def refuse_none(workers: int) -> None:
    """Raise SoritesError for fewer than one: nothing looked at must not pass for nothing found."""
    if workers < 1:
        raise SoritesError(f"{workers} workers do no work: give 1 or more")


def spread(
    step: Callable[[_Task], _Result],
    tasks: Sequence[_Task],
    *,
    workers: int,
    weight: Callable[[_Task], int] | None = None,
    begin: Callable[[], object] | None = None,
) -> Iterator[_Result]:
    """The results of a step, a function of a module, in the order of the tasks.

    Tasks of most ``weight`` are begun first: last, they would be waited for. Each process calls
    ``begin`` once, before its first task, and so gets what all tasks need.

    Raises what the step raises, and SoritesError where a process was killed.
    """
    refuse_none(workers)
    if workers == 1 or len(tasks) < 2:
        if begin is not None:
            begin()
        yield from map(step, tasks)
        return
    executor = ProcessPoolExecutor(
        min(workers, len(tasks)),
        # Not fork: Arrow and Z3 may hold locks in threads that a fork would not copy.
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(begin,),
    )
    order = sorted(range(len(tasks)), key=lambda at: 0 if weight is None else -weight(tasks[at]))
    try:
        with signals_held():
            futures = {position: executor.submit(step, tasks[position]) for position in order}
        for position in range(len(tasks)):
            yield futures[position].result()
    except BrokenProcessPool as error:
        raise SoritesError(
            "a worker process ended in the middle of its work: something killed it, or the "
            "memory was not enough. With fewer --workers less is needed"
        ) from error
    except BaseException:
        # Whoever interrupts does not want to wait for the tasks that are being worked on.
        for worker in active_children():
            worker.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _begin(begin: Callable[[], object] | None) -> None:
    end_with_parent()
    if begin is not None:
        begin()
