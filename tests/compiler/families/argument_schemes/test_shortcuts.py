"""Readers of a part of an item: at chance on the sample, and found out where there is a cue."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from sorites.errors import SoritesError
from sorites.families.argument_schemes.audit import said
from sorites.families.argument_schemes.build import refuse_shortcuts
from sorites.families.argument_schemes.items_plan import ShortcutBounds
from sorites.families.argument_schemes.shortcuts import (
    ONE_PREMISE,
    READERS,
    SELECTION,
    read_shortcuts,
)
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from sorites.release.audit.shortcuts.measure import OVERALL
from sorites.specfile.reader import read
from tests.compiler.families.argument_schemes.samples import Sample
from tests.small_spec import SCHEMES, small_spec

BY_CONSTRUCTION = {
    "form and phrase", "shape, forms", "shape, whole", "overlap, counts", "overlap, whole",
    "truth of the premises", "truth of the conclusion", "truth of both",
}  # fmt: skip
"""Readers that see the same in both of a pair."""


@pytest.mark.parametrize("config", ["items", "counterfactual"])
def test_what_both_of_a_pair_show_alike_tells_nothing_at_any_level(
    sample: Sample, config: str
) -> None:
    found = read_shortcuts(sample.plan, sample.tables[config, "test"])
    assert {figure.reader for figure in found.figures} == {*READERS}
    assert list(found.findings) == []
    for figure in found.figures:
        if figure.reader in BY_CONSTRUCTION:
            assert figure.accuracy == 0.5, figure
        if figure.reader == SELECTION:
            assert figure.accuracy <= 0.2 or figure.stratum != OVERALL
    levels = {figure.level for figure in found.figures if figure.reader == ONE_PREMISE}
    assert levels == {row["distractors"] for row in sample.tables[config, "test"].to_pylist()}


def leaking(sample: Sample) -> pa.Table:
    """The items with the phrase that gives each label away."""
    table = sample.tables["items", "test"]
    rows = table.to_pylist()
    for row in rows:
        row["polarity"] = "asserted" if row["label"] else "denied"
    return pa.Table.from_pylist(rows, schema=table.schema)


def test_a_cue_is_found_by_the_readers_that_see_it(sample: Sample) -> None:
    found = read_shortcuts(sample.plan, leaking(sample))
    assert {finding.figure.reader for finding in found.findings} == {
        "form and phrase", "shape, forms", "shape, whole", "overlap, whole",
        "truth of the conclusion", "truth of both",
    }  # fmt: skip
    first = next(f for f in found.findings if f.figure.stratum == OVERALL)
    assert said(first) == (
        "all schemes: the reader of form and phrase is right in 100.0% of the items with 0"
        " distractors, above 55%"
    )
    with pytest.raises(SoritesError) as caught:
        refuse_shortcuts(sample.plan, {"items": found})
    assert f"items: {said(first)}" in str(caught.value)
    assert str(caught.value).startswith("the labels can be told without the argument:\n")
    assert str(caught.value).endswith("(items.shortcuts)")
    # The design of the paper is not held to the bound.
    refuse_shortcuts(replace(sample.plan, negatives="denials"), {"items": found})


def test_a_scheme_may_declare_a_bound_of_its_own(sample: Sample) -> None:
    bounds = ShortcutBounds(0.55, {scheme.key: (1.0, "why") for scheme in sample.plan.schemes})
    found = read_shortcuts(replace(sample.plan, shortcuts=bounds), leaking(sample))
    assert {finding.figure.stratum for finding in found.findings} == {OVERALL}


def test_the_papers_design_says_on_its_card_what_gives_it_away(tmp_path: Path) -> None:
    path = small_spec(
        tmp_path / "spec",
        lambda data: data["items"].update(negatives="denials"),
        schemes=SCHEMES[:2],
    )
    folder = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "**The form of the conclusion with the phrase before it gives every label away**" in card
    told = read(folder / "audit.json").data["shortcuts"]["items"]["readers"]
    assert set(told["form and phrase"]["overall"].values()) == {1.0}


def test_a_bound_and_its_reason_stand_on_the_card(tmp_path: Path) -> None:
    own = {"scheme": SCHEMES[0][0], "variant": SCHEMES[0][1], "bound": 0.7, "reason": "few classes"}
    path = small_spec(
        tmp_path / "spec",
        lambda data: data["items"].update(shortcuts={"schemes": [own]}),
        schemes=SCHEMES[:2],
    )
    folder = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "The bound of generalized modus ponens, base is 70%: few classes" in card


def test_of_very_many_items_those_of_a_sample_of_arguments_are_read(
    sample: Sample, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = sample.tables["items", "test"]
    real = sum(name == "real" for name in table["names"].to_pylist())
    module = sys.modules[read_shortcuts.__module__]
    monkeypatch.setattr(module, "MOST_ITEMS", real // 3)
    found = read_shortcuts(sample.plan, table)
    assert found.share == (real // 3) / real
    drawn = {
        row["argument"]
        for row in table.to_pylist()
        if int(row["argument"][:8], 16) < int(found.share * 16**8)
    }
    groups = {f.groups for f in found.figures if f.reader == ONE_PREMISE and f.stratum == OVERALL}
    assert max(groups) == len(drawn)
    # The same rows in another order: the sample depends on the arguments alone.
    again = read_shortcuts(sample.plan, table.take(pa.array([*range(table.num_rows)][::-1])))
    assert {(f.reader, f.level, f.stratum): f.groups for f in again.figures} == {
        (f.reader, f.level, f.stratum): f.groups for f in found.figures
    }
