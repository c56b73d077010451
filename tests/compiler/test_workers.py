"""Work that is spread over processes: its order, its beginning, and what goes wrong in it."""

from __future__ import annotations

import os
import signal
from functools import partial

import pytest

from sorites.errors import SoritesError
from sorites.workers import default_workers, spread

HERE: list[int] = []


def begin(number: int) -> None:
    HERE.append(number)


def add(number: int) -> tuple[int, int]:
    """A number more by what this process began with, and how often it began."""
    return number + sum(HERE), len(HERE)


def refuse(number: int) -> int:
    if number == 2:
        raise SoritesError(f"not {number}")
    return number


def die(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_tasks(workers: int) -> None:
    HERE.clear()
    tasks = [5, 1, 4, 2, 3]
    found = [*spread(add, tasks, workers=workers, weight=lambda n: n, begin=partial(begin, 100))]
    assert [number for number, _ in found] == [105, 101, 104, 102, 103]
    assert {times for _, times in found} == {1}
    assert bool(HERE) == (workers == 1)


def test_no_task_is_no_work() -> None:
    assert [*spread(add, [], workers=2)] == []


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_step_raises_comes_where_its_result_would(workers: int) -> None:
    results = spread(refuse, [1, 2, 3], workers=workers)
    assert next(results) == 1
    with pytest.raises(SoritesError, match=r"^not 2$"):
        next(results)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_process_that_is_killed_is_told() -> None:
    with pytest.raises(SoritesError, match="a worker process ended in the middle of its work"):
        list(spread(die, [1, 2, 3, 4], workers=2))


@pytest.mark.parametrize("workers", [0, -1])
def test_there_must_be_a_worker(workers: int) -> None:
    with pytest.raises(SoritesError) as caught:
        list(spread(add, [1], workers=workers))
    assert str(caught.value) == f"{workers} workers do no work: give 1 or more"


def test_the_default_is_a_core_each_and_at_most_eight(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, workers in ((1, 1), (2, 2), (8, 8), (64, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert default_workers() == workers
