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
    from sorites_eval.reporting.analyses.found import Found
    from sorites_eval.reporting.compare import Comparison

__all__ = ["analyse", "compare", "report", "select"]


def analyse(
    runs: Iterable[Run | str | Path],
    out: str | Path | None = None,
    *,
    where: Sequence[str] = (),
    by: Sequence[str] = (),
    release: Release | str | None = None,
) -> list[Found]:
    """Compute every analysis that the runs' release declares: the tables that have a run.

    ``runs`` are runs, folders of runs or of results of training, or folders above them. With
    ``out`` tables are written there as CSV, Markdown and LaTeX, and figures as SVG and PNG.
    ``where`` and ``by`` are as for ``select``: other items do not count, of results of training
    none do, and each grouping gives a table more. ``release`` is where the release is now, if not
    where the runs found it.

    Raises RunError for a folder with nothing to analyse, a release that is not there, and what
    ``select`` raises it for; with ``out`` if matplotlib is missing or it cannot be written.
    """
    from sorites_eval.reporting.analyses.analyse import analysed, find_evidence, write_analyses
    from sorites_eval.reporting.analyses.samples import Evidence

    evidence = find_evidence(runs)
    if where:
        evidence = Evidence(select(evidence.runs, where=where, release=release))
    found = analysed(evidence, release, read_columns(by))
    if out is not None:
        write_analyses(found, Path(out))
    return [table for one in found for table in one.found if table.lines]


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
