"""How many workers there are, and how much of its machine each one gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sorites_eval.errors import RunError

__all__ = ["Machine", "Need", "place"]


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of the cluster: its cores and its GPUs."""

    cpus: int
    gpus: int = 0

    def holds(self, need: Need) -> int:
        """How many workers fit it."""
        most = self.cpus // need.cpus
        return min(most, self.gpus // need.gpus) if need.gpus else most


@dataclass(frozen=True, slots=True)
class Need:
    """What each worker gets: cores, which are the threads of its model, and GPUs."""

    cpus: int
    gpus: int = 0


def place(
    machines: Sequence[Machine], workers: int | None, *, gpu: bool, spread: bool
) -> tuple[int, Need]:
    """The number of workers, and what each gets, so that all of them fit.

    ``gpu`` says that the model runs on a GPU, where the cluster has any; it gets one, or with
    ``spread`` an equal share of them. Without a number there is a worker for each GPU; where a
    model takes all that a machine has, for each machine. Raises RunError where so many do not fit.

    >>> place([Machine(8, 4), Machine(8, 4)], None, gpu=True, spread=False)
    (8, Need(cpus=2, gpus=1))
    >>> place([Machine(8), Machine(8)], 3, gpu=False, spread=False)
    (3, Need(cpus=4, gpus=0))
    """
    usable = [machine for machine in machines if machine.gpus] if gpu else []
    least = Need(1, 1 if usable else 0)
    usable = usable or [machine for machine in machines if machine.cpus]
    room = sum(machine.holds(least) for machine in usable)
    count = workers or (room if least.gpus and not spread else len(usable))
    if not 0 < count <= room:
        each = "a core and a GPU" if least.gpus else "a core"
        raise RunError(
            f"--workers {count}: the cluster has room for {room}, each with {each} of its own."
        )
    best = least
    if least.gpus and spread:
        most = max(machine.gpus for machine in usable)
        best = _largest(usable, count, [Need(1, gpus) for gpus in range(1, most + 1)])
    most = max(machine.cpus for machine in usable)
    wider = [Need(cpus, best.gpus) for cpus in range(1, most + 1)]
    return count, _largest(usable, count, wider)


def _largest(machines: Sequence[Machine], workers: int, needs: Sequence[Need]) -> Need:
    """The last of the needs, from small to large, that so many workers may have."""
    fit = [need for need in needs if sum(m.holds(need) for m in machines) >= workers]
    return fit[-1]
