"""Grids of values, several side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sorites_eval.contract.analyses.heat import Heat
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.reporting.analyses.figures.panels import Panels, by_panel, number, titled
from sorites_eval.reporting.analyses.found import DEVIATION, Found
from sorites_eval.reporting.analyses.measures import COUNTS
from sorites_eval.reporting.analyses.samples import Evidence
from sorites_eval.reporting.drawing import Drawn, fill_grid, named_drawn

__all__ = ["draw_heat"]


def draw_heat(
    analysis: Analysis, design: Heat, _: Evidence, found: Sequence[Found]
) -> Iterator[Drawn]:
    """A grid for each panel and each measure of the metric, on one scale from 0 to 1."""
    table = found[0]
    measures = [m for m in table.measures if m not in COUNTS and not m.endswith(DEVIATION)]
    groups = [
        (group, measure, lines)
        for group, lines in by_panel(table, design.panels).items()
        for measure in measures
        if any(line.values[measure] is not None for line in lines)
    ][:32]
    if not groups:
        return
    rows = list(dict.fromkeys(line.key[design.rows] for line in table.lines))
    across = list(dict.fromkeys(line.key[design.columns] for line in table.lines))
    width = 1.0 + 0.5 * len(across) + 0.06 * max(len(titled([row])) for row in rows)
    panels = Panels.of(len(groups), width, 1.0 + 0.28 * len(rows), across=3)
    words: list[str] = []
    for axes, (group, measure, lines) in zip(panels.axes, groups, strict=True):
        grid = np.full((len(rows), len(across)), np.nan)
        for line in lines:
            place = rows.index(line.key[design.rows]), across.index(line.key[design.columns])
            grid[place] = number(line.values, measure)
        fill_grid(axes, grid, "{:.2f}")
        axes.set_xticks(
            np.arange(len(across)) + 0.5, [titled([a]) for a in across], rotation=30, ha="right"
        )
        axes.set_yticks(np.arange(len(rows)) + 0.5, [titled([row]) for row in rows])
        title = titled([*group, measure] if len(measures) > 1 or not group else group)
        panels.name(axes, title)
        words += [
            f"{title}, {rows[r]}, {across[c]}: {grid[r, c]:.2f}"
            for r in range(len(rows))
            for c in range(len(across))
            if not np.isnan(grid[r, c])
        ]
    panels.axes[0].invert_yaxis()
    yield named_drawn(analysis.name, analysis.title, words, panels.figure)
