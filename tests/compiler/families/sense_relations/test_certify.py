"""What certificates of gloss pairs say, and how a lexicon may say the same the other way round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from sorites.engines.serial import Serial
from sorites.families.sense_relations.certify import certify
from sorites.progress import Silent
from sorites.release.content import Content
from tests.compiler.families.sense_relations.conftest import Edit


def readings(spec: Any) -> Mapping[str, Any]:
    """What the checker of a release of the spec is told."""
    found = certify(
        {}, cast("dict[str, Any]", spec.document.data), engine=Serial(), progress=Silent()
    )
    assert [table.num_rows for table in found.tables.values()] == [0] * len(found.tables)
    return cast("dict[str, Any]", found.readings.further)


def test_the_checker_is_told_each_relation_and_the_types_that_say_it_from_the_other_end(
    edited: Edit,
) -> None:
    assert readings(edited()) == {
        "relations": {
            "hypernymy": {"label": "HYP", "inverse": "HPO", "types": ["hypernym"]},
            "holonymy": {
                "label": "HOL",
                "inverse": "MER",
                "types": ["holo_part", "holo_member", "holo_substance"],
            },
            "antonymy": {"label": "ANT", "inverse": "ANT", "types": ["antonym"]},
        },
        "reverse": {
            "hyponym": "hypernym",
            "mero_part": "holo_part",
            "mero_member": "holo_member",
            "mero_substance": "holo_substance",
            "antonym": "antonym",
        },
    }


def test_a_type_that_has_no_reverse_is_its_own_in_a_symmetric_relation_alone(edited: Edit) -> None:
    relations = (
        "relations: {file: ../senses/relations.yaml}",
        "relations:\n"
        "  likeness: {label: LIKE, synset_types: [other]}\n"
        "  pertaining: {label: PERT, inverse: OF, sense_types: [other, pertainym]}",
    )
    found = readings(edited(*relations))
    assert found["relations"]["pertaining"]["types"] == ["other", "pertainym"]
    assert found["reverse"] == {"other": "other"}


def test_each_pair_has_one_certificate_from_the_end_that_the_relation_is_of(
    edited: Edit, sample_content: Content
) -> None:
    tables = {(split.config, split.name): split.table for split in sample_content.splits}
    document = cast("dict[str, Any]", edited().document.data)
    made = certify(tables, document, engine=Serial(), progress=Silent()).tables
    found = [row for table in made.values() for row in table.to_pylist()]
    rows: dict[str, dict[str, Any]] = {}
    for table in tables.values():
        for row in table.to_pylist():
            rows.setdefault(row["pair_id"], row)
    assert {certificate["key"] for certificate in found} == rows.keys()
    assert len(found) == len(rows) > 0
    given = {"HYP", "HOL", "ANT"}
    for certificate in found:
        row = rows[certificate["key"]]
        ends = [row["ili_1"], row["ili_2"]]
        if row["label"] not in given:
            ends.reverse()
        assert certificate["source"] == [f"{kind} {ends[0]} {ends[1]}" for kind in row["types"]]
    assert {row["label"] for row in rows.values()} > given
