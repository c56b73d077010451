"""Panels that stand side by side: what is written above one does not run into the next."""

from __future__ import annotations

from itertools import combinations

import pytest

pytest.importorskip("matplotlib", reason="figures are an extra")

from sorites_eval.reporting.analyses.figures.panels import Panels

TITLES = (
    "entailment",
    "zero-shot · generalized modus ponens · accuracy",
    "few-shot · generalized modus tollens · f1-unanswered-wrong",
    "an-organisation/a-model-of-many-billions-of-parameters-Instruct-v0.3 · faithfulness",
)


@pytest.mark.parametrize("width", [1.6, 2.6, 4.2])
@pytest.mark.parametrize("count", [2, 4, 7])
def test_titles_do_not_meet(count: int, width: float) -> None:
    panels = Panels.of(count, width, 1.8)
    for place, axes in enumerate(panels.axes):
        panels.name(axes, TITLES[place % len(TITLES)])
    panels.figure.draw_without_rendering()
    boxes = [axes.title.get_window_extent() for axes in panels.axes]
    assert [(a, b) for a, b in combinations(boxes, 2) if a.overlaps(b)] == []
    frame = panels.figure.bbox
    assert all(box.x0 >= frame.x0 and box.x1 <= frame.x1 for box in boxes)
    # Whatever is said is said whole.
    for place, axes in enumerate(panels.axes):
        said = "".join(axes.get_title().split())
        assert said == "".join(TITLES[place % len(TITLES)].split())
