"""Figures as files and as parts of a page: their names, their words, their ink."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib", reason="figures are an extra")

from sorites_eval.reporting.drawing import (
    INK,
    Drawn,
    canvas,
    heat_map,
    named_drawn,
    save,
    styled,
    svg,
)


def drawn(name: str = "Accuracy by verb (%)") -> Drawn:
    with styled():
        figure, axes = canvas(2, 1)
        axes.set_title("a figure")
    return named_drawn(name, "Accuracy by verb", ["know: 90.0%", "hope: 80.0%"], figure)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Accuracy by verb (%)", "accuracy-by-verb"),
        ("../a/../b", "a-b"),
        ("Größe 2", "gr-e-2"),
    ],
)
def test_a_name_is_safe_in_a_path(name: str, safe: str) -> None:
    assert drawn(name).name == safe


def test_words_stand_in_the_place_of_a_figure() -> None:
    assert drawn().caption == "Accuracy by verb"
    assert drawn().words == "Accuracy by verb. know: 90.0%; hope: 80.0%."


def test_an_element_of_a_page_has_the_pages_ink_and_ids_of_its_own() -> None:
    text = svg(drawn())
    assert text.startswith("<svg")
    assert INK not in text
    assert "currentColor" in text
    ids = {part.split('"')[0] for part in text.split(' id="')[1:]}
    assert ids
    assert all(name.startswith("accuracy-by-verb-") for name in ids)
    used = {part.split(")")[0] for part in text.split("url(#")[1:]}
    used |= {part.split('"')[0] for part in text.split('href="#')[1:]}
    assert used <= ids
    assert text == svg(drawn())


def test_files_for_papers_are_the_same_twice(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    first = save(drawn(), tmp_path, ("png", "pdf", "svg"))
    again = save(drawn(), tmp_path / "again", ("png", "pdf", "svg"))
    assert [path.name for path in first] == [
        "accuracy-by-verb.png",
        "accuracy-by-verb.pdf",
        "accuracy-by-verb.svg",
    ]
    for one, other in zip(first, again, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_each_cell_has_its_value_in_ink_that_can_be_read_and_nan_is_empty() -> None:
    grid = np.array([[0.0, np.nan, 0.49], [0.5, 1.0, np.nan]])
    with styled():
        figure = heat_map(grid, ["know", "hope"], ["a", "b", "c"], ["verb", "cell"], "{:.2f}")
    (axes,) = figure.axes
    cells = [(text.get_position(), text.get_text(), text.get_color()) for text in axes.texts]
    assert cells == [
        ((0.5, 0.5), "0.00", "#ffffff"),
        ((2.5, 0.5), "0.49", "#ffffff"),
        ((0.5, 1.5), "0.50", "#000000"),
        ((1.5, 1.5), "1.00", "#000000"),
    ]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["a", "b", "c"]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["know", "hope"]
    assert (axes.get_ylabel(), axes.get_xlabel()) == ("verb", "cell")
    bottom, top = axes.get_ylim()
    assert bottom > top, "the first row stands on top"
