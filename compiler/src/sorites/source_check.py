"""What the sources of a spec hold and what a compile would make of them, without compiling."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sorites.errors import Problem, SourceError
from sorites.families.description import Table
from sorites.pipeline import FAMILIES, check_spec
from sorites.progress import Progress
from sorites.sources.fetch import at_hand
from sorites.sources.file_format import file_format
from sorites.sources.own_version import own_version, version_fault
from sorites.specfile.model import SourcePin, Spec

__all__ = ["SourceCheck", "check_sources"]

_MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """What was found in the sources of a spec.

    With ``problems`` a compile would fail, with ``warnings`` it would give less than was asked
    for; each has its place in the spec. ``seconds`` is how long it took, ``peak_memory`` the most
    bytes that this process has used so far (0 where the system does not say it).
    """

    spec: Spec
    tables: tuple[Table, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    seconds: float
    peak_memory: int


def check_sources(path: Path, progress: Progress) -> SourceCheck:
    """Check a spec, then read each of its sources that is on this machine, and describe them.

    Nothing is fetched, nothing but unpacked sources is written. Raises InvalidSpec and
    UnreadableSpec for a spec that is not valid; what is wrong with a source is a problem of the
    result.
    """
    begin = time.perf_counter()
    spec = check_spec(path)
    files: dict[str, Path] = {}
    problems: list[Problem] = []
    told: list[Problem] = []
    for name, pin in spec.sources.items():
        try:
            files[name] = at_hand(pin, progress)
            fault = version_fault(pin, files[name])
        except SourceError as error:
            problems.append(spec.document.problem(("sources", name), str(error)))
            continue
        if fault is not None:
            told.append(spec.document.problem(("sources", name, "version"), fault))
    with warnings.catch_warnings():
        # What readers warn of has its place among what is told here.
        warnings.simplefilter("ignore")
        found = FAMILIES[spec.kind]().describe(spec, files)
    return SourceCheck(
        spec,
        (*_sources(spec.sources, files), *found.tables),
        _sorted([*problems, *found.problems]),
        _sorted([*told, *found.warnings]),
        time.perf_counter() - begin,
        _peak_memory(),
    )


def _sorted(problems: list[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda each: (each.file, each.line, each.column)))


def _sources(pins: Mapping[str, SourcePin], files: Mapping[str, Path]) -> list[Table]:
    rows = tuple(
        (
            name,
            file_format(files[name]),
            f"{files[name].stat().st_size / _MEGABYTE:,.1f}",
            own_version(files[name]) or "",
        )
        for name in pins
        if name in files
    )
    columns = ("Source", "Format", "MB", "Calls itself")
    return [Table("Sources", columns, rows)] if rows else []


def _peak_memory() -> int:
    if sys.platform == "win32":
        return 0
    import resource

    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes if sys.platform == "darwin" else kilobytes * 1024
