"""Results of training beside runs: in tables, as curves, and beside people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from sorites_eval.analysis import analyse
from sorites_eval.contract.release import Release, open_release
from sorites_eval.errors import RunError
from sorites_eval.reporting.analyses.found import Found
from sorites_eval.reporting.analyses.trained import read_trained
from tests.evaluators.conftest import write_release

LABELS = ("yes", "unk")
SETS = {
    "title": "Both",
    "train": [{"config": "parts", "split": "train"}],
    "validation": [{"config": "parts", "split": "train"}],
}
TASK = {
    "data": {"config": "items", "split": "test"},
    "id": "id",
    "answer": {"format": "choice", "labels": {"Yes": "yes", "No": "unk"}, "gold": "label"},
    "prompts": {"zero-shot": {"user": "{{ premise }}"}},
    "score": {
        "metrics": ["accuracy"],
        "groups": [["label_veridical", "label_embedded"], ["verb"]],
    },
    "train": {
        "text": ["premise"],
        "sets": {"both": SETS, "noisy": {**SETS, "title": "Noisy"}},
        "curves": {
            "more": {
                "title": "More",
                "base": "both",
                "add": {"config": "parts", "split": "more"},
                "by": "step",
            }
        },
    },
    "references": {"people": {"config": "human", "split": "test", "answer": "human_label"}},
}
ROWS = ["label_veridical", "label_embedded"]
ANALYSES = {
    "sets": {
        "kind": "table",
        "title": "Sets",
        "tasks": ["composites"],
        "rows": ROWS,
        "columns": ["model", "setting"],
        "totals": ROWS,
        "metrics": ["accuracy"],
        "validation": True,
    },
    "noise": {
        "kind": "table",
        "title": "Noise",
        "tasks": ["composites"],
        "rows": ROWS,
        "columns": ["model"],
        "metrics": ["accuracy"],
        "difference": {"of": "setting", "levels": ["both", "noisy"]},
    },
    "curves": {
        "kind": "curve",
        "title": "Curves",
        "tasks": ["composites"],
        "lines": ROWS,
        "metric": "accuracy",
    },
    "people": {
        "kind": "reference",
        "title": "People",
        "tasks": ["composites"],
        "references": ["people"],
        "rows": ROWS,
        "totals": ROWS,
        "metrics": ["accuracy"],
    },
}


def rows(config: str) -> list[dict[str, object]]:
    return [
        {
            "id": f"{config}-{number}",
            "premise": f"sentence {number} of {config}",
            "label": LABELS[number % 2],
            "label_veridical": LABELS[number // 2 % 2],
            "label_embedded": LABELS[number % 2],
            "verb": ["know", "hope"][number // 2 % 2],
            "human_label": LABELS[number % 2] if number != 1 else "yes",
            "step": 1,
        }
        for number in range(8)
    ]


@pytest.fixture
def release(tmp_path: Path) -> Release:
    document = {
        "benchmark": 1,
        "name": "verbs",
        "version": "1.0.0",
        "tasks": {"composites": TASK},
        "analyses": ANALYSES,
    }
    tables = {
        ("items", "test"): rows("items"),
        ("human", "test"): rows("human"),
        ("parts", "train"): rows("parts"),
        ("parts", "more"): rows("more"),
    }
    return open_release(str(write_release(tmp_path / "verbs" / "1.0.0", document, tables)))


def record(release: Release, accuracy: float, **changed: object) -> dict[str, object]:
    """A line of ``training-runs.jsonl``: the same accuracy in each cell."""
    cells = [
        {"values": {ROWS[0]: a, ROWS[1]: b}, "n": 2, "accuracy": accuracy}
        for a in LABELS
        for b in LABELS
    ]
    parts = [(a, None, 3, 0.5 if a == "yes" else 1.0) for a in LABELS]
    parts += [(None, b, 1, 0.25) for b in LABELS]
    return {
        "release": {"name": "verbs", "version": "1.0.0", "content": release.content},
        "task": "composites",
        "model": "lstm",
        "setting": "both",
        "curve": None,
        "step": None,
        "seed": 0,
        "n": 8,
        "accuracy": accuracy,
        "groups": [{"by": ROWS, "rows": cells}],
        "validation": {
            "accuracy": 0.6,
            "cells": [
                {"values": {ROWS[0]: a, ROWS[1]: b}, "n": n, "accuracy": share}
                for a, b, n, share in parts
            ],
        },
        **changed,
    }


@pytest.fixture
def trained(release: Release, tmp_path: Path) -> Path:
    records = [
        record(release, 0.5),
        record(release, 0.7, seed=1),
        record(release, 0.2, setting="noisy"),
        *(record(release, 0.1 * s, curve="more", step=s, seed=0) for s in (0, 1, 2)),
        record(release, 1.0, model="people", setting="", seed=None, validation=None),
    ]
    folder = tmp_path / "trained"
    folder.mkdir()
    text = "".join(json.dumps(entry) + "\n" for entry in records)
    (folder / "training-runs.jsonl").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def found(release: Release, trained: Path, tmp_path: Path) -> Mapping[str, Found]:
    tables = analyse([trained], tmp_path / "out", release=release)
    return {table.name: table for table in tables}


def values(found: Found, **key: object) -> Mapping[str, object]:
    (one,) = [line.values for line in found.lines if all(line.key[k] == v for k, v in key.items())]
    return one


def test_seeds_are_averaged_with_their_deviation(found: Mapping[str, Found]) -> None:
    told = values(found["sets"], label_veridical="yes", label_embedded="unk", setting="both")
    assert told == {"accuracy": 0.6, "accuracy sd": pytest.approx(0.1414, abs=1e-4), "n": 2}
    total = values(found["sets"], label_veridical="all", setting="noisy")
    assert (total["accuracy"], total["n"]) == (0.2, 8)


def test_validation_has_a_row_for_each_part(found: Mapping[str, Found]) -> None:
    own = {"setting": "both", "model": "lstm"}
    veridical = values(found["sets"], label_veridical="validation", label_embedded=None, **own)
    embedded = values(found["sets"], label_veridical=None, label_embedded="validation", **own)
    assert (veridical["accuracy"], embedded["accuracy"]) == (0.75, 0.25)


def test_a_difference_of_training_sets(found: Mapping[str, Found]) -> None:
    told = values(found["noise"], label_veridical="yes", label_embedded="yes")
    assert told["accuracy"] == 0.2
    assert told["Δ accuracy"] == pytest.approx(-0.4)


def test_a_curve_has_each_step_for_each_line_and_all(
    found: Mapping[str, Found], tmp_path: Path
) -> None:
    steps = [line.key["step"] for line in found["curves"].lines]
    assert sorted(set(steps)) == [0, 1, 2]  # type: ignore[type-var]
    assert len(steps) == 3 * 5
    told = values(found["curves"], step=2, label_veridical="all")
    assert told["accuracy"] == pytest.approx(0.2)
    assert (tmp_path / "out" / "curves.svg").is_file()


def test_people_stand_beside_models_tested_on_as_many_rows(found: Mapping[str, Found]) -> None:
    total = {
        line.key["model"]: line.values
        for line in found["people"].lines
        if (line.key["label_veridical"], line.key["setting"]) in {("all", "both"), ("all", "")}
    }
    assert total["people"]["accuracy"] == 7 / 8
    assert total["lstm"]["accuracy"] == pytest.approx(0.6)
    assert found["people"].notes == ("composites: 8 rows, the same for all.",)


def test_what_people_said_is_not_read_as_a_model(trained: Path) -> None:
    assert {told.model for told in read_trained(trained)} == {"lstm"}


def test_training_alone_does_not_say_where_its_release_is(trained: Path) -> None:
    with pytest.raises(RunError) as caught:
        analyse([trained])
    assert str(caught.value) == (
        "results of training do not say where their release is. Say it: --release."
    )


@pytest.mark.parametrize("text", ["{", "[]", '{"seed": 1}', '{"seed": 1, "n": "x"}'])
def test_a_file_of_another_form_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "training-runs.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RunError, match=r"training-runs\.jsonl: not results of training: "):
        read_trained(tmp_path)
