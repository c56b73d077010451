"""The checker run on a release by whoever wrote it or verifies it: with this program's own copy."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from sorites.release.certificates import check
from sorites.workers import refuse_none, spread

__all__ = ["certificate_faults", "checked_rows"]


def checked_rows(directory: Path, *, workers: int) -> tuple[Counter[str], list[str]]:
    """The rows of a release by what shows their labels, and the faults, a line each.

    check.py is this program's own: what a stranger's release brings is not run.
    """
    refuse_none(workers)
    jobs = [(directory, (), part, workers, None) for part in range(workers)]
    counts, faults = Counter[str](), list[str]()
    try:
        for found, lines in spread(check.check, jobs, workers=workers):
            counts += found
            faults += lines
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, OSError) as error:
        return Counter(), [f"certificates: {error or type(error).__name__}"]
    return counts, faults


def certificate_faults(directory: Path, *, workers: int) -> list[str]:
    """What check.py finds wrong with a release; empty if nothing is."""
    return checked_rows(directory, workers=workers)[1]
