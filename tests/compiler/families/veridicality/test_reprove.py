"""A release proves itself again; each kind of wrong row is found and named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from pyarrow.compute import is_in

from sorites.families.veridicality import reprove
from tests.compiler.families.veridicality.conftest import Sample

Change = Callable[[dict[str, Any]], bool]


def some(sample: Sample, *configs: str) -> dict[tuple[str, str], pa.Table]:
    """The rows of some configs that come of their first pairs; parsing them all takes long."""
    tables = {key: table for key, table in sample.tables.items() if key[0] in configs}
    pairs = sorted({p for table in tables.values() for p in table.column("pair").to_pylist()})
    kept = pa.array(pairs[:20])
    return {key: table.filter(is_in(table.column("pair"), kept)) for key, table in tables.items()}


def altered(sample: Sample, key: tuple[str, str], change: Change) -> list[str]:
    """What is found wrong after a change to the first row that takes it."""
    tables = some(sample, key[0])
    rows = tables[key].to_pylist()
    assert any(change(row) for row in rows)
    tables[key] = pa.Table.from_pylist(rows, schema=tables[key].schema)
    return reprove(tables, sample.document)


def test_the_sample_proves_itself_again(sample: Sample) -> None:
    assert reprove(sample.tables, sample.document) == []


def comma_loses_the_premise(row: dict[str, Any]) -> bool:
    """The fault of the published generator: a hypothesis with a comma replaces the premise."""
    if row["part"] != "veridical" or "," not in row["hypothesis"]:
        return False
    row["premise"] = row["hypothesis"]
    row["label"] = "unk"
    return True


@pytest.mark.parametrize("config", ["synthetic", "naturalistic"])
def test_a_premise_lost_to_a_comma_is_found(sample: Sample, config: str) -> None:
    faults = altered(sample, (config, "train"), comma_loses_the_premise)
    assert any("does not embed the hypothesis" in fault for fault in faults)
    assert f"{config}: inferences premise is hypothesis: 1" in faults


def setting(column: str, value: object, where: Callable[[dict[str, Any]], bool]) -> Change:
    def change(row: dict[str, Any]) -> bool:
        if not where(row) or row[column] == value:
            return False
        row[column] = value
        return True

    return change


@pytest.mark.parametrize(
    ("key", "change", "expected"),
    [
        (
            ("synthetic", "test"),
            setting("label", "yes", lambda r: r["verdict"] == "undetermined"),
            "the label yes does not go with the verdict undetermined",
        ),
        (
            ("synthetic", "test"),
            setting("label", "yes", lambda r: r["verdict"] == "undetermined"),
            "the label yes does not follow from its parts",
        ),
        (
            ("synthetic", "test"),
            setting("verdict", "undetermined", lambda r: r["verdict"] == "contradicted"),
            "the verdict is undetermined; proved is contradicted",
        ),
        (
            ("synthetic", "train"),
            setting("premise_formula", "swim(ann)", lambda r: r["part"] == "veridical"),
            "premise_formula is swim(ann), not ",
        ),
        (
            ("synthetic", "test"),
            setting("hypothesis_formula", "swim(ann)", lambda r: True),
            "hypothesis_formula is not that of the pair ",
        ),
        (
            ("naturalistic", "train"),
            setting("label_veridical", "yes", lambda r: r["verb"] == "hope"),
            "label_veridical is yes; hope is o/o",
        ),
        (
            ("naturalistic", "test"),
            setting("hypothesis", "A whale is here", lambda r: True),
            "the hypothesis is not that of the pair ",
        ),
        (
            ("naturalistic", "test"),
            setting("premise", "Someone knows that a whale is here", lambda r: True),
            "the premise is not that of the part veridical: ",
        ),
        (
            ("naturalistic", "test"),
            setting("verb", "guess", lambda r: True),
            "no verb guess or no frame someone in the spec, or no construction positive, that, "
            "depth 1",
        ),
        (
            ("naturalistic", "test"),
            setting("verdict", "contradicted", lambda r: r["verdict"] == "undetermined"),
            "the verdict is contradicted, and from the parts follows undetermined",
        ),
        (
            ("naturalistic", "train"),
            setting("verdict", "contradicted", lambda r: r["verb"] == "hope"),
            "the verdict is contradicted; hope is o/o",
        ),
        (
            ("naturalistic-noise", "train"),
            setting("flipped", True, lambda r: r["part"] == "veridical"),
            "the label ",
        ),
    ],
)
def test_a_wrong_row_is_found(
    sample: Sample, key: tuple[str, str], change: Change, expected: str
) -> None:
    faults = altered(sample, key, change)
    assert any(expected in fault for fault in faults), faults


def test_a_sentence_that_does_not_say_its_formula_is_found(sample: Sample) -> None:
    tables = some(sample, "synthetic")
    for key in (("synthetic", "train"), ("synthetic", "validation")):
        rows = tables[key].to_pylist()
        for row in rows:
            if row["part"] == "embedded":
                row["premise"] = row["premise"].replace(" and ", " or ")
        tables[key] = pa.Table.from_pylist(rows, schema=tables[key].schema)
    faults = reprove(tables, sample.document)
    assert any(" says " in f or "cannot be parsed" in f for f in faults), faults


def test_a_row_that_is_trained_on_and_tested_is_found(sample: Sample) -> None:
    tables = some(sample, "naturalistic")
    train, test = (tables["naturalistic", split] for split in ("train", "test"))
    tables["naturalistic", "train"] = pa.concat_tables([train, test.slice(0, 1)])
    assert "naturalistic: inferences test and train: 1" in reprove(tables, sample.document)
