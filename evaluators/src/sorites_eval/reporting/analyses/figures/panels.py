"""Small drawings of one size beside and below each other, with one legend above them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sorites_eval.contract.tasks import Scalar
from sorites_eval.reporting.analyses.found import Found, Key, Line

__all__ = ["Panels", "by_panel", "number", "titled"]

MOST_PANELS = 32
"""More would be too small to read: the rest is in the table."""

ACROSS = 4

_TITLE = 8
"""The size of a panel's title, in points."""

_LETTER = 0.6 * _TITLE / 72
"""Inches that a letter of a title takes, on average of the wider ones."""


@dataclass(frozen=True, slots=True)
class Panels:
    """A figure and its axes, one for each panel, and the width of a panel in inches."""

    figure: Figure
    axes: tuple[Axes, ...]
    width: float

    @classmethod
    def of(cls, count: int, width: float, height: float, across: int = ACROSS) -> Panels:
        """Axes for so many panels of a size in inches, with the same scales."""
        columns = min(count, across)
        rows = -(-count // columns)
        figure = Figure(figsize=(width * columns, height * rows + 0.5), layout="constrained")
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        every: list[Axes] = list(grid.flat)
        for place in range(count, len(every)):
            every[place].set_visible(False)
            # What stands above an empty place is the lowest of its column.
            every[place - columns].xaxis.set_tick_params(labelbottom=True)
        return cls(figure, tuple(every[:count]), width)

    def name(self, axes: Axes, title: str) -> None:
        """Put a title above a panel, in as many lines as keep it from its neighbours."""
        letters = max(8, int(self.width / _LETTER))
        axes.set_title(textwrap.fill(title, letters), fontsize=_TITLE)

    def legend(self, columns: int = 4, title: str = "") -> None:
        """One legend for all panels, above them, with what it tells apart."""
        found: dict[str, Artist] = {}
        for axes in self.axes:
            for handle, label in zip(*axes.get_legend_handles_labels(), strict=True):
                found.setdefault(label, handle)
        if found:
            handles = list(found.values())
            self.figure.legend(
                handles,
                list(found),
                loc="outside upper center",
                ncols=columns,
                fontsize=8,
                title=title or None,
                title_fontsize=8,
                frameon=False,
            )


def by_panel(found: Found, dimensions: Sequence[str]) -> dict[Key, list[Line]]:
    """The lines of a table by their values in some dimensions, as many as can be drawn."""
    panels: dict[Key, list[Line]] = {}
    for line in found.lines:
        panels.setdefault(tuple(line.key[d] for d in dimensions), []).append(line)
    return dict(list(panels.items())[:MOST_PANELS])


def titled(values: Iterator[Scalar] | Sequence[Scalar]) -> str:
    """Values of dimensions as the title of a panel."""
    return " · ".join("–" if value in (None, "") else str(value) for value in values)


def number(values: Mapping[str, object], name: str) -> float:
    """A value to draw; NaN where it is undefined, which draws nothing."""
    value = values.get(name)
    return float(value) if isinstance(value, int | float) else float("nan")
