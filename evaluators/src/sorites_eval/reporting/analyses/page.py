"""Analyses as a report page shows them: tables to sort, figures, and links to their files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sorites_eval.contract.release import Release, open_release
from sorites_eval.errors import SoritesError
from sorites_eval.reporting.analyses.analyse import Written, analysed, write_analyses
from sorites_eval.reporting.analyses.found import Found
from sorites_eval.reporting.analyses.layout import column_name, laid_out, text_of
from sorites_eval.reporting.analyses.samples import Evidence
from sorites_eval.reporting.page_tables import Cell, Heading, PageTable
from sorites_eval.running.finished import Run

__all__ = ["FOLDER", "MOST_ROWS", "analyses_shown", "page_table"]

FOLDER = "analyses"
"""Beside the page: where the files lie to which it links."""

MOST_ROWS = 200
"""A longer table is only linked."""


def analyses_shown(
    runs: Sequence[Run], out: Path, release: Release | None = None
) -> list[Mapping[str, object]]:
    """Write the analyses of the runs below a folder, and tell the page what to show of each.

    A release that is no longer where a run found it declares none, and one on the Hub is not
    fetched for a page; give it as ``release``.
    """
    shown: list[Mapping[str, object]] = []
    by_content: dict[str, list[Run]] = {}
    for run in runs:
        by_content.setdefault(run.content, []).append(run)
    found = []
    for content, several in by_content.items():
        there = release if release is not None else _on_disk(several)
        if there is not None and there.content == content:
            found += analysed(Evidence(several), there)
    if not any(not one.is_empty for one in found):
        return shown
    for written in write_analyses(found, out / FOLDER):
        if written.files:
            shown.append(_shown(written, out))
    return shown


def _on_disk(runs: Iterable[Run]) -> Release | None:
    for run in runs:
        told = run.about["release"]
        origin = str(told.get("origin") or "") if isinstance(told, Mapping) else ""
        if origin and Path(origin).is_dir():
            try:
                return open_release(origin)
            except SoritesError:
                # A page about a run must not fail for a release that was changed since.
                return None
    return None


def _shown(written: Written, out: Path) -> Mapping[str, object]:
    analysis = written.analysed.analysis
    return {
        "title": analysis.title,
        "source": analysis.source,
        "tables": [
            page_table(found)
            for found in written.analysed.found
            if found.lines and len(laid_out(found).rows) <= MOST_ROWS
        ],
        "notes": dict.fromkeys(note for found in written.analysed.found for note in found.notes),
        "figures": [
            {
                "src": figure.path.relative_to(out).as_posix(),
                "caption": figure.caption,
                "words": figure.words,
            }
            for figure in written.figures
        ],
        "files": [
            {"href": path.relative_to(out).as_posix(), "name": path.name} for path in written.files
        ],
    }


def page_table(found: Found) -> PageTable:
    """A found table in its layout, its numbers to sort by."""
    layout = laid_out(found)
    alone = len({measure for _, measure in layout.columns}) == 1
    headings = [Heading(name) for name in found.rows]
    headings += [Heading(column_name(*column, alone=alone), True) for column in layout.columns]
    rows: list[Sequence[Cell]] = []
    for row in layout.rows:
        cells = [Cell(text_of(value)) for value in row]
        for column in layout.columns:
            value = layout.cells.get((row, column[0]), {}).get(column[1])
            number = float(value) if isinstance(value, int | float) else None
            cells.append(Cell(layout.cell(row, column), number, right=True))
        rows.append(cells)
    return PageTable(found.title, headings, rows)
