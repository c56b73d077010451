"""Every engine on steps of this module: order, sharing, errors, and workers that are killed."""

from __future__ import annotations

import importlib.util
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites.engines.choose import default_workers, engine_of, on_this_machine
from sorites.engines.engine import AGAIN, Engine, EngineError, begun_in_order
from sorites.engines.processes import Processes
from sorites.engines.serial import Serial
from sorites.errors import SoritesError

RAY = pytest.param(
    "ray",
    marks=[
        pytest.mark.slow,
        pytest.mark.skipif(
            importlib.util.find_spec("ray") is None, reason="needs ray (sorites[ray])"
        ),
    ],
)


@pytest.fixture(scope="module", params=["serial", "processes", RAY])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with engine_of(request.param, workers=2) as engine:
        yield engine


@pytest.fixture(scope="module", params=["processes", RAY])
def several(request: pytest.FixtureRequest) -> Iterator[Engine]:
    with engine_of(request.param, workers=2) as engine:
        yield engine


class Opened:
    """Counts in a file how often it is unpickled: once a worker."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self) -> tuple[object, ...]:
        return _open, (self.file,)


def _open(file: Path) -> Opened:
    with file.open("a") as log:
        log.write("x")
    return Opened(file)


def add(shared: int, task: int) -> int:
    return shared + task


def use(shared: Opened, task: int) -> int:
    return task


def refuse(shared: int, task: int) -> int:
    if task >= shared:
        raise SoritesError(f"no {task}")
    return task


def die_once(shared: Path, task: int) -> int:
    """Kill the worker on task 5, the first time."""
    if task == 5 and not shared.exists():
        shared.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return task * task


def die(shared: Path, task: int) -> int:
    if task == 5:
        with shared.open("a") as log:
            log.write("x")
        os.kill(os.getpid(), signal.SIGKILL)
    return task


@pytest.mark.parametrize("count", [0, 1, 2, 200])
@pytest.mark.parametrize("weighed", [False, True])
def test_results_are_in_the_order_of_the_tasks(engine: Engine, count: int, weighed: bool) -> None:
    weight = (lambda task: task % 7) if weighed else None
    found = engine.map(add, range(count), shared=1000, weight=weight)
    assert [*found] == [*range(1000, 1000 + count)]


def test_what_is_shared_goes_to_a_worker_once(several: Engine, tmp_path: Path) -> None:
    file = tmp_path / "opened"
    assert [*several.map(use, range(100), shared=Opened(file))] == [*range(100)]
    assert 1 <= len(file.read_text()) <= several.workers


def test_what_a_step_raises_is_raised_where_its_result_is_due(engine: Engine) -> None:
    found = engine.map(refuse, range(6), shared=4)
    assert [next(found) for _ in range(4)] == [0, 1, 2, 3]
    with pytest.raises(SoritesError, match=r"^no 4$") as raised:
        next(found)
    assert type(raised.value) is SoritesError


def test_a_reader_that_stops_is_no_fault(engine: Engine) -> None:
    found = engine.map(add, range(200), shared=1)
    assert next(found) == 1
    del found
    assert [*engine.map(add, range(3), shared=1)] == [1, 2, 3]


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_the_task_of_a_killed_worker_is_done_again(several: Engine, tmp_path: Path) -> None:
    died = tmp_path / "died"
    found = [*several.map(die_once, range(100), shared=died)]
    assert died.exists()
    assert found == [task * task for task in range(100)]


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_workers_that_are_killed_again_and_again_are_told(several: Engine, tmp_path: Path) -> None:
    died = tmp_path / "died"
    with pytest.raises(
        EngineError,
        match=r"^a (worker process|Ray worker) ended in the middle of its work, again and again: "
        r"something killed it, or the memory was not enough\. With fewer --workers less is needed$",
    ):
        list(several.map(die, range(100), shared=died))
    assert 2 <= len(died.read_text()) <= AGAIN + 1


@given(st.lists(st.integers(0, 9)), st.integers(1, 9))
def test_the_task_that_is_due_has_been_begun(weights: list[int], size: int) -> None:
    order = begun_in_order(weights, size, lambda weight: weight)
    assert sorted(order) == [*range(len(weights))]
    for due in range(len(weights)):
        assert due in order[: due + size]


@pytest.mark.parametrize(
    ("name", "address", "message"),
    [
        ("threads", None, "no engine 'threads': one of serial, processes, ray"),
        ("serial", "auto", "--address is that of a Ray cluster: it needs --engine ray"),
        (None, "auto", "--address is that of a Ray cluster: it needs --engine ray"),
    ],
)
def test_engines_that_are_not_there(name: str | None, address: str | None, message: str) -> None:
    with pytest.raises(EngineError) as raised, engine_of(name, workers=2, address=address):
        pass
    assert str(raised.value) == message


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="ray is installed")
def test_ray_is_an_extra() -> None:
    with pytest.raises(EngineError) as raised, engine_of("ray", workers=2):
        pass
    assert str(raised.value) == "--engine ray needs the package ray: pip install 'sorites[ray]'"


@pytest.mark.parametrize(("workers", "kind"), [(1, Serial), (2, Processes)])
def test_processes_where_nothing_is_said(workers: int, kind: type) -> None:
    with engine_of(None, workers=workers) as engine:
        assert type(engine) is kind
        assert engine.workers == engine.processes_here == workers


@pytest.mark.parametrize("workers", [0, -1])
@pytest.mark.parametrize("name", [None, "serial", "processes", "ray"])
def test_there_must_be_a_worker(name: str | None, workers: int) -> None:
    message = f"^{workers} workers do no work: give 1 or more$"
    with pytest.raises(EngineError, match=message), engine_of(name, workers=workers):
        pass
    with pytest.raises(EngineError, match=message):
        on_this_machine(workers)


def test_the_default_is_a_core_each_and_at_most_eight(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, workers in ((1, 1), (2, 2), (8, 8), (64, 8), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert default_workers() == workers
