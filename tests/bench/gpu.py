"""Every way of running a model on GPUs, against the CPU: how fast, and do the labels agree?

    python -m tests.bench.gpu [--model MODEL] [--rows 300] [--device cuda]

Prints a line for each: items a second over the CPU's, labels that agree, and near ties among
those that do not; or why it was skipped. ``--device cpu`` runs on a CPU what can be run there.
Times are without opening the model, but for runs in processes of their own, which are marked.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from sorites_eval.backends.opening import Options, open_backend
from sorites_eval.contract.release import open_release
from sorites_eval.running.predictions import read_table
from sorites_eval.running.run import perform, plan
from tests.bench.evaluate import write_rows
from tests.bench.smollm2 import obtain

TASK, SETTING = "entailment", "few-shot"
ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Seconds for all rows, and each item's label with whether it was a near tie."""

    seconds: float
    labels: Mapping[str, tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class Setup:
    """What is run where; ``device`` is cuda or cpu."""

    release: Path
    model: str
    device: str
    folder: Path


@dataclass(frozen=True, slots=True)
class Way:
    """One way: its name, why it cannot be run here (or empty), and the run."""

    name: str
    hindrance: Callable[[Setup], str]
    run: Callable[[Setup, Path], Outcome]


def _read(out: Path, seconds: float) -> Outcome:
    rows = read_table(out / "predictions.parquet").to_pylist()
    found = {str(row["id"]): (str(row["constrained"]), bool(row["near_tie"])) for row in rows}
    return Outcome(seconds, found)


def here(setup: Setup, out: Path, model: str | None = None, **options: object) -> Outcome:
    """A run in this process, timed without opening the model."""
    release = open_release(setup.release)
    drawn = plan(release, release.task(TASK), SETTING)
    chosen = Options(chat=False, **{"device_map": setup.device, **options})
    backend = open_backend(model or setup.model, drawn.task, drawn.everything, chosen, out)
    start = time.perf_counter()
    perform(drawn, backend, out)
    return _read(out, time.perf_counter() - start)


def _command(setup: Setup, out: Path) -> list[str]:
    asked = ["--task", TASK, "--setting", SETTING, "--no-chat", "--dtype", "float32"]
    device = ["--device-map", "cpu"] if setup.device == "cpu" else []
    return ["run", str(setup.release), "--model", setup.model, "--out", str(out), *asked, *device]


def _launched(setup: Setup, out: Path, environments: Sequence[Mapping[str, str]]) -> Outcome:
    start = time.perf_counter()
    command = [sys.executable, "-m", "sorites_eval", *_command(setup, out)]
    going = [
        subprocess.Popen(command, cwd=ROOT, env={**os.environ, **own}, stdout=subprocess.DEVNULL)
        for own in environments
    ]
    if any(process.wait() for process in going):
        raise RuntimeError("a process failed")
    (table,) = out.rglob("predictions.parquet")
    return _read(table.parent, time.perf_counter() - start)


def processes(setup: Setup, out: Path) -> Outcome:
    """One process a GPU, or two on a CPU, as launchers start them."""
    world = torch.cuda.device_count() if setup.device == "cuda" else 2
    shares = [
        {"RANK": str(n), "LOCAL_RANK": str(n), "WORLD_SIZE": str(world)} for n in range(world)
    ]
    return _launched(setup, out, shares)


def with_ray(setup: Setup, out: Path) -> Outcome:
    """The shares of a run as tasks of Ray, each on a GPU of its own."""
    ray = importlib.import_module("ray")
    world = max(1, torch.cuda.device_count())
    ray.init(include_dashboard=False, log_to_driver=False)

    def share(rank: int) -> int:
        own = {"RANK": str(rank), "LOCAL_RANK": "0", "WORLD_SIZE": str(world)}
        command = [sys.executable, "-m", "sorites_eval", *_command(setup, out)]
        return subprocess.run(command, env={**os.environ, **own}, check=False).returncode

    start = time.perf_counter()
    try:
        task = ray.remote(num_gpus=1 if setup.device == "cuda" else 0)(share)
        if any(ray.get([task.remote(rank) for rank in range(world)])):
            raise RuntimeError("a share failed")
    finally:
        ray.shutdown()
    (table,) = out.rglob("predictions.parquet")
    return _read(table.parent, time.perf_counter() - start)


def _anywhere(_: Setup) -> str:
    return ""


def _on_gpu(setup: Setup) -> str:
    return "" if setup.device == "cuda" else "no GPU"


def _on_gpus(setup: Setup) -> str:
    if setup.device != "cuda":
        return "no GPU"
    return "" if torch.cuda.device_count() > 1 else "one GPU alone"


def _installed(package: str) -> Callable[[Setup], str]:
    def missing(setup: Setup) -> str:
        if importlib.util.find_spec(package) is None:
            return f"{package} is not installed"
        return _on_gpu(setup)

    return missing


PATHS = (
    Way("float32, batch 1", _anywhere, lambda s, o: here(s, o, dtype="float32", batch_size=1)),
    Way("float32, batch 16", _anywhere, lambda s, o: here(s, o, dtype="float32")),
    Way("float32, batch 64", _anywhere, lambda s, o: here(s, o, dtype="float32", batch_size=64)),
    Way("bfloat16", _anywhere, lambda s, o: here(s, o, dtype="bfloat16")),
    Way("float16", _on_gpu, lambda s, o: here(s, o, dtype="float16")),
    Way("device map", _on_gpus, lambda s, o: here(s, o, dtype="float32", device_map="auto")),
    Way("several processes (with opening)", _anywhere, processes),
    Way(
        "vLLM",
        _installed("vllm"),
        lambda s, o: here(s, o, f"vllm:{s.model}", dtype="bfloat16", device_map=None),
    ),
    Way("Ray (with opening)", _installed("ray"), with_ray),
)


def compared(name: str, outcome: Outcome, cpu: Outcome) -> str:
    """A line with the ratio of the speeds and how many labels agree."""
    other = [key for key, (label, _) in cpu.labels.items() if outcome.labels[key][0] != label]
    ties = sum(outcome.labels[key][1] or cpu.labels[key][1] for key in other)
    agreed = (len(cpu.labels) - len(other)) / len(cpu.labels)
    more = f", {len(other)} others, {ties} of them near ties" if other else ""
    return f"{name}: {cpu.seconds / outcome.seconds:.2f} times the CPU, {agreed:.1%} agree{more}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every path and print a line for each; 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="a folder or a Hub id; default: SmolLM2-135M-Instruct")
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--device", choices=("cuda", "cpu"))
    options = parser.parse_args(arguments)
    device = options.device or ("cuda" if torch.cuda.is_available() else "cpu")
    print(f"torch {torch.__version__}, {_machine(device)}")
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        release = write_rows(folder, options.rows)
        setup = Setup(release, options.model or str(obtain()), device, folder)
        cpu = here(setup, folder / "cpu", dtype="float32", device_map="cpu")
        print(f"CPU, float32: {options.rows / cpu.seconds:.2f} items a second")
        for number, path in enumerate(PATHS):
            if hindrance := path.hindrance(setup):
                print(f"{path.name}: skipped: {hindrance}")
                continue
            try:
                print(compared(path.name, path.run(setup, folder / f"path{number}"), cpu))
            except Exception as error:
                failed = 1
                print(f"{path.name}: FAILED: {type(error).__name__}: {error}")
    return failed


def _machine(device: str) -> str:
    if device == "cpu":
        return f"CPU with {torch.get_num_threads()} threads"
    names = [torch.cuda.get_device_name(n) for n in range(torch.cuda.device_count())]
    return ", ".join(names)


if __name__ == "__main__":
    sys.exit(main())
