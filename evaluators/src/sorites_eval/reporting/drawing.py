"""Figures for a page and for print: how they look, how they are kept.

Colours are Okabe and Ito's, told apart by people with any colour vision, on light and on dark.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from sorites_eval.files import write_whole

if TYPE_CHECKING:
    from matplotlib.typing import RcKeyType

__all__ = [
    "COLOURS",
    "INK",
    "Drawn",
    "canvas",
    "fill_grid",
    "heat_map",
    "legend",
    "named_drawn",
    "save",
    "styled",
    "svg",
]

COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999")
INK = "#010203"
"""A colour that nothing else has: on the page it becomes the colour of the text."""

STYLE: dict[RcKeyType, object] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.grid": False,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "svg.fonttype": "none",
}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure with its file name, its caption, and what it shows in words."""

    name: str
    caption: str
    words: str
    figure: Figure


def styled(name: str = "sorites") -> AbstractContextManager[None]:
    """Draw and save in the style of all figures; the name salts the ids inside an SVG."""
    return mpl.rc_context({**STYLE, "svg.hashsalt": name})


def svg(drawn: Drawn) -> str:
    """The figure as an SVG element that takes its ink from the page."""
    stream = io.StringIO()
    with styled(drawn.name):
        drawn.figure.savefig(
            stream, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None}
        )
    text = stream.getvalue()
    text = text[text.index("<svg") :].replace(INK, "currentColor")
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'\b(id="|href="#)', rf"\1{drawn.name}-", text)
    return text.replace("url(#", f"url(#{drawn.name}-")


_NO_DATES: Mapping[str, dict[str, str | None]] = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
    "svg": {"Date": None, "Creator": None},
}


def save(drawn: Drawn, folder: Path, kinds: Sequence[str] = ("png", "pdf")) -> list[Path]:
    """The figure as PNG (300 dots an inch), PDF or SVG, on white, for papers; their paths."""
    written = []
    for kind in kinds:
        write = partial(
            drawn.figure.savefig,
            format=kind,
            dpi=300,
            bbox_inches="tight",
            facecolor="white",
            metadata=_NO_DATES[kind],
        )
        path = folder / f"{drawn.name}.{kind}"
        with styled(drawn.name):
            write_whole(path, write)
        written.append(path)
    return written


def named_drawn(name: str, caption: str, words: Sequence[str], figure: Figure) -> Drawn:
    """A figure with a name that is safe in a path, a caption, and words in its place."""
    safe = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return Drawn(safe, caption, f"{caption}. " + "; ".join(words) + ".", figure)


def canvas(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty figure of a size in inches."""
    figure = Figure(figsize=(width, height))
    return figure, figure.add_subplot()


def legend(axes: Axes, columns: int) -> None:
    """A legend above the drawing."""
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=columns, fontsize=8)


def heat_map(
    grid: NDArray[np.float64],
    rows: Sequence[str],
    across: Sequence[str],
    names: Sequence[str],
    form: str,
) -> Figure:
    """A grid of values from 0 to 1, each written in its cell; NaN leaves a cell empty."""
    width = max(len(name) for name in rows) * 0.07
    figure, axes = canvas(1.6 + width + 0.62 * len(across), 1.2 + 0.32 * len(rows))
    fill_grid(axes, grid, form)
    axes.invert_yaxis()
    axes.set_xticks(np.arange(len(across)) + 0.5, across, rotation=30, ha="right")
    axes.set_yticks(np.arange(len(rows)) + 0.5, rows)
    axes.set_ylabel(names[0])
    axes.set_xlabel(names[1])
    return figure


def fill_grid(axes: Axes, grid: NDArray[np.float64], form: str) -> None:
    """Cells coloured by values from 0 to 1, each written in its cell; NaN leaves one empty."""
    axes.pcolormesh(grid, cmap="cividis", vmin=0, vmax=1, edgecolors="none", antialiased=False)
    for (row, column), value in np.ndenumerate(grid):
        if not np.isnan(value):
            ink = "#ffffff" if value < 0.5 else "#000000"
            place = column + 0.5, row + 0.5
            text = form.format(value)
            axes.text(*place, text, ha="center", va="center", color=ink, fontsize=8)
    axes.spines[:].set_visible(False)
