"""The engine of many machines: actors of a Ray cluster, by default one on this machine alone."""

from __future__ import annotations

import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from sorites.engines.engine import AGAIN, EngineError, begun_in_order, window

__all__ = ["RayCluster", "ray_cluster"]

PATIENCE = 10.0
"""Seconds in which a cluster takes a connection."""

Task = TypeVar("Task")
Result = TypeVar("Result")
Shared = TypeVar("Shared")


@contextmanager
def ray_cluster(workers: int, address: str | None) -> Iterator[RayCluster]:
    """A cluster of this machine, which ends with the block, or the one at an address.

    Where the program has called ``ray.init`` itself, that cluster is used and left running.
    Raises EngineError if Ray is not installed or no cluster answers.
    """
    try:
        import ray
    except ImportError as error:
        raise EngineError(
            "--engine ray needs the package ray: pip install 'sorites[ray]'"
        ) from error
    if ray.is_initialized():
        # Whose machines these are, the program knows that has called it.
        yield RayCluster(ray, workers, processes_here=1)
        return
    where: dict[str, Any] = {"address": address}
    if address:
        _try(address)
    else:
        where = {"address": "local", "num_cpus": workers, "include_dashboard": False}
    try:
        with _own_handlers():
            ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)
    except (OSError, RuntimeError, ValueError) as error:
        raise _no_cluster(address, str(error)) from error
    try:
        yield RayCluster(ray, workers, processes_here=1 if address else workers)
    finally:
        with _own_handlers():
            ray.shutdown()


def _try(address: str) -> None:
    """Knock at the port of HOST:PORT: Ray waits two minutes for a cluster that is not there."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
        except (OSError, OverflowError) as error:
            raise _no_cluster(address, getattr(error, "strerror", None) or str(error)) from error


def _no_cluster(address: str | None, why: str) -> EngineError:
    if address is None:
        return EngineError(f"no Ray cluster on this machine: {why}")
    return EngineError(
        f"no Ray cluster at {address}: {why}. Start one there (ray start --head), or leave out "
        "--address for one on this machine"
    )


@contextmanager
def _own_handlers() -> Iterator[None]:
    """Keep what this program does on SIGTERM: Ray puts a handler of its own in its place."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class RayCluster:
    """Works on actors of a cluster; Ray replaces those that are lost and repeats their tasks."""

    def __init__(self, ray: Any, workers: int, *, processes_here: int) -> None:
        self.workers = workers
        self.processes_here = processes_here
        self._ray = ray

    def map(
        self,
        step: Callable[[Shared, Task], Result],
        tasks: Sequence[Task],
        *,
        shared: Shared,
        weight: Callable[[Task], int] | None = None,
    ) -> Iterator[Result]:
        """See ``Engine``. What is shared is put into the cluster's store once."""
        ray = self._ray
        waiting = begun_in_order(tasks, window(self.workers), weight)[::-1]
        there = ray.put(shared)
        remote = ray.remote(max_restarts=AGAIN, max_task_retries=AGAIN, num_cpus=1)(_Worker)
        actors = [remote.remote(there) for _ in range(min(self.workers, len(tasks)))]
        idle = [*actors]
        running: dict[Any, tuple[int, Any]] = {}
        results: dict[int, Any] = {}
        try:
            for due in range(len(tasks)):
                while due not in results:
                    while idle and waiting and len(running) + len(results) < window(self.workers):
                        actor, position = idle.pop(), waiting.pop()
                        running[actor.work.remote(step, tasks[position])] = (position, actor)
                    (done, *_), _ = ray.wait([*running], num_returns=1)
                    position, actor = running.pop(done)
                    results[position] = done
                    idle.append(actor)
                yield self._result(results.pop(due))
        finally:
            for actor in actors:
                ray.kill(actor)

    def _result(self, reference: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause from error
        except errors.RayError as error:
            raise EngineError(
                "a Ray worker ended in the middle of its work, again and again: something killed "
                "it, or the memory was not enough. With fewer --workers less is needed"
            ) from error


class _Worker:
    """An actor: holds what is shared."""

    def __init__(self, shared: object) -> None:
        self._shared: Any = shared

    def work(self, step: Callable[[Any, Any], Any], task: object) -> object:
        return step(self._shared, task)
