"""Which engine does the work: what the options of a command say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from sorites.engines.engine import Engine, EngineError
from sorites.engines.serial import Serial

__all__ = ["EngineName", "default_workers", "engine_of", "on_this_machine"]


class EngineName(StrEnum):
    """The engines there are."""

    SERIAL = "serial"
    PROCESSES = "processes"
    RAY = "ray"


def default_workers() -> int:
    """One a core, and at most eight: each holds its own copy of the ontology."""
    return min(os.cpu_count() or 1, 8)


def on_this_machine(workers: int) -> Engine:
    """As many processes as were asked for; none besides this one for one worker.

    Raises EngineError for fewer than one: nothing looked at must not pass for nothing found.
    """
    _refuse_none(workers)
    if workers == 1:
        return Serial()
    from sorites.engines.processes import Processes

    return Processes(workers)


@contextmanager
def engine_of(name: str | None, *, workers: int, address: str | None = None) -> Iterator[Engine]:
    """The engine of a name, for as long as the block lasts; processes if there is none.

    Raises EngineError for an unknown name, for no workers, for an address that the engine has no
    use for, and for a cluster that is not there.
    """
    _refuse_none(workers)
    if name not in (None, *EngineName):
        raise EngineError(f"no engine {name!r}: one of {', '.join(EngineName)}")
    if address is not None and name != EngineName.RAY:
        raise EngineError("--address is that of a Ray cluster: it needs --engine ray")
    if name == EngineName.RAY:
        from sorites.engines.ray_cluster import ray_cluster

        with ray_cluster(workers, address) as cluster:
            yield cluster
    elif name == EngineName.SERIAL:
        yield Serial()
    else:
        yield on_this_machine(workers)


def _refuse_none(workers: int) -> None:
    if workers < 1:
        raise EngineError(f"{workers} workers do no work: give 1 or more")
