"""Lines over numbers: trends with the range of what is pooled, and learning curves."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from sorites_eval.contract.analyses.curve import LearningCurve
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.analyses.trend import Trend
from sorites_eval.reporting.analyses.figures.panels import Panels, by_panel, number, titled
from sorites_eval.reporting.analyses.found import DEVIATION, TOTAL, Found
from sorites_eval.reporting.analyses.samples import Evidence
from sorites_eval.reporting.analyses.trends import series, spread
from sorites_eval.reporting.drawing import COLOURS, Drawn, named_drawn

__all__ = ["draw_curve", "draw_trend"]

_MARKERS = "osD^vP*"


def draw_trend(
    analysis: Analysis, design: Trend, evidence: Evidence, _: Sequence[Found]
) -> Iterator[Drawn]:
    """A figure for each task and setting: a panel for each group, a line for each model.

    A line joins the means at each level; a bar goes from the least to the greatest of the groups
    that are pooled.
    """
    found = series(analysis, design, evidence)
    models = list(dict.fromkeys(one.run["model"] for one in found))
    for task, setting in dict.fromkeys((one.run["task"], one.run["setting"]) for one in found):
        own = [one for one in found if (one.run["task"], one.run["setting"]) == (task, setting)]
        groups = list(dict.fromkeys(one.within for one in own))
        panels = Panels.of(len(groups), 2.5, 2.1)
        words: list[str] = []
        for axes, group in zip(panels.axes, groups, strict=True):
            for one in (one for one in own if one.within == group):
                place = models.index(one.run["model"])
                levels, means, least, most = zip(*spread(one.points), strict=True)
                _line(axes, place, str(one.run["model"]), levels, means, (least, most))
                told = ", ".join(f"{x:g}: {y:.2f}" for x, y in zip(levels, means, strict=True))
                words.append(f"{titled([*group, one.run['model']])}: {told}")
            _finish(panels, axes, titled(group))
        panels.figure.supxlabel(design.x, fontsize=9)
        panels.figure.supylabel(design.metric, fontsize=9)
        panels.legend()
        caption = f"{analysis.title}: {titled([task, setting])}"
        name = f"{analysis.name}-{task}-{setting}"
        yield named_drawn(name, caption, words, panels.figure)


def draw_curve(
    analysis: Analysis, design: LearningCurve, _: Evidence, found: Sequence[Found]
) -> Iterator[Drawn]:
    """One figure: a panel for each curve and model, a line for each group; bars are deviations."""
    groups = by_panel(found[0], ("curve", "model"))
    if not groups:
        return
    panels = Panels.of(len(groups), 3.4, 2.8, across=3)
    words: list[str] = []
    order = list(dict.fromkeys(tuple(line.key[d] for d in design.lines) for line in found[0].lines))
    for axes, (group, lines) in zip(panels.axes, groups.items(), strict=True):
        for place, key in enumerate(order):
            own = [line for line in lines if tuple(line.key[d] for d in design.lines) == key]
            if not own:
                continue
            steps = [number(line.key, "step") for line in own]
            means = [number(line.values, design.metric) for line in own]
            spreads = [number(line.values, design.metric + DEVIATION) for line in own]
            spreads = [0.0 if math.isnan(value) else value for value in spreads]
            low = [mean - value for mean, value in zip(means, spreads, strict=True)]
            high = [mean + value for mean, value in zip(means, spreads, strict=True)]
            name = TOTAL if set(key) <= {TOTAL} else titled(key)
            _line(axes, place, name, steps, means, (low, high))
            told = ", ".join(f"{x:g}: {y:.2f}" for x, y in zip(steps, means, strict=True))
            words.append(f"{titled([*group, name])}: {told}")
        _finish(panels, axes, titled(group))
    panels.figure.supxlabel("steps added", fontsize=9)
    panels.figure.supylabel(design.metric, fontsize=9)
    panels.legend(title=" · ".join(design.lines))
    yield named_drawn(analysis.name, analysis.title, words, panels.figure)


def _line(
    axes: Axes,
    place: int,
    label: str,
    x: Sequence[float],
    y: Sequence[float],
    bounds: tuple[Sequence[float], Sequence[float]],
) -> None:
    below = [max(0.0, at - low) for at, low in zip(y, bounds[0], strict=True)]
    above = [max(0.0, high - at) for at, high in zip(y, bounds[1], strict=True)]
    axes.errorbar(
        x,
        y,
        yerr=(below, above),
        marker=_MARKERS[place % len(_MARKERS)],
        markersize=3.5,
        linewidth=1.2,
        elinewidth=0.7,
        capsize=2,
        color=COLOURS[place % len(COLOURS)],
        label=label,
    )


def _finish(panels: Panels, axes: Axes, title: str) -> None:
    panels.name(axes, title)
    axes.set_ylim(-0.02, 1.02)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
