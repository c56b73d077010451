"""How many workers, and how much for each, on every cluster of up to three small machines."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import pytest

from sorites_eval.backends.replicas.placement import Machine, Need, place
from sorites_eval.errors import RunError

MACHINES = [Machine(cpus, gpus) for cpus, gpus in product((1, 2, 5), (0, 1, 3))]
CLUSTERS = [
    list(some) for size in (1, 2, 3) for some in combinations_with_replacement(MACHINES, size)
]


def fits(machines: list[Machine], need: Need, workers: int) -> bool:
    """Whether the workers find room, taken one by one to whichever machine has some left."""
    left = [[machine.cpus, machine.gpus] for machine in machines]
    for _ in range(workers):
        found = next((m for m in left if m[0] >= need.cpus and m[1] >= need.gpus), None)
        if found is None:
            return False
        found[0] -= need.cpus
        found[1] -= need.gpus
    return True


@pytest.mark.parametrize("gpu", [False, True])
@pytest.mark.parametrize("spread", [False, True])
def test_all_workers_fit_and_none_could_have_more(gpu: bool, spread: bool) -> None:
    for machines in CLUSTERS:
        on_gpu = gpu and any(machine.gpus for machine in machines)
        for workers in range(1, 16):
            least = Need(1, 1 if on_gpu else 0)
            if not fits(machines, least, workers):
                with pytest.raises(RunError):
                    place(machines, workers, gpu=gpu, spread=spread)
                continue
            count, need = place(machines, workers, gpu=gpu, spread=spread)
            assert count == workers
            assert fits(machines, need, workers)
            assert not fits(machines, Need(need.cpus + 1, need.gpus), workers)
            if not on_gpu:
                assert need.gpus == 0
            elif spread:
                assert not fits(machines, Need(1, need.gpus + 1), workers)
            else:
                assert need.gpus == 1


@pytest.mark.parametrize(
    ("machines", "gpu", "spread", "workers", "need"),
    [
        ([Machine(8)], True, False, 1, Need(8)),
        ([Machine(8), Machine(4)], False, False, 2, Need(4)),
        ([Machine(8, 4), Machine(2)], False, False, 2, Need(4)),
        ([Machine(16, 4), Machine(2)], True, False, 4, Need(4, 1)),
        ([Machine(16, 4), Machine(16, 2), Machine(9)], True, False, 6, Need(4, 1)),
        ([Machine(16, 4), Machine(16, 4)], True, True, 2, Need(16, 4)),
        ([Machine(0), Machine(4)], False, False, 1, Need(4)),
    ],
)
def test_without_a_number(
    machines: list[Machine], gpu: bool, spread: bool, workers: int, need: Need
) -> None:
    assert place(machines, None, gpu=gpu, spread=spread) == (workers, need)


@pytest.mark.parametrize(
    ("machines", "workers", "message"),
    [
        (
            [Machine(8, 2), Machine(8)],
            3,
            "--workers 3: the cluster has room for 2, each with a core and a GPU of its own.",
        ),
        ([Machine(2)], 3, "--workers 3: the cluster has room for 2, each with a core of its own."),
        ([], None, "--workers 0: the cluster has room for 0, each with a core of its own."),
    ],
)
def test_too_many(machines: list[Machine], workers: int | None, message: str) -> None:
    with pytest.raises(RunError) as caught:
        place(machines, workers, gpu=True, spread=False)
    assert str(caught.value) == message
