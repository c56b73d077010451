"""Cues to given labels: which are found, in how many stories, and when none are looked for."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sorites.families.audit.shortcuts import Cue, cues_json, find_cues
from tests.compiler.families.audit.specs import LABELS, audited, write_spec

TWO = ("entailment", "neutral")
SAYS = {
    "entailment": (["all x.(F(x) -> G{0}(x))", "F(a)"], "G{0}(a)"),
    "neutral": (["all x.(F(x) -> G{0}(x))", "F(a)"], "H{0}(a)"),
    "contradiction": (["all x.(F(x) -> G{0}(x))", "F(a)"], "-G{0}(a)"),
}
"""Arguments of a story that is told by a number, and what they are labelled."""


def cues(
    folder: Path,
    stories: int,
    labels: Sequence[str],
    given: Callable[[int, str], str] = lambda _, label: label,
) -> list[Cue]:
    """The cues to the labels given to arguments, one of each right label a story."""
    rows = []
    for story in range(stories):
        for label in labels:
            premises, conclusion = SAYS[label]
            rows.append(
                {
                    "id": f"{story} {label}",
                    "premises": [premise.format(story) for premise in premises],
                    "conclusion": conclusion.format(story),
                    "label": given(story, label),
                }
            )
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    files = {"train": file}
    spec = write_spec(folder, files, reading={"notation": "nltk"}, labels=LABELS)
    return find_cues(audited(spec, files).rows)


@pytest.mark.parametrize(("stories", "looked"), [(1, False), (9, False), (10, True)])
@pytest.mark.parametrize("labels", [TWO[:1], TWO])
def test_fewer_than_ten_stories_or_one_label_show_no_cue(
    tmp_path: Path, stories: int, labels: Sequence[str], looked: bool
) -> None:
    found = cues(tmp_path, stories, labels)
    assert bool(found) == (looked and len(labels) == 2)
    assert {cue.groups for cue in found} <= {stories}


def test_of_two_labels_one_is_told_and_of_three_each(tmp_path: Path) -> None:
    assert {cue.label for cue in cues(tmp_path, 12, TWO)} == {"entailment"}
    assert {cue.label for cue in cues(tmp_path, 12, tuple(SAYS))} == {*SAYS}


def test_a_cue_is_beyond_what_is_allowed_and_a_hint_is_not(tmp_path: Path) -> None:
    # Whether a name of the conclusion stands in a premise gives the label away; its form does not.
    found = {cue.reader: cue for cue in cues(tmp_path, 60, TWO)}
    assert {cue.share for cue in found.values()} == {0.5}
    assert found["overlap, as one"].accuracy == 1.0
    assert found["overlap, as one"].beyond
    assert found["form of the conclusion"].accuracy == 0.5
    assert not found["form of the conclusion"].beyond
    assert found["one premise"].accuracy == 1.0
    assert not found["one premise"].beyond, "it is only reported"


@pytest.mark.parametrize(("wrong", "beyond"), [(0, True), (15, True), (24, False), (30, False)])
def test_what_is_allowed_is_added_to_the_share_of_the_more_frequent_answer(
    tmp_path: Path, wrong: int, beyond: bool
) -> None:
    """Of 60 stories some have both labels exchanged: the reader is right in the others."""
    other = dict(zip(TWO, reversed(TWO), strict=True))
    found = {
        cue.reader: cue
        for cue in cues(
            tmp_path, 60, TWO, lambda story, label: other[label] if story < wrong else label
        )
    }
    cue = found["overlap, as one"]
    assert cue.share == 0.5
    assert cue.beyond == beyond


def test_the_figures_of_the_audit(tmp_path: Path) -> None:
    found = cues(tmp_path, 12, TWO)
    (first,) = [cue for cue in cues_json(found) if cue["reader"] == "overlap, as one"]
    assert first == {
        "reader": "overlap, as one",
        "label": "entailment",
        "accuracy": 1.0,
        "more frequent answer": 0.5,
        "stories": 12,
        "beyond": True,
    }
    assert [cue["reader"] for cue in cues_json(found)] == [cue.reader for cue in found]
