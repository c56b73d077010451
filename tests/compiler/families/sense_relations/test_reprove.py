"""Rows that were tampered with are found out; rows that were not are left in peace."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sorites.canonical import Json
from sorites.families.sense_relations import reprove
from sorites.families.sense_relations.items import COLUMNS
from sorites.release.content import Content, schema_of
from sorites.specfile.load import load

Row = dict[str, Any]


@pytest.fixture
def document(sample_spec: Path) -> Mapping[str, Json]:
    data = load(sample_spec).document.data
    assert isinstance(data, Mapping)
    return data


def tables(
    content: Content, config: str = "", change: Callable[[list[Row]], list[Row]] | None = None
) -> dict[tuple[str, str], pa.Table]:
    found = {}
    for split in content.splits:
        rows = split.table.to_pylist()
        if split.config == config and change is not None:
            rows = change(rows)
        found[split.config, split.name] = pa.Table.from_pylist(rows, schema=schema_of(COLUMNS))
    return found


def test_what_was_compiled_is_right(sample_content: Content, document: Mapping[str, Json]) -> None:
    assert reprove(tables(sample_content), document) == []


def setting(key: str, value: object, **where: object) -> Callable[[list[Row]], list[Row]]:
    """Sets a cell of the first row, or of every row that has the values given."""

    def change(rows: list[Row]) -> list[Row]:
        chosen = [row for row in rows if all(row[k] == v for k, v in where.items())]
        for row in chosen if where else chosen[:1]:
            row[key] = value
        return rows

    return change


PAIR = "hypernymy-i900002-i900001"  # a bird is an animal
FIRST = f"{PAIR}-en-en"


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        (setting("label", "HPO"), [f"{PAIR}: has more than one label"]),
        (
            setting("label", "ANT", pair_id=PAIR),
            [f"{PAIR}-{both}: 'ANT' is not a label of 'hypernymy'" for both in ("en-en", "el-el")],
        ),
        (setting("relation", "cause"), [f"{FIRST}: the spec has no relation 'cause'"]),
        (
            lambda rows: rows[1:],
            [f"{PAIR}: has not one row for each ordered pair of en, el, ro, tr, ja"],
        ),
        (
            lambda rows: [*rows, rows[0]],
            [f"{PAIR}: has not one row for each ordered pair of en, el, ro, tr, ja"],
        ),
        (setting("gloss_1", " "), [f"{FIRST}: the gloss of i900002 in 'en' is empty"]),
        (
            setting("gloss_1", "a small furry beast"),
            [f"{PAIR}-en-el: the gloss of i900002 in 'en' is another elsewhere"],
        ),
        (setting("pos", "NOUN-VERB"), [f"{FIRST}: its senses differ in part of speech: NOUN-VERB"]),
        (
            setting("lemmas_1", ["warm"]),
            ["i900002: its gloss in 'en' contains its word 'warm'"],
        ),
        (setting("id", "x"), ["x: the id does not name its pair and languages"]),
        (
            setting("ili_1", "i900099"),
            [f"{FIRST}: the pair_id does not name its relation and concepts"],
        ),
    ],
)  # fmt: skip
def test_altered_items_are_named(
    sample_content: Content,
    document: Mapping[str, Json],
    change: Callable[[list[Row]], list[Row]],
    messages: list[str],
) -> None:
    first = sample_content.splits[0].table.to_pylist()[0]
    assert first["pair_id"] == PAIR, "choose other names for this test"
    wrong = reprove(tables(sample_content, "pairs", change), document)
    for message in messages:
        assert f"pairs/test: {message}" in wrong


def test_identical_glosses_are_found(sample_content: Content, document: Mapping[str, Json]) -> None:
    def change(rows: list[Row]) -> list[Row]:
        same = next(row["gloss_2"] for row in rows if row["id"] == FIRST)
        for row in rows:
            for side in ("1", "2"):
                if (row[f"ili_{side}"], row[f"language_{side}"]) == ("i900002", "en"):
                    row[f"gloss_{side}"] = same
        return rows

    wrong = reprove(tables(sample_content, "pairs", change), document)
    assert f"pairs/test: {PAIR}: its glosses are identical" in wrong


def test_a_short_gloss_is_found(sample_content: Content, document: Mapping[str, Json]) -> None:
    wrong = reprove(tables(sample_content, "pairs", setting("gloss_1", "egg")), document)
    assert f"pairs/test: {FIRST}: the gloss of i900002 in 'en' is too short" in wrong


def test_a_pair_in_both_orders_is_found(
    sample_content: Content, document: Mapping[str, Json]
) -> None:
    def change(rows: list[Row]) -> list[Row]:
        turned = []
        for row in rows:
            if row["pair_id"] == PAIR:
                other = dict(row, pair_id="hypernymy-i900001-i900002", label="HPO")
                for name in ("ili", "language", "gloss", "lemmas"):
                    other[f"{name}_1"], other[f"{name}_2"] = row[f"{name}_2"], row[f"{name}_1"]
                other["id"] = f"{other['pair_id']}-{other['language_1']}-{other['language_2']}"
                turned.append(other)
        return rows + turned

    wrong = reprove(tables(sample_content, "pairs", change), document)
    assert wrong == [
        "pairs/test: i900001 and i900002: are a pair of 'hypernymy' more than once"
    ]  # fmt: skip


def test_exemplars_must_be_complete_and_apart(
    sample_content: Content, document: Mapping[str, Json]
) -> None:
    def without_antonyms(rows: list[Row]) -> list[Row]:
        return [row for row in rows if row["label"] != "ANT"]

    wrong = reprove(tables(sample_content, "exemplars", without_antonyms), document)
    assert wrong == ["the label 'ANT' has 0 exemplar sense pair(s), not 1"]

    shown = sample_content.splits[1].table.to_pylist()[:25]
    wrong = reprove(tables(sample_content, "pairs", lambda rows: [*rows, *shown]), document)
    assert len(wrong) == 1
    assert wrong[0].startswith("2 concepts of exemplars are among the items, such as i900")


def test_a_flood_of_messages_is_cut(sample_content: Content, document: Mapping[str, Json]) -> None:
    def change(rows: list[Row]) -> list[Row]:
        return [dict(row, relation="cause") for row in rows]

    wrong = reprove(tables(sample_content, "pairs", change), document)
    assert any(message.endswith(" more of the same kind") for message in wrong)
    assert len(wrong) < 100


def test_another_config_is_named(sample_content: Content, document: Mapping[str, Json]) -> None:
    extra = {("extra", "test"): sample_content.splits[0].table}
    assert reprove(tables(sample_content) | extra, document) == [
        "extra/test: no release of this kind has such a config"
    ]


@pytest.mark.parametrize(
    ("change", "messages"),
    [
        (lambda table: table.drop_columns(["pos"]), ["has no column 'pos'"]),
        (
            lambda table: table.set_column(
                table.column_names.index("label"), "label", pa.array([1] * len(table))
            ),
            ["the column 'label' is of type int64, not string"],
        ),
        (
            lambda table: table.set_column(
                table.column_names.index("gloss_1"),
                "gloss_1",
                pa.array([None] * len(table), pa.string()),
            ),
            ["the column 'gloss_1' has cells without a value"],
        ),
    ],
)
def test_a_table_of_another_shape_is_named(
    sample_content: Content,
    document: Mapping[str, Json],
    change: Callable[[pa.Table], pa.Table],
    messages: list[str],
) -> None:
    found = tables(sample_content)
    found["pairs", "test"] = change(found["pairs", "test"])
    assert reprove(found, document) == [f"pairs/test: {message}" for message in messages]


def test_the_partners_word_is_found_again(
    sample_content: Content, document: Mapping[str, Json]
) -> None:
    told = next(
        row
        for split in sample_content.splits
        if split.config == "pairs"
        for row in split.table.to_pylist()
        if row["partner_1"]
    )
    wrong = reprove(
        tables(sample_content, "pairs", setting("partner_1", "", id=told["id"])), document
    )
    assert wrong == [
        f"pairs/test: {told['id']}: the gloss of {told['ili_1']} holds its partner's "
        f"{told['partner_1']!r}, not ''"
    ]
    stricter = {**document, "filters": [{"filter": "glosses"}, {"filter": "partner-lemma"}]}
    found = reprove(tables(sample_content), stricter)
    assert any(
        f"{told['ili_1']}: its gloss in '" in message and "contains the word '" in message
        for message in found
    ), found


def test_glosses_that_differ_in_spelling_alone_are_found(
    sample_content: Content, document: Mapping[str, Json]
) -> None:
    folded = {
        **document,
        "filters": [{"filter": "glosses"}, {"filter": "identical-glosses", "compare": "folded"}],
    }
    pair_id = next(
        row["pair_id"]
        for split in sample_content.splits
        if split.config == "pairs"
        for row in split.table.to_pylist()
    )

    def alike(rows: list[Row]) -> list[Row]:
        for row in rows:
            if row["pair_id"] == pair_id and row["language_1"] == row["language_2"] == "en":
                row["gloss_2"] = row["gloss_1"].upper() + "."
        return rows

    wrong = reprove(tables(sample_content, "pairs", alike), folded)
    assert f"pairs/test: {pair_id}: its glosses are identical" in wrong
