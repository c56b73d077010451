"""Runs on a real cluster of this machine: the same answers, lost workers, what is left behind."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sorites_eval import evaluate
from sorites_eval.backends.opening import Options
from sorites_eval.backends.replicas.replicated import AGAIN
from sorites_eval.errors import ModelError
from sorites_eval.running.journal import read_answers
from tests.processes import PATIENCE, started

ray: Any = pytest.importorskip("ray", reason="needs ray (sorites-eval[ray])")
pytestmark = pytest.mark.skipif(os.name == "nt", reason="SIGKILL")

TWO = Options(engine="ray", workers=2, batch_size=4)
WRITTEN = ("predictions.parquet", "scores.json")

MODEL = '''
import os, signal, time
from pathlib import Path

mine = []

def text(request):
    """The answer, by which the journal can be searched; noted is that it was asked for."""
    answer = f"{request.id}/{request.view}"
    with open("asked", "a") as log:
        log.write(f"{os.getpid()} {answer}\\n")
    return answer

def plain(request):
    return text(request)

def arrived(name):
    """Wait until everything that this worker has answered stands in the journal."""
    journal = Path("runs/python/own-" + name + "/relation/zero-shot/answers.jsonl")
    while not all(f'"{answer}"' in journal.read_text() for answer in mine):
        time.sleep(0.01)

def dies_once(request):
    answer = text(request)
    if len(mine) == 3 and not Path("died").exists():
        arrived("dies_once")
        Path("died").write_text(answer)
        os.kill(os.getpid(), signal.SIGKILL)
    mine.append(answer)
    return answer

def dies(request):
    answer = text(request)
    if request.id == "7":
        os.kill(os.getpid(), signal.SIGKILL)
    return answer

def stops(request):
    answer = text(request)
    if len(mine) == 3:
        while not Path("go").exists():
            time.sleep(0.01)
    mine.append(answer)
    return answer

def fails(request):
    if request.id == "7":
        raise ValueError("no seven")
    return text(request)

class DiesAtFirst:
    def __init__(self):
        with open("asked", "a") as log:
            log.write(f"{os.getpid()} opened\\n")
        os.kill(os.getpid(), signal.SIGKILL)

    def answer_batch(self, requests):
        return ["1" for _ in requests]
'''


@pytest.fixture(scope="module")
def session() -> Iterator[Path]:
    """A folder for what Ray keeps of a session; sockets in it have a short name."""
    folder = Path(tempfile.mkdtemp(prefix="ray-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def cluster(session: Path) -> Iterator[None]:
    """One cluster for the tests of this process."""
    before = signal.getsignal(signal.SIGTERM)
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level=logging.ERROR,
        _temp_dir=str(session / "shared"),
    )
    signal.signal(signal.SIGTERM, before)
    yield
    ray.shutdown()
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with models of one's own in ``own.py``."""
    (tmp_path / "own.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    # What a test before this one imported has the same name.
    monkeypatch.delitem(sys.modules, "own", raising=False)
    return tmp_path


def asked(folder: Path) -> Counter[str]:
    """How often each answer was asked for."""
    return Counter(line.split()[1] for line in (folder / "asked").read_text().splitlines())


def pids(folder: Path) -> set[int]:
    return {int(line.split()[0]) for line in (folder / "asked").read_text().splitlines()}


def same(one: Path, other: Path) -> bool:
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in WRITTEN)


def until(done: Callable[[], bool], what: str) -> None:
    """Wait for an event; that it never comes is a failure."""
    last = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < last, what
        time.sleep(0.05)


