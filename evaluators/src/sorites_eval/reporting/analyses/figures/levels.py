"""Two levels side by side: boxes, and a line for each group from one to the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sorites_eval.contract.analyses.contrast import Contrast
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.reporting.analyses.figures.panels import Panels, by_panel, number, titled
from sorites_eval.reporting.analyses.found import Found
from sorites_eval.reporting.analyses.samples import Evidence
from sorites_eval.reporting.drawing import COLOURS, INK, Drawn, named_drawn

__all__ = ["draw_contrast"]

RISES, FALLS, STAYS = COLOURS[2], COLOURS[5], COLOURS[6]


def draw_contrast(
    analysis: Analysis, design: Contrast, _: Evidence, found: Sequence[Found]
) -> Iterator[Drawn]:
    """A panel for each group and measure. Lines that rise and that fall differ in colour and mark.

    A box shows the median and the quartiles, its whiskers the least and the greatest value.
    """
    first, second = map(str, design.levels)
    groups = by_panel(found[0], (*design.panels, "measure"))
    if not groups:
        return
    panels = Panels.of(len(groups), 2.3, 2.4)
    words: list[str] = []
    for axes, (group, lines) in zip(panels.axes, groups.items(), strict=True):
        pairs = [(number(line.values, first), number(line.values, second)) for line in lines]
        sides = [[pair[at] for pair in pairs if not math.isnan(pair[at])] for at in (0, 1)]
        if all(sides):
            axes.boxplot(
                sides,
                positions=(0, 1),
                whis=(0, 100),
                widths=0.28,
                boxprops={"color": STAYS},
                whiskerprops={"color": STAYS},
                capprops={"color": STAYS},
                medianprops={"color": INK},
            )
        for before, after in pairs:
            if not math.isnan(before + after):
                colour, mark = _look(after - before)
                axes.plot((0, 1), (before, after), color=colour, marker=mark, markersize=3, lw=1)
        axes.set_xticks((0, 1), (first, second))
        axes.set_xlim(-0.4, 1.4)
        axes.set_ylim(-0.02, 1.02)
        panels.name(axes, titled(group))
        words += [
            f"{titled([*group, *(line.key[d] for d in design.lines)])}: {before:.2f} to {after:.2f}"
            for line, (before, after) in zip(lines, pairs, strict=True)
        ]
    yield named_drawn(analysis.name, analysis.title, words, panels.figure)


def _look(change: float) -> tuple[str, str]:
    if change > 0:
        return RISES, "^"
    return (FALLS, "v") if change < 0 else (STAYS, "o")
