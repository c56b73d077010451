from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from sorites.engines.processes import Processes
from sorites.engines.serial import Serial
from sorites.families.veridicality import build
from sorites.families.veridicality.audit import CELLS
from sorites.progress import Silent
from sorites.release.content import schema_of
from sorites.specfile.load import load
from tests.compiler.families.veridicality.conftest import Sample


def test_splits_and_sizes(sample: Sample) -> None:
    assert {key: table.num_rows for key, table in sample.tables.items()} == {
        ("synthetic", "train"): 648,
        ("synthetic", "validation"): 72,
        ("synthetic", "test"): 480,
        ("synthetic-random", "train"): 324,
        ("synthetic-random", "validation"): 36,
        ("synthetic-random", "test"): 120,
        ("naturalistic", "train"): 270,
        ("naturalistic", "validation"): 30,
        ("naturalistic", "test"): 240,
        ("naturalistic-random", "train"): 164,
        ("naturalistic-random", "validation"): 16,
        ("naturalistic-random", "test"): 60,
        ("naturalistic-frames", "train"): 270,
        ("naturalistic-frames", "validation"): 30,
        ("naturalistic-frames", "test"): 240,
        ("naturalistic-noise", "train"): 270,
        ("naturalistic-noise", "validation"): 30,
        ("naturalistic-same-pairs", "train"): 180,
        ("naturalistic-further-pairs", "train"): 30,
    }
    for split in sample.content.splits:
        assert split.table.schema.equals(schema_of(split.columns))


def test_parts_train_and_composites_test(sample: Sample) -> None:
    for config in ("synthetic", "naturalistic", "naturalistic-frames"):
        for split in ("train", "validation"):
            parts = {row["part"] for row in sample.rows(config, split)}
            assert parts == {"veridical", "embedded"}
        assert {row["part"] for row in sample.rows(config, "test")} == {"composite"}


def test_half_and_half_in_the_parts_and_four_equal_cells(sample: Sample) -> None:
    for config in ("synthetic", "naturalistic"):
        rows = [*sample.rows(config, "train"), *sample.rows(config, "validation")]
        for part in ("veridical", "embedded"):
            labels = Counter(row["label"] for row in rows if row["part"] == part)
            assert labels["yes"] == labels["unk"]
    cells = cast("dict[str, Any]", sample.content.audit["cells"])
    assert cells["naturalistic/test"] == {
        "yes/yes": 60,
        "yes/unk": 60,
        "unk/yes": 60,
        "unk/unk": 60,
    }
    # 'pretend' says that a denied sentence is true: such composites are in, and labelled so.
    assert set(cells["synthetic/test"].values()) == {120}
    proved = [
        row
        for row in sample.rows("synthetic", "test")
        if row["label"] == "yes" and row["label_veridical"] == "unk"
    ]
    assert {row["verb"] for row in proved} == {"pretend"}
    assert len(proved) == 6
    assert not any("composite" in reason for reason in sample.content.audit["rejected"])


def test_nothing_leaks_and_nothing_repeats(sample: Sample) -> None:
    overlaps = cast("dict[str, dict[str, int]]", sample.content.audit["overlaps"])
    assert len(overlaps) == 8
    for of_config in overlaps.values():
        assert set(of_config.values()) == {0}
    taught = {
        (row["premise"], row["hypothesis"])
        for config in ("naturalistic-same-pairs", "naturalistic-further-pairs")
        for row in sample.rows(config, "train")
    }
    held_out = [
        row
        for row in sample.rows("naturalistic", "test")
        if row["verb"] not in ("know", "see", "notice")
    ]
    assert not taught & {(row["premise"], row["hypothesis"]) for row in held_out}
    assert {(row["label_veridical"], row["label_embedded"]) for row in held_out} == {*CELLS}


def test_a_composite_shares_its_premise_with_a_part(sample: Sample) -> None:
    for config in ("synthetic", "naturalistic", "naturalistic-frames"):
        parts = [*sample.rows(config, "train"), *sample.rows(config, "validation")]
        premises = {
            (row["pair"], row["verb"], row["tense"], row["frame"]): row["premise"]
            for row in parts
            if row["part"] == "veridical"
        }
        for row in sample.rows(config, "test"):
            key = (row["pair"], row["verb"], row["tense"], row["frame"])
            assert premises[key] == row["premise"]


def test_commas_between_names_cost_no_premise(sample: Sample) -> None:
    rows = [
        row
        for (config, split), table in sample.tables.items()
        for row in table.to_pylist()
        if row["part"] == "veridical" and "," in row["hypothesis"]
    ]
    assert any("Marta, Piet and Luis" in row["hypothesis"] for row in rows)
    assert any(", " in row["hypothesis"] and row["shape"] for row in rows)
    for row in rows:
        complement = row["hypothesis"]
        assert row["premise"].endswith(
            (f" that {complement}", f" that {complement[:1].lower()}{complement[1:]}")
        )


