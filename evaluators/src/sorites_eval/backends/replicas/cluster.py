"""The Ray cluster that holds the replicas: one of this machine, or the one at an address."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sorites_eval.backends.replicas.placement import Machine, Need
from sorites_eval.backends.replicas.worker import Worker
from sorites_eval.errors import RunError

__all__ = ["Crew", "cluster", "machines"]

PATIENCE = 10.0
"""Seconds in which a cluster takes a connection."""


class Crew:
    """The workers of a command: so many of one kind, each replaced when it is lost.

    They outlive a task, so that a model is loaded once for all tasks of the command.
    """

    def __init__(self, ray: Any, workers: int, need: Need) -> None:
        self.ray = ray
        options = {"num_cpus": need.cpus, "num_gpus": need.gpus, "scheduling_strategy": "SPREAD"}
        self._class = ray.remote(**options)(Worker)
        self.workers: list[Any] = [self._hire() for _ in range(workers)]

    def _hire(self) -> Any:
        return self._class.remote(str(Path.cwd()))

    def replace(self, lost: Any) -> Any:
        """A new worker in the place of one that does not answer any more."""
        self.ray.kill(lost)
        new = self._hire()
        self.workers[self.workers.index(lost)] = new
        return new

    def dismiss(self) -> None:
        """End all workers."""
        for worker in self.workers:
            # A cluster that is gone has no workers.
            with suppress(self.ray.exceptions.RayError):
                self.ray.kill(worker)


def machines(ray: Any) -> list[Machine]:
    """The machines of the cluster that answer."""
    resources = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    return [Machine(int(has.get("CPU", 0)), int(has.get("GPU", 0))) for has in resources]


@contextmanager
def cluster(address: str | None, workers: int | None) -> Iterator[Any]:
    """Ray, connected to the cluster at an address, or to one of this machine that ends here.

    Where the program has called ``ray.init`` itself, that cluster is used and left running.
    Raises RunError if Ray is not installed or no cluster answers.
    """
    try:
        import ray
    except ImportError as error:
        raise RunError(
            "--engine ray needs the package ray: pip install 'sorites-eval[ray]'."
        ) from error
    if ray.is_initialized():
        yield ray
        return
    where: dict[str, Any] = {"address": address}
    if address is not None:
        _check(address)
    else:
        # As many workers as one asks for, also where cores are fewer.
        enough = {"num_cpus": max(workers, os.cpu_count() or 1)} if workers else {}
        where = {"address": "local", "include_dashboard": False, **enough}
    try:
        with _own_handlers():
            ray.init(**where, log_to_driver=False, logging_level=logging.ERROR)
    except (ImportError, OSError, RuntimeError, ValueError) as error:
        text = str(error).strip().rstrip(".")
        if address is not None:
            raise _nowhere(address, text) from error
        raise RunError(f"no Ray cluster on this machine: {text}.") from error
    try:
        yield ray
    finally:
        with _own_handlers():
            ray.shutdown()


def _check(address: str) -> None:
    """Try the port of HOST:PORT: Ray itself waits two minutes for a cluster that is not there."""
    if address.startswith("ray://"):
        raise RunError(
            f"--address {address}: run the command on a machine of the cluster, and give the "
            "cluster's own address, HOST:6379; ray:// is for programs outside of it."
        )
    host, colon, port = address.rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise _nowhere(address, getattr(error, "strerror", None) or str(error)) from error


def _nowhere(address: str, why: str) -> RunError:
    return RunError(
        f"no Ray cluster at {address}: {why}. Start one there (ray start --head), or leave out "
        "--address for one on this machine."
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
