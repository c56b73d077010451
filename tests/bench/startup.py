"""What it costs to say --help: processor time of new processes, beside that of Python alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

__all__ = ["startup"]

REPETITIONS = 7

COMMANDS = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "sorites-eval --help": [str(Path(sys.executable).parent / "sorites-eval"), "--help"],
    "sorites --help": [str(Path(sys.executable).parent / "sorites"), "--help"],
}

MOST = 1.5
"""How many times as much as the evaluators' the compiler's may cost."""


def startup() -> bool:
    """Print the least processor time of each command; whether the compiler's is as it should be."""
    # By turns, so that whatever else the machine does meets all of them.
    seconds: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(REPETITIONS):
        for name, command in COMMANDS.items():
            seconds[name].append(_processor_seconds(command))
    least = {name: min(times) for name, times in seconds.items()}
    print("Processor time of a new process, its children included, least of", REPETITIONS)
    for name, time in least.items():
        print(f"  {name:<20} {time * 1000:5.0f} ms")
    ratio = least["sorites --help"] / least["sorites-eval --help"]
    print(f"  sorites --help / sorites-eval --help: {ratio:.2f} (at most {MOST})")
    return ratio <= MOST


def _processor_seconds(command: list[str]) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    sys.exit(not startup())
