"""The checker run on a release by whoever wrote it or verifies it: with this program's own copy."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path

from sorites.engines.engine import Engine
from sorites.engines.serial import Serial
from sorites.release.certificates import check

__all__ = ["certificate_faults", "checked_rows"]


def checked_rows(
    directory: Path, *, engine: Engine | None = None
) -> tuple[Counter[str], list[str]]:
    """The rows of a release by what shows their labels, and the faults, a line each.

    check.py is this program's own: what a stranger's release brings is not run.
    """
    try:
        engine = engine or Serial()
        found = [*engine.map(_part, range(engine.workers), shared=(directory, engine.workers))]
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, OSError) as error:
        return Counter(), [f"certificates: {error or type(error).__name__}"]
    return sum((counts for counts, _ in found), Counter()), [*chain(*(each for _, each in found))]


def _part(shared: tuple[Path, int], part: int) -> tuple[Counter[str], list[str]]:
    """Every n-th certificate of a release, from one of them on."""
    directory, parts = shared
    return check.check((directory, (), part, parts, None))


def certificate_faults(directory: Path, *, engine: Engine | None = None) -> list[str]:
    """What check.py finds wrong with a release; empty if nothing is."""
    return checked_rows(directory, engine=engine)[1]
