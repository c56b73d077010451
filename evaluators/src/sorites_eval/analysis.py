"""What is done with finished runs: ``sorites-eval compare`` and ``report``, and Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sorites_eval.contract.release import Release
from sorites_eval.prompts.conditions import read_columns, read_conditions
from sorites_eval.running.finished import Run, find_runs
from sorites_eval.running.slices import part_of

if TYPE_CHECKING:
    from sorites_eval.reporting.compare import Comparison

__all__ = ["compare", "report", "select"]


def compare(
    runs: Iterable[Run | str | Path],
    *,
    where: Sequence[str] = (),
    by: Sequence[str] = (),
    unit: Sequence[str] | None = None,
    metric: str | None = None,
) -> Comparison:
    """Compare finished runs: an interval for each, and paired tests, trends and effect sizes.

    ``runs`` are runs, folders of runs, or folders above them. Runs are tested against each
    other where they have the same task and release. ``where`` and ``by`` are as for ``select``;
    ``unit`` are the columns whose groups give the paired values of a test, and ``metric`` what is
    measured in each, accuracy if none is named.

    Raises RunError for a folder without a finished run, and for a column or metric that is
    not there.
    """
    from sorites_eval.reporting.compare import compare as compared

    return compared(select(runs, where=where, by=by), unit=unit, metric=metric)


def report(
    runs: Iterable[Run | str | Path],
    out: str | Path,
    *,
    where: Sequence[str] = (),
    by: Sequence[str] = (),
) -> Path:
    """Write a page with tables, figures and every answer; returns its path, ``OUT/index.html``.

    ``runs`` are runs, folders of runs, or folders above them; ``where`` and ``by`` are as for
    ``select``. Raises RunError for a folder without a finished run, if matplotlib is missing, or
    if ``out`` cannot be written.
    """
    from sorites_eval.reporting.report import write_report

    return write_report(select(runs, where=where, by=by), Path(out))


def select(
    runs: Iterable[Run | str | Path],
    *,
    where: Sequence[str] = (),
    by: Sequence[str] = (),
    release: Release | str | None = None,
) -> list[Run]:
    """Finished runs, of which only some items count, with their scores broken down further.

    ``where`` are conditions as ``["distractors=0,names=real"]``, ``by`` groupings as
    ``["scheme,distractors"]``, of any columns of the release. ``release`` is where it is now, if
    not where the runs found it; it is read only for columns that a run did not keep.

    Raises RunError for a folder without a finished run, a column that is not there, a release with
    other rows, and conditions that no item meets.
    """
    conditions, groups = read_conditions(where), read_columns(by)
    return [part_of(run, conditions, groups, release) for run in find_runs(runs)]