def gone(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet has."""
    try:
        return (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def processes_of(session: Path) -> list[str]:
    """The command lines, and the names of workers, that a session in a folder has running."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            line = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except OSError:
            continue
        if os.fsencode(session) in line and int(entry.name) != os.getpid():
            found.append(os.fsdecode(line[:200]))
    return found


def test_the_same_answers_and_each_asked_for_once(
    cluster: None, own: Path, small_release: Path
) -> None:
    alone = evaluate(small_release, "python:own:plain", task="relation", out="alone")
    once = asked(own)
    (own / "asked").unlink()
    told: list[tuple[int, int]] = []
    run = evaluate(
        small_release,
        "python:own:plain",
        task="relation",
        out="runs",
        options=TWO,
        progress=lambda done, all_: told.append((done, all_)),
    )
    assert same(run.folder, alone.folder)
    assert asked(own) == once
    assert set(once.values()) == {1}
    assert told == [(done, 36) for done in range(37)]
    assert run.about["model"] == alone.about["model"]
    assert run.about["notes"] == {"engine": "ray", "workers": 2}
    assert os.getpid() not in pids(own)
    until(lambda: all(map(gone, pids(own))), "workers outlive the run")


@pytest.mark.slow
def test_a_run_goes_on_with_or_without_a_cluster(
    cluster: None, own: Path, small_release: Path
) -> None:
    evaluate(small_release, "python:own:plain", task="relation", limit=9, out="runs")
    evaluate(small_release, "python:own:plain", task="relation", out="runs", options=TWO)
    evaluate(small_release, "python:own:plain", task="relation", out="runs")
    assert set(asked(own).values()) == {1}
    assert len(pids(own)) > 1


def test_what_a_killed_worker_had_not_answered_is_asked_again(
    cluster: None, own: Path, small_release: Path
) -> None:
    run = evaluate(small_release, "python:own:dies_once", task="relation", out="runs", options=TWO)
    twice = (own / "died").read_text()
    assert [answer for answer, times in asked(own).items() if times != 1] == [twice]
    assert asked(own)[twice] == 2
    # Nothing kills the model that has died once.
    alone = evaluate(small_release, "python:own:dies_once", task="relation", out="alone")
    assert same(run.folder, alone.folder)


@pytest.mark.slow
def test_workers_that_are_lost_again_and_again(
    cluster: None, own: Path, small_release: Path
) -> None:
    with pytest.raises(ModelError) as caught:
        evaluate(small_release, "python:own:dies", task="relation", out="runs", options=TWO)
    begin, _, end = str(caught.value).partition(" comes first: ")
    assert begin.startswith(f"{AGAIN} workers were lost at the same items, of which ")
    assert end == (
        "something killed them, or the memory was not enough. What was answered is kept; with "
        "fewer --workers each has more."
    )
    fatal = {answer: times for answer, times in asked(own).items() if answer.startswith("7/")}
    assert max(fatal.values()) == AGAIN
    (journal,) = own.glob("runs/**/answers.jsonl")
    assert read_answers(journal)


@pytest.mark.slow
def test_workers_that_are_lost_while_they_open(
    cluster: None, own: Path, small_release: Path
) -> None:
    model = "python:own:DiesAtFirst"
    with pytest.raises(ModelError) as caught:
        evaluate(small_release, model, task="relation", out="runs", options=TWO)
    assert str(caught.value) == (
        f"{AGAIN} workers were lost while they opened the model: something killed them, or the "
        "memory was not enough. With fewer --workers each has more."
    )
    assert AGAIN <= asked(own)["opened"] <= AGAIN + 1


@pytest.mark.slow
@pytest.mark.parametrize("model", ["python:own:fails", "python:own:none", "./none", "other:x"])
def test_what_goes_wrong_is_said_as_without_a_cluster(
    cluster: None, own: Path, small_release: Path, model: str
) -> None:
    said = []
    for options in (Options(), TWO):
        with pytest.raises(ModelError) as caught:
            evaluate(small_release, model, task="relation", out="runs", options=options)
        said.append(str(caught.value))
    assert said[0] == said[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "setting"),
    [("entailment", "few-shot"), ("premise-selection", "zero-shot"), ("relation", "zero-shot")],
)
def test_a_language_model_answers_the_same(
    cluster: None,
    make_model: Callable[..., Any],
    make_release: Callable[..., Path],
    tmp_path: Path,
    task: str,
    setting: str,
) -> None:
    """Choices and texts; probabilities but for rounding, as with batches of another size."""
    release, folder = make_release(items=60, glosses=30), make_model().model.name_or_path
    options = Options(dtype="float32", batch_size=4)
    alone = evaluate(
        release, folder, task=task, setting=setting, out=tmp_path / "alone", options=options
    )
    options = Options(dtype="float32", batch_size=4, engine="ray", workers=2)
    run = evaluate(
        release, folder, task=task, setting=setting, out=tmp_path / "runs", options=options
    )
    for one, other in zip(run.rows, alone.rows, strict=True):
        rounded = {"margin", "lead", "mass"}
        assert {key: one[key] for key in one.keys() - rounded} == {
            key: other[key] for key in other.keys() - rounded
        }
        for name in rounded:
            assert one[name] == pytest.approx(other[name], abs=1e-4, nan_ok=True)
    assert run.about["notes"] == {**alone.about["notes"], "engine": "ray", "workers": 2}  # type: ignore[dict-item]


def command(release: Path, model: str, *options: str) -> list[str | Path]:
    asked = ["--model", model, "--task", "relation", "--out", "runs", *options]
    return [sys.executable, "-m", "sorites_eval", "run", release, *asked]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_command_that_was_ended_goes_on_and_leaves_nothing(
    own: Path, session: Path, small_release: Path, number: signal.Signals
) -> None:
    ray_command = command(
        small_release, "python:own:stops", "--engine", "ray", "--workers", "2", "--batch-size", "4"
    )
    env = {"RAY_TMPDIR": str(session / number.name)}
    (session / number.name).mkdir()
    journal = own / "runs/python/own-stops/relation/zero-shot/answers.jsonl"
    with started(ray_command, env=env) as process:
        # Two workers, each of which stops at its fourth request.
        until(lambda: journal.exists() and len(read_answers(journal)) == 6, "no six answers")
        until(lambda: asked(own).total() == 8, "no eight requests")
        process.send_signal(number)
        process.wait()
        assert processes_of(session / number.name) or number != signal.SIGKILL
    until(lambda: all(map(gone, pids(own))), "workers outlive the command")
    until(lambda: not processes_of(session / number.name), "processes outlive the command")
    answered = {reply.text for reply in read_answers(journal).values()}
    assert len(answered) == 6
    (own / "go").touch()
    with started(ray_command, env=env) as process:
        assert process.wait() == 0
    until(lambda: not processes_of(session / number.name), "processes outlive the command")
    times = asked(own)
    assert len(times) == 36
    assert {answer for answer, count in times.items() if count != 1}.isdisjoint(answered)
    # Only those two that were being answered.
    assert times.total() == 38