def test_ten_in_a_hundred_labels_are_flipped(sample: Sample) -> None:
    for split in ("train", "validation"):
        noisy = sample.rows("naturalistic-noise", split)
        clean = {row["id"]: row for row in sample.rows("naturalistic", split)}
        assert [row["id"] for row in noisy] == [*clean]
        flipped = [row for row in noisy if row["flipped"]]
        veridical = sum(row["part"] == "veridical" for row in noisy)
        assert abs(len(flipped) - veridical / 10) <= 1
        for row in noisy:
            assert (row["label"] != clean[row["id"]]["label"]) == row["flipped"]


def test_verbs_are_added_one_by_one(sample: Sample) -> None:
    for config, pairs in (("naturalistic-same-pairs", 60), ("naturalistic-further-pairs", 10)):
        steps = Counter((row["step"], row["verb"]) for row in sample.rows(config, "train"))
        assert steps == {(1, "know"): pairs, (2, "see"): pairs, (3, "notice"): pairs}


def test_pairs_that_are_added_are_those_of_the_test_or_others(sample: Sample) -> None:
    tested = {row["pair"] for row in sample.rows("naturalistic", "test")}
    same = {row["pair"] for row in sample.rows("naturalistic-same-pairs", "train")}
    further = {row["pair"] for row in sample.rows("naturalistic-further-pairs", "train")}
    assert same == tested
    assert not further & tested
    labels = Counter(
        row["label_embedded"] for row in sample.rows("naturalistic-further-pairs", "train")
    )
    assert labels == {"yes": 15, "unk": 15}
    # A composite that both hold is one row, of one identity and one label.
    known = {row["id"]: row for row in sample.rows("naturalistic", "test")}
    both = [r for r in sample.rows("naturalistic-same-pairs", "train") if r["id"] in known]
    assert both
    for row in both:
        assert {key: row[key] for key in known[row["id"]]} == known[row["id"]]


def test_forty_frames_are_in_use(sample: Sample) -> None:
    rows = [row for s in ("train", "test") for row in sample.rows("naturalistic-frames", s)]
    frames = {row["frame"] for row in rows} - {None}
    assert "someone" not in frames
    assert len(frames) == 40


def test_the_card_tells_the_cells(sample: Sample) -> None:
    assert "94" not in sample.content.made
    assert "8 verbs, 41 main clauses" in sample.content.made
    assert (
        "composites of the same pairs as the test (`naturalistic-same-pairs`) and of 10 further "
        "pairs (`naturalistic-further-pairs`) below 3 veridical verbs: know, see, notice. The "
        "other 5 verbs are left to test on." in sample.content.made
    )
    (section,) = sample.content.sections
    assert "| `naturalistic/test` | 60 | 60 | 60 | 60 |" in section.markdown
    assert "- naturalistic: a finite verb is uncertain: 3" in sample.content.rejected


def test_the_same_spec_gives_the_same_rows_and_another_seed_others(
    sample: Sample, root: Path
) -> None:
    files = {"pairs": root / "specs" / "sample" / "sentence-pairs.tsv"}
    again = build(sample.spec, files, engine=Processes(4), progress=Silent())
    assert all(
        one.table.equals(other.table)
        for one, other in zip(sample.content.splits, again.splits, strict=True)
    )
    assert again.audit == sample.content.audit
    other = build(replace(sample.spec, seed=8), files, engine=Serial(), progress=Silent())
    assert not other.splits[0].table.equals(sample.content.splits[0].table)


@pytest.mark.slow
def test_the_published_sizes(root: Path, shared_data: Path) -> None:
    spec = load(root / "specs" / "veridical-transitivity.yaml")
    files = {
        "sick": shared_data / "sick" / "SICK.txt",
        "judgements": shared_data / "veridicality" / "naturalistic_inference_human_performance.tsv",
    }
    content = build(spec, files, engine=Serial(), progress=Silent())
    tables = {(s.config, s.name): s.table for s in content.splits}
    for config, pairs, embedded in (("synthetic", 3_000, 6_000), ("naturalistic", 1_000, 30_000)):
        parts = Counter(
            part
            for split in ("train", "validation", "test")
            for part in tables[config, split].column("part").to_pylist()
        )
        assert parts == {"embedded": pairs, "veridical": embedded, "composite": embedded}
    cells = cast("dict[str, dict[str, int]]", content.audit["cells"])
    assert set(cells["synthetic/test"].values()) == {1_500}
    assert set(cells["naturalistic/test"].values()) == {7_500}
    assert tables["human", "composite"].num_rows == tables["human", "veridical"].num_rows == 960
