from __future__ import annotations

from collections import Counter
from dataclasses import replace

from sorites.families.veridicality.rows import FLIPPED, Part, Row, table_of
from sorites.families.veridicality.splits import flip_labels, hold_out, shuffled

ROW = Row(
    id="",
    premise="p",
    hypothesis="h",
    label="yes",
    verdict="entailed",
    part=Part.VERIDICAL,
    pair="p1",
    verb="know",
    signature="+/+",
    complement="that",
    tense="past",
    frame="someone",
    environment="positive",
    polarity="positive",
    depth=1,
    above=None,
    label_veridical="yes",
    label_embedded=None,
    premise_formula=None,
    hypothesis_formula=None,
    connectives=None,
    nesting=None,
    shape=None,
    source_id=None,
)


def rows() -> list[Row]:
    return [
        replace(ROW, id=f"{part}-{label}-{number}", part=part, label=label)
        for part in (Part.VERIDICAL, Part.EMBEDDED)
        for label in ("yes", "unk")
        for number in range(40)
    ]


def test_a_share_of_each_part_and_label_is_held_out() -> None:
    rest, held = hold_out(rows(), 0.1, 5, "validation")
    assert Counter((row.part, row.label) for row in held) == {
        (part, label): 4 for part in (Part.VERIDICAL, Part.EMBEDDED) for label in ("yes", "unk")
    }
    assert sorted(row.id for row in [*rest, *held]) == sorted(row.id for row in rows())
    assert {row.id for row in rest}.isdisjoint(row.id for row in held)


def test_a_share_is_rounded_to_the_nearest_row() -> None:
    for number, expected in ((14, 1), (16, 2), (24, 2), (26, 3)):
        stratum = [replace(ROW, id=str(n)) for n in range(number)]
        _, held = hold_out(stratum, 0.1, 5, "validation")
        assert len(held) == expected


def test_each_cell_of_labels_has_its_share() -> None:
    """Composites of one label differ in the labels of their parts."""
    cells = [("unk", "yes"), ("unk", "unk"), ("yes", "unk")]
    composites = [
        replace(
            ROW,
            id=f"{veridical}-{embedded}-{number}",
            part=Part.COMPOSITE,
            label="unk",
            label_veridical=veridical,
            label_embedded=embedded,
        )
        for veridical, embedded in cells
        for number in range(10)
    ]
    for seed in range(20):
        _, held = hold_out(composites, 0.1, seed, "validation")
        assert sorted((row.label_veridical, row.label_embedded) for row in held) == sorted(cells)


def test_chance_depends_on_identities_alone() -> None:
    assert hold_out(rows()[::-1], 0.1, 5, "validation") == hold_out(rows(), 0.1, 5, "validation")
    assert hold_out(rows(), 0.1, 6, "validation") != hold_out(rows(), 0.1, 5, "validation")
    ordered = shuffled(rows(), 5)
    assert ordered == shuffled(rows()[::-1], 5) != rows()


def test_only_veridical_labels_are_flipped_as_many_each_way() -> None:
    changed, flipped = flip_labels(rows(), 0.1, 3)
    assert sum(flipped) == 8
    for old, new, flip in zip(rows(), changed, flipped, strict=True):
        assert (old.label != new.label) == flip
        assert replace(new, label=old.label) == old
        assert not flip or old.part == Part.VERIDICAL
    assert Counter(row.label for row, flip in zip(rows(), flipped, strict=True) if flip) == {
        "yes": 4,
        "unk": 4,
    }


def test_a_table_has_the_columns_of_a_row_and_one_more() -> None:
    changed, flipped = flip_labels(rows(), 0.1, 3)
    table = table_of(changed, FLIPPED, flipped)
    assert table.num_rows == 160
    assert table.column_names[-1] == "flipped"
    assert table.to_pylist()[0]["verb"] == "know"
