"""`make bench`: speed and memory as ratios within one run; each part in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.bench.compile import stores

ROOT = Path(__file__).resolve().parents[2]

SPECS = (
    "specs/sample/syllobio-nli.yaml",
    "specs/syllobio-nli.yaml",
    "tests/specs/gloss-relations-core.yaml",
    "specs/veridical-transitivity.yaml",
)

SCRIPTS = ("evaluate", "veridical_lstm")


def main() -> int:
    """Run every part; a part that fails is named at the end."""
    failed = []
    stores()
    for spec in SPECS:
        if _run("tests.bench.compile", spec, "2"):
            failed.append(spec)
    for script in SCRIPTS:
        if _run(f"tests.bench.{script}"):
            failed.append(script)
    if failed:
        print("failed: " + ", ".join(failed))
    return bool(failed)


def _run(module: str, *arguments: str) -> int:
    print(flush=True)
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
