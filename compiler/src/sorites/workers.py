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

__all__ = ["default_workers", "spread"]

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")


def default_workers() -> int:
    """One a core, and at most eight: each holds its own copy of the ontology."""
    return min(os.cpu_count() or 1, 8)


def spread(
    step: Callable[[_Task], _Result], tasks: Sequence[_Task], *, workers: int
) -> Iterator[_Result]:
    """The results of a step, a function of a module, in the order of the tasks.

    Raises what the step raises, and SoritesError where a process was killed.
    """
    if workers == 1 or len(tasks) < 2:
        yield from map(step, tasks)
        return
    executor = ProcessPoolExecutor(
        min(workers, len(tasks)), mp_context=get_context("spawn"), initializer=end_with_parent
    )
    try:
        with signals_held():
            futures = [executor.submit(step, task) for task in tasks]
        for future in futures:
            yield future.result()
    except BrokenProcessPool as error:
        raise SoritesError(
            "a worker process ended in the middle of its work: something killed it, or the "
            "memory was not enough. With fewer --workers less is needed"
        ) from error
    except BaseException:
        for worker in active_children():
            worker.terminate()
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
