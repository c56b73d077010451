"""How large the report of ten runs of 5,000 items is: what a browser opens, and what is beside it.

    python -m tests.bench.report [--items 5000] [--runs 10]

The page holds no items: they lie in files beside it and are loaded as they are asked for. Fails
where the page has more than 3 MB.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from sorites_eval.backends.baselines import Random
from sorites_eval.contract.release import open_release
from sorites_eval.reporting.report import write_report
from sorites_eval.running.finished import find_runs
from sorites_eval.running.run import perform, plan
from tests.bench.evaluate import write_rows

MOST = 3_000_000


def main() -> int:
    """Answer at random, write the report, and print; 1 where the page is too large."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--items", type=int, default=5_000)
    parser.add_argument("--runs", type=int, default=10)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        release = open_release(str(write_rows(folder, chosen.items)))
        task = release.task("entailment")
        for number in range(chosen.runs):
            drawn = plan(release, task, list(task.prompts)[number % len(task.prompts)])
            perform(drawn, Random(drawn.task, number), folder / "runs" / str(number))
        start = time.process_time()
        page = write_report(find_runs([folder / "runs"]), folder / "report")
        seconds = time.process_time() - start
        size = page.stat().st_size
        parts = {path.name: total(path) for path in sorted(page.parent.iterdir()) if path != page}
    print(f"report: {chosen.runs} runs of {chosen.items:,} items: the page {size / 1e6:.2f} MB")
    print(f"  beside it: {', '.join(f'{name} {b / 1e6:.2f} MB' for name, b in parts.items())}")
    print(f"  written in {seconds:.1f} s")
    return int(size > MOST)


def total(place: Path) -> int:
    """Bytes of a file, or of all files below a folder."""
    files = place.rglob("*") if place.is_dir() else [place]
    return sum(path.stat().st_size for path in files if path.is_file())


if __name__ == "__main__":
    sys.exit(main())
