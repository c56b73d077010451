"""Cues in data that others made: found where they are, and not where chance would do as well."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest

from sorites.families.audit.shortcuts import Cue, cues_json, find_cues
from tests.compiler.families.audit.specs import audited, write_spec

YES, NO, OPPOSITE = "entailment", "neutral", "contradiction"


def cues(folder: Path, labels: Sequence[str], conclusion: Callable[[int], str]) -> list[Cue]:
    """The cues of rows with a story each, whose conclusions are made from their numbers."""
    file = folder / "rows.jsonl"
    rows = [
        {
            "id": str(number),
            "premises": [f"F(a{number})"],
            "conclusion": conclusion(number),
            "label": label,
        }
        for number, label in enumerate(labels)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    files = {"train": file}
    spec = write_spec(folder, files, reading={"notation": "folio"})
    return find_cues(audited(spec, files).rows)


def dealt(number: int) -> list[str]:
    return Random(1).sample([YES, NO] * (number // 2), number)


def test_a_word_that_gives_the_label_away_is_found(tmp_path: Path) -> None:
    labels = dealt(60)
    found = cues(tmp_path, labels, lambda at: f"{'G' if labels[at] == YES else 'H'}(a{at})")
    by_reader = {cue.reader: cue for cue in found}
    told = by_reader["conclusion words"]
    assert (told.label, told.accuracy, told.share, told.groups) == (YES, 1.0, 0.5, 60)
    # The word is no part of the form, of the premises, or of how often names occur.
    assert [cue.reader for cue in found if cue.beyond] == ["conclusion words"]
    assert cues_json([told]) == [
        {
            "reader": "conclusion words",
            "label": YES,
            "accuracy": 1.0,
            "more frequent answer": 0.5,
            "stories": 60,
            "beyond": True,
        }
    ]


def test_words_that_say_nothing_are_no_cue(tmp_path: Path) -> None:
    coin = Random(2)
    found = cues(tmp_path, dealt(60), lambda at: f"{coin.choice('GH')}(a{at})")
    assert found
    assert not [cue for cue in found if cue.beyond]


def test_an_answer_that_is_more_frequent_is_no_cue(tmp_path: Path) -> None:
    labels = Random(3).sample([YES] * 48 + [NO] * 12, 60)
    found = cues(tmp_path, labels, lambda at: f"G(a{at})")
    assert {cue.share for cue in found} == {0.8}
    assert not [cue for cue in found if cue.beyond]


def test_of_two_labels_one_is_told_and_of_three_each(tmp_path: Path) -> None:
    two = cues(tmp_path, dealt(12), lambda at: f"G(a{at})")
    assert {cue.label for cue in two} == {YES}
    three = cues(tmp_path, [YES, NO, OPPOSITE] * 4, lambda at: f"G(a{at})")
    assert {cue.label for cue in three} == {YES, NO, OPPOSITE}


@pytest.mark.parametrize(("wrong", "beyond"), [(0, True), (15, True), (24, False), (30, False)])
def test_what_is_allowed_is_added_to_the_share_of_the_more_frequent_answer(
    tmp_path: Path, wrong: int, beyond: bool
) -> None:
    """Of 60 rows so many have the word of the other label: the reader is right in the others."""
    labels = dealt(60)
    amiss = {*[at for at in range(60) if labels[at] == YES][: (wrong + 1) // 2]}
    amiss |= {*[at for at in range(60) if labels[at] == NO][: wrong // 2]}
    found = cues(
        tmp_path,
        labels,
        lambda at: f"{'G' if (labels[at] == YES) != (at in amiss) else 'H'}(a{at})",
    )
    told = next(cue for cue in found if cue.reader == "conclusion words")
    assert (told.share, told.beyond) == (0.5, beyond)


@pytest.mark.parametrize(
    ("labels", "some"), [(dealt(10), True), (dealt(10)[:9], False), ([YES] * 20, False)]
)
def test_few_stories_or_one_label_say_nothing(
    labels: list[str], some: bool, tmp_path: Path
) -> None:
    assert bool(cues(tmp_path, labels, lambda at: f"G(a{at})")) == some
