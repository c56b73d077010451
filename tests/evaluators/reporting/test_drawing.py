"""Figures that are named and said in words."""

from __future__ import annotations

import pytest

pytest.importorskip("matplotlib")

from matplotlib.figure import Figure

from sorites_eval.reporting.drawing import named_drawn


def test_a_figure_has_a_safe_name_and_says_in_words_what_it_shows() -> None:
    figure = Figure()
    drawn = named_drawn("By Depth/../(all)", "Accuracy by depth", ["1: 0.9", "2: 0.5"], figure)
    assert drawn.name == "by-depth-all"
    assert drawn.caption == "Accuracy by depth"
    assert drawn.words == "Accuracy by depth. 1: 0.9; 2: 0.5."
    assert drawn.figure is figure
