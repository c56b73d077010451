"""The analyses of a benchmark.json: what is read, and what is said of what cannot be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from sorites_eval.contract.analyses.kinds import KINDS
from sorites_eval.contract.analyses.reference import Beside
from sorites_eval.contract.analyses.table import Difference, Table
from sorites_eval.contract.analyses.trend import Trend
from sorites_eval.contract.faults import InvalidBenchmark
from sorites_eval.contract.read import read_benchmark
from tests.conftest import ROOT

SCHEMA = json.loads((ROOT / "specs" / "schemas" / "common.schema.json").read_text())
TABLE: dict[str, object] = {
    "kind": "table",
    "title": "By scheme",
    "source": "A paper, table 1",
    "tasks": ["entailment"],
    "where": {"distractors": [0, 1]},
    "rows": ["scheme"],
    "columns": ["model", "setting"],
    "metrics": ["accuracy", "precision-unanswered-wrong"],
}


def faults(document: Mapping[str, object], analysis: object) -> list[str]:
    with pytest.raises(InvalidBenchmark) as caught:
        read_benchmark(json.dumps({**document, "analyses": {"one": analysis}}))
    return [
        str(fault).removeprefix("benchmark.json: analyses.one") for fault in caught.value.faults
    ]


def read(document: Mapping[str, object], analysis: object) -> Any:
    return read_benchmark(json.dumps({**document, "analyses": {"one": analysis}})).analyses["one"]


def test_a_table_is_read_with_the_columns_that_it_names(document: dict[str, object]) -> None:
    found = read(document, {**TABLE, "totals": ["scheme"]})
    metrics = ("accuracy", "precision-unanswered-wrong")
    assert found.design == Table(("scheme",), metrics, ("model", "setting"), ("scheme",))
    assert found.columns() == ("distractors", "scheme")
    assert found.metrics() == metrics
    assert found.levels == (
        (("where", "distractors", 0), "distractors", 0),
        (("where", "distractors", 1), "distractors", 1),
    )
    assert (("rows", 0), "scheme") in found.places


def test_a_difference_may_be_of_settings_tasks_and_columns(document: dict[str, object]) -> None:
    plain = {key: value for key, value in TABLE.items() if key != "columns"}
    levels = ["zero-shot", "few-shot"]
    found = read(document, {**plain, "difference": {"of": "setting", "levels": levels}})
    assert found.design.difference == Difference("setting", "zero-shot", "few-shot")
    found = read(document, {**plain, "difference": {"of": "distractors", "levels": [0, 2]}})
    assert found.design.difference == Difference("distractors", 0, 2)


def test_a_trend_is_read(document: dict[str, object]) -> None:
    trend = {"kind": "trend", "title": "t", "tasks": ["entailment"], "x": "distractors"}
    found = read(document, {**trend, "metric": "accuracy", "within": ["scheme"]})
    assert found.design == Trend("distractors", "accuracy", ("scheme",))


def test_without_analyses_there_are_none(document: dict[str, object]) -> None:
    assert read_benchmark(json.dumps(document)).analyses == {}


def test_every_kind_is_in_the_schema_with_its_fields() -> None:
    schema = SCHEMA["definitions"]["analysis"]["properties"]
    assert schema["kind"]["enum"] == list(KINDS)
    shared = {"kind", "title", "source", "tasks", "where"}
    fields = {name for kind in KINDS.values() for name in (*kind.required, *kind.optional)}
    assert schema.keys() == shared | fields


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"kind": "tabel"}, ".kind: unknown value \"tabel\". Did you mean \"table\"? There are: "
         "contrast, curve, distribution, heat, paired-tests, reference, table, trend."),
        ({"tasks": ["entailmnt"]}, ".tasks[0]: unknown task \"entailmnt\". Did you mean "
         "\"entailment\"? There are: entailment, premise-selection, relation."),
        ({"tasks": []}, ".tasks: expected at least one task, and each once."),
        ({"metrics": []}, ".metrics: expected at least one metric."),
        ({"metrics": ["reasoning-accuracy"]},
         ".metrics[0]: \"reasoning-accuracy\" needs a \"selection\" in the answer."),
        ({"rows": ["scheme", "scheme"]}, ".rows: a name stands there twice."),
        ({"columns": ["scheme"]}, ".columns: \"scheme\" is a dimension of the rows already."),
        ({"totals": ["names"]},
         ".totals: \"names\" is a dimension neither of rows nor of columns."),
        ({"where": {"setting": ["five-shot"]}}, ".where.setting[0]: unknown value \"five-shot\". "
         "Did you mean \"few-shot\"? There are: few-shot, zero-shot."),
        ({"where": {"distractors": []}}, ".where.distractors: expected at least one value."),
        ({"x": "distractors"}, ": unknown key \"x\". There are: columns, difference, kind, "
         "metrics, rows, source, tasks, title, totals, validation, where."),
        ({"difference": {"of": "setting", "levels": ["zero-shot", "few-shot"]}},
         ".difference: \"setting\" is a dimension of the rows or columns already."),
        ({"difference": {"of": "distractors", "levels": [0]}},
         ".difference.levels: expected two different values."),
    ],
)  # fmt: skip
def test_what_breaks_a_table(
    document: dict[str, object], changed: dict[str, object], message: str
) -> None:
    assert faults(document, {**TABLE, **changed}) == [message]


@pytest.mark.parametrize(
    ("analysis", "message"),
    [
        ({"kind": "trend", "x": "model", "metric": "accuracy"},
         ".x: \"model\" is no column of the items, but a property of a run."),
        ({"kind": "trend", "x": "distractors", "metric": "accuracy", "pooled": ["distractors"]},
         ".pooled: a column can be only one of x, within and pooled."),
        ({"kind": "contrast", "between": "setting", "levels": ["zero-shot", "few-shot"],
          "lines": ["setting"], "metrics": ["accuracy"]},
         ".lines: a dimension can be only one of between, lines and panels."),
        ({"kind": "distribution", "of": "words", "bars": ["model"]},
         ".of: unknown value \"words\". There are: answers, outcomes, responses."),
        ({"kind": "heat", "rows": "scheme", "columns": "scheme", "metric": "f1"},
         ".columns: a dimension can be only one of rows, columns and panels."),
        ({"kind": "paired-tests", "unit": ["scheme"], "metric": "f1", "families": {}},
         ".families: declares no family."),
        ({"kind": "paired-tests", "unit": ["scheme"], "metric": "f1", "level": 1,
          "families": {"all": {"between": "model"}}},
         ".level: expected a number between 0 and 1."),
        ({"kind": "curve", "metric": "accuracy"}, ".metric: no task has a curve."),
        ({"kind": "reference", "references": ["people"], "rows": [], "metrics": ["accuracy"]},
         ".references[0]: unknown value \"people\". There are none."),
    ],
)  # fmt: skip
def test_what_breaks_the_other_kinds(
    document: dict[str, object], analysis: dict[str, object], message: str
) -> None:
    assert faults(document, {"title": "t", "tasks": ["entailment"], **analysis}) == [message]


def with_references(document: dict[str, object], *names: str) -> dict[str, object]:
    """The document with answers of others to one of its tasks."""
    made = json.loads(json.dumps(document))
    made["tasks"]["entailment"]["references"] = {
        name: {"config": "human", "split": name, "answer": "label"} for name in names
    }
    return made


def beside(references: list[str], **more: object) -> dict[str, object]:
    return {
        "kind": "reference",
        "title": "t",
        "tasks": ["entailment"],
        "references": references,
        "rows": ["scheme"],
        "metrics": ["accuracy"],
        **more,
    }


@pytest.mark.parametrize("chosen", [["people"], ["people", "experts"], ["experts", "people"]])
def test_references_are_read_in_the_order_that_is_given(
    document: dict[str, object], chosen: list[str]
) -> None:
    known = with_references(document, "people", "experts")
    found = read(known, beside(chosen, totals=["scheme"]))
    assert found.design == Beside((*chosen,), ("scheme",), ("accuracy",), ("scheme",))
    assert read(known, beside(chosen)).design.totals == ()


@pytest.mark.parametrize(
    ("analysis", "message"),
    [
        (beside([]), ".references: expected at least one reference, and each once."),
        (
            beside(["people", "people"]),
            ".references: expected at least one reference, and each once.",
        ),
        (
            beside(["people", "experts", "people"]),
            ".references: expected at least one reference, and each once.",
        ),
        (
            beside(["people"], totals=["distractors"]),
            '.totals: "distractors" is no dimension of the rows.',
        ),
    ],
)
def test_what_breaks_references(
    document: dict[str, object], analysis: dict[str, object], message: str
) -> None:
    assert faults(with_references(document, "people", "experts"), analysis) == [message]


def test_everything_wrong_is_said_at_once(document: dict[str, object]) -> None:
    text = json.dumps({**document, "analyses": {"a b": TABLE, "two": {**TABLE, "kind": 1}}})
    with pytest.raises(InvalidBenchmark) as caught:
        read_benchmark(text)
    assert [fault.path[:3] for fault in caught.value.faults] == [
        ("analyses", "a b"),
        ("analyses", "two", "kind"),
    ]
