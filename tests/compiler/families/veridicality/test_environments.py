"""One release with several environments over the same pairs, in English and in German."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any, cast

import pyarrow as pa
import pytest

from sorites.families.veridicality import reprove
from tests.compiler.families.veridicality.conftest import Sample

ENVIRONMENTS = {"positive", "negated", "question", "conditional", "modal", "quantified"}


def test_every_construction_is_over_the_same_pairs(environments: Sample) -> None:
    for config, pairs, constructions in (("synthetic", 28, 23), ("control", 16, 6)):
        around: dict[tuple[Any, ...], set[str]] = defaultdict(set)
        for row in environments.rows(config, "test"):
            passive = row["complement"] == "passive"
            around[row["environment"], row["depth"], passive].add(row["pair"])
        assert len(around) == constructions
        assert {frozenset(of) for of in around.values()} == {
            frozenset(row["pair"] for row in environments.rows(config, "test"))
        }
        assert all(len(of) == pairs for of in around.values())


def test_cells_are_equal_in_every_construction(environments: Sample, german: Sample) -> None:
    for sample, config in (
        (environments, "synthetic"),
        (environments, "control"),
        (environments, "naturalistic"),
        (german, "synthetic"),
        (german, "control"),
    ):
        cells: dict[tuple[Any, ...], Counter[tuple[str, str]]] = defaultdict(Counter)
        for row in sample.rows(config, "test"):
            around = row["environment"], row["depth"], row["complement"]
            cells[around][row["label_veridical"], row["label_embedded"]] += 1
        for around, of in cells.items():
            assert len(of) == 4, (config, around, of)
            assert len({*of.values()}) == 1, (config, around, of)
        rejected = cast("dict[str, int]", sample.content.audit["rejected"])
        assert not any("composite" in reason for reason in rejected)


def test_factives_project_and_implicatives_do_not(environments: Sample) -> None:
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    for split in ("train", "validation"):
        for row in environments.rows("synthetic", split) + environments.rows("control", split):
            if row["part"] == "veridical" and row["depth"] == 1:
                seen[row["verb"], row["environment"]].add(row["verdict"])
    assert seen
    for (verb, environment), verdicts in seen.items():
        expected = {
            "know": "entailed",
            "hope": "undetermined",
            "pretend": "contradicted",
            "prove": "entailed" if environment == "positive" else "undetermined",
            "manage to": "entailed" if environment == "positive" else "contradicted",
            "forget to": "contradicted" if environment == "positive" else "entailed",
            "refuse to": "contradicted" if environment == "positive" else "undetermined",
            "hesitate to": "undetermined" if environment == "positive" else "entailed",
        }.get(verb)
        assert expected is None or verdicts == {expected}, (verb, environment)


def test_polarity_and_depth_are_columns(environments: Sample) -> None:
    rows = environments.rows("synthetic", "test")
    assert {row["environment"] for row in rows} == ENVIRONMENTS
    assert {row["polarity"] for row in rows} == {"positive", "negative", "unknown", "none"}
    assert {row["depth"] for row in rows} == {1, 2, 3}
    for row in rows:
        above = row["above"].split(" > ") if row["above"] else []
        assert len(above) + 1 == row["depth"]
    assert {row["complement"] for row in environments.rows("control", "test")} == {"to"}


def test_no_one_speaks_of_all(environments: Sample) -> None:
    rows = [
        row
        for row in environments.rows("control", "test")
        if (row["environment"], row["depth"]) == ("quantified", 1)
    ]
    committed = [row["premise_formula"] for row in rows if row["premise_formula"]]
    assert committed
    assert all(formula.startswith("all x.") for formula in committed)
    assert {row["premise"][:7] for row in rows} == {"No one "}


def test_both_samples_prove_themselves_again(environments: Sample, german: Sample) -> None:
    assert reprove(environments.tables, environments.document) == []
    assert reprove(german.tables, german.document) == []


@pytest.mark.parametrize(
    ("column", "value", "expected"),
    [
        ("environment", "modal", "no construction modal, that, depth 3"),
        ("polarity", "positive", "signature and polarity are not "),
        ("above", "know > guess", "no verb "),
        ("premise", "No one knew that it rained", "does not embed the hypothesis"),
    ],
)
def test_a_wrong_row_is_found(environments: Sample, column: str, value: str, expected: str) -> None:
    key = ("synthetic", "train")
    rows = environments.tables[key].to_pylist()
    wrong = next(
        row
        for row in rows
        if row["part"] == "veridical"
        and (row["environment"], row["depth"], row["polarity"]) == ("quantified", 3, "none")
    )
    wrong[column] = value
    table = pa.Table.from_pylist([wrong], schema=environments.tables[key].schema)
    document = dict(environments.document)
    if column == "environment":
        document["synthetic"] = {**document["synthetic"], "environments": ["quantified"]}
    faults = reprove({key: table}, document)
    assert any(expected in fault for fault in faults), faults


def test_the_audit_tells_environments_and_shared_sentences(environments: Sample) -> None:
    audit = environments.content.audit
    by_environment = cast("dict[str, Any]", audit["environments"])["synthetic/test"]
    assert by_environment["quantified, polarity negative, depth 1"] == {"unk": 40, "yes": 16}
    shared = cast("dict[str, Any]", audit["shared_sentences"])["synthetic"]
    assert set(shared) == {
        "composite and embedded",
        "composite and veridical",
        "embedded and veridical",
    }
    tables = environments.tables
    texts: dict[str, set[str]] = defaultdict(set)
    for split in ("train", "validation", "test"):
        for row in tables["synthetic", split].to_pylist():
            texts[row["part"]].add(row["premise"])
    both = shared["composite and veridical"]
    assert both["premises of both"] == len(texts["composite"] & texts["veridical"])
    assert both["premises of composite"] == len(texts["composite"])
    assert both["premises of both"] == both["premises of composite"]
