"""Where models run: in this process, or on a Ray cluster with ``--engine ray``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from sorites_eval.backends.api.oddities import silent
from sorites_eval.backends.kinds import BackendKind
from sorites_eval.backends.opening import Open, kind_of, open_backend
from sorites_eval.backends.options import Options
from sorites_eval.backends.protocol import Backend
from sorites_eval.backends.replicas.cluster import Crew, cluster, machines
from sorites_eval.backends.replicas.placement import place
from sorites_eval.backends.replicas.replicated import Replicas
from sorites_eval.backends.replicas.worker import Named
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import ModelError, RunError
from sorites_eval.prompts.requests import Item

__all__ = ["opener"]


@contextmanager
def opener(options: Options) -> Iterator[Open]:
    """What opens the backends of a command: ``open_backend`` itself, or the same on a cluster.

    The cluster starts with the first model, and ends with the block. Raises RunError for options
    that say nothing without a cluster.
    """
    if options.engine is None:
        for name, value in (("--address", options.address), ("--workers", options.workers)):
            if value is not None:
                raise RunError(f"{name} is about a Ray cluster: it needs --engine ray.")
        yield open_backend
        return
    if options.engine != "ray":
        raise RunError(
            f'no engine "{options.engine}": give ray, or leave --engine out for a model in this '
            "process."
        )
    if options.workers is not None and options.workers < 1:
        raise RunError(f"--workers {options.workers}: there must be at least one.")
    with ExitStack() as stack:
        crews: list[Crew] = []

        def open_replicas(
            model: str,
            task: Task,
            items: Sequence[Item],
            options: Options,
            where: Path,
            _tell: Callable[[str], None] = silent,
        ) -> Backend:
            kind = kind_of(model)
            if kind.paid:
                raise ModelError(
                    f"{model}: is asked from one machine, several requests at a time; leave out "
                    "--engine ray, and say how many with --concurrency."
                )
            if not crews:
                crews.append(stack.enter_context(_crew(kind, options)))
            here = replace(options, engine=None, address=None, workers=None)
            return Replicas(crews[0], Named(model, task, items, here, where))

        yield open_replicas


@contextmanager
def _crew(kind: BackendKind, options: Options) -> Iterator[Crew]:
    devices = options.device_map or ""
    with cluster(options.address, options.workers) as ray:
        workers, need = place(
            machines(ray),
            options.workers,
            gpu=kind.accelerated and devices != "cpu",
            spread=bool(devices) and not devices.startswith(("cpu", "cuda")),
        )
        crew = Crew(ray, workers, need)
        try:
            yield crew
        finally:
            crew.dismiss()
