"""Stacked bars of shares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorites_eval.contract.analyses.distribution import Distribution
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.reporting.analyses.figures.panels import Panels, by_panel, number, titled
from sorites_eval.reporting.analyses.found import Found
from sorites_eval.reporting.analyses.samples import Evidence
from sorites_eval.reporting.drawing import COLOURS, Drawn, named_drawn

__all__ = ["draw_distribution"]

_STACK = (COLOURS[2], COLOURS[1], COLOURS[0], COLOURS[6], COLOURS[3], COLOURS[4], COLOURS[5])


def draw_distribution(
    analysis: Analysis, design: Distribution, _: Evidence, found: Sequence[Found]
) -> Iterator[Drawn]:
    """A panel for each group, in it a bar for each of the bars, stacked by category."""
    groups = by_panel(found[0], design.panels)
    if not groups:
        return
    most = max(len(lines) for lines in groups.values())
    panels = Panels.of(len(groups), 4.2, 0.8 + 0.3 * most, across=2)
    categories = [name for name in found[0].measures if name != "n"]
    words: list[str] = []
    for axes, (group, lines) in zip(panels.axes, groups.items(), strict=True):
        names = [titled([line.key[d] for d in design.bars]) or "all" for line in lines]
        left = [0.0] * len(lines)
        for place, category in enumerate(categories):
            shares = [100 * number(line.values, category) for line in lines]
            colour = _STACK[place % len(_STACK)]
            axes.barh(names, shares, left=left, color=colour, label=category, height=0.6)
            left = [a + b for a, b in zip(left, shares, strict=True)]
            words += [
                f"{titled([*group, name])}: {share:.0f} % {category}"
                for name, share in zip(names, shares, strict=True)
            ]
        axes.set_xlim(0, 100)
        panels.name(axes, titled(group))
    panels.axes[0].invert_yaxis()
    panels.figure.supxlabel("share of items, %", fontsize=9)
    panels.legend()
    yield named_drawn(analysis.name, analysis.title, words, panels.figure)
