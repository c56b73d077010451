"""The engine of one machine: as many processes as were asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

from sorites.engines.engine import AGAIN, EngineError, begun_in_order, window
from sorites.signals import end_with_parent, signals_held

__all__ = ["Processes"]

Task = TypeVar("Task")
Result = TypeVar("Result")
Shared = TypeVar("Shared")


class Processes:
    """Works in processes of this machine.

    Where one is killed, what is not done yet is begun again in new ones.
    """

    def __init__(self, workers: int) -> None:
        self.workers = self.processes_here = workers

    def map(
        self,
        step: Callable[[Shared, Task], Result],
        tasks: Sequence[Task],
        *,
        shared: Shared,
        weight: Callable[[Task], int] | None = None,
    ) -> Iterator[Result]:
        """See ``Engine``. A single task is done in this process."""
        if len(tasks) < 2:
            for task in tasks:
                yield step(shared, task)
            return
        waiting = begun_in_order(tasks, window(self.workers), weight)[::-1]
        begun: dict[int, Future[Result]] = {}
        done = lost = 0
        while done < len(tasks):
            pool = self._pool(shared, len(tasks) - done)
            try:
                while done < len(tasks):
                    while waiting and len(begun) < window(self.workers):
                        with signals_held():
                            begun[waiting[-1]] = pool.submit(_work, step, tasks[waiting[-1]])
                        waiting.pop()
                    result = begun[done].result()
                    del begun[done]
                    done += 1
                    yield result
            except BrokenProcessPool as error:
                lost += 1
                if lost > AGAIN:
                    raise EngineError(
                        "a worker process ended in the middle of its work, again and again: "
                        "something killed it, or the memory was not enough. With fewer --workers "
                        "less is needed"
                    ) from error
                waiting += [each for each in reversed(begun) if not _has_result(begun[each])]
                begun = {each: one for each, one in begun.items() if _has_result(one)}
            except BaseException:
                # Whoever interrupts does not want to wait for what is being worked on.
                for worker in active_children():
                    worker.terminate()
                raise
            finally:
                pool.shutdown(wait=True, cancel_futures=True)

    def _pool(self, shared: object, tasks: int) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(
            min(self.workers, tasks),
            # Not fork: Arrow and Z3 may hold locks in threads that a fork would not copy.
            mp_context=get_context("spawn"),
            initializer=_enter,
            initargs=(shared,),
        )


def _has_result(future: Future[Result]) -> bool:
    """Whether a task was done; what its step raised counts, what befell its worker does not."""
    return (
        future.done()
        and not future.cancelled()
        and not isinstance(future.exception(), BrokenProcessPool)
    )


_HERE: list[Any] = []
"""What is shared, in a worker process."""


def _enter(shared: object) -> None:
    end_with_parent()
    _HERE[:] = [shared]


def _work(step: Callable[[Shared, Task], Result], task: Task) -> Result:
    return step(_HERE[0], task)
