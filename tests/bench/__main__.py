"""`make bench`: speed and memory as ratios within one run; each part in a process of its own."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from sorites.errors import SourceError
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from tests.bench.compile import stores

ROOT = Path(__file__).resolve().parents[2]

SPECS = (
    "specs/sample/syllobio-nli.yaml",
    "specs/syllobio-nli.yaml",
    "tests/specs/gloss-relations-core.yaml",
    "specs/veridical-transitivity.yaml",
)


def main() -> int:
    """Run every part; a part that fails is named at the end."""
    failed = []
    if _run("tests.bench.startup"):
        failed.append("startup")
    stores()
    for spec in SPECS:
        if _run("tests.bench.compile", spec, "2"):
            failed.append(spec)
    if _run("tests.bench.world"):
        failed.append("world")
    # A tenth of what the scale is for: a million rows, 2,500 arguments a scheme, take an hour.
    if _run("tests.bench.scale", "25", "250"):
        failed.append("scale")
    if _run("tests.bench.provers"):
        failed.append("provers")
    if _run("tests.bench.audit"):
        failed.append("audit")
    if _certificates():
        failed.append("certificates")
    if _run("tests.bench.evaluate"):
        failed.append("evaluate")
    if _run("tests.bench.report"):
        failed.append("report")
    if _train():
        failed.append("veridical_lstm")
    if _run("tests.bench.veridical_curves"):
        failed.append("veridical_curves")
    if failed:
        print("failed: " + ", ".join(failed))
    return bool(failed)


def _certificates() -> int:
    with tempfile.TemporaryDirectory() as scratch:
        release = compile_spec(ROOT / SPECS[0], Path(scratch), workers=2, progress=Silent())
        return _run("tests.bench.certificates", str(release))


def _train() -> int:
    """An LSTM on some thousand rows: on the sample's few hundred it would learn nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        spec = ROOT / "specs/veridical-transitivity.yaml"
        try:
            release = compile_spec(spec, Path(scratch), workers=1, progress=Silent())
        except SourceError as error:
            print(f"\nveridical_lstm: skipped: {error}")
            return 0
        return _run("tests.bench.veridical_lstm", str(release))


def _run(module: str, *arguments: str) -> int:
    print(flush=True)
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
