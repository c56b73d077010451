"""What is done with finished runs: ``sorites-eval compare`` and ``report``, and Python."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sorites_eval.running.finished import Run, find_runs

if TYPE_CHECKING:
    from sorites_eval.reporting.compare import Comparison

__all__ = ["compare", "report"]


def compare(runs: Iterable[Run | str | Path], *, seed: int = 0) -> Comparison:
    """Compare finished runs: an interval for each, and paired tests, trends and effect sizes.

    ``runs`` are runs, folders of runs, or folders above them; ``seed`` is that of the bootstrap.
    Runs are tested against each other where they have the same task and release. Raises RunError
    for a folder without a finished run.
    """
    from sorites_eval.reporting.compare import compare as compared

    return compared(find_runs(runs), seed)


def report(runs: Iterable[Run | str | Path], out: str | Path) -> Path:
    """Write one page with tables, figures and every answer; returns its path, ``OUT/index.html``.

    ``runs`` are runs, folders of runs, or folders above them. Raises RunError for a folder without
    a finished run, if matplotlib is missing, or if ``out`` cannot be written.
    """
    from sorites_eval.reporting.report import write_report

    return write_report(find_runs(runs), Path(out))
