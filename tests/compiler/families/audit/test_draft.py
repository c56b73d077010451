"""The spec of a first look: what it says, that it audits as it stands, and what is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sorites.errors import SoritesError
from sorites.families.audit.draft import FirstLook, draft_spec
from sorites.specfile.load import load
from tests.compiler.families.audit.specs import audited

LOOK = FirstLook(("premises",), "conclusion", "label", "nltk", {})
ARGUMENTS = [
    (["all x.(F(x) -> G(x))", "F(a)"], "G(a)"),
    (["all x.(F(x) -> G(x))", "F(a)"], "H(a)"),
    (["all x.(F(x) -> -G(x))", "F(a)"], "G(a)"),
]


def written(folder: Path, labels: Sequence[object], name: str = "My rows.jsonl") -> Path:
    """A file of arguments with some labels in turn."""
    path = folder / name
    rows = [
        {"premises": premises, "conclusion": conclusion, "label": label}
        for (premises, conclusion), label in zip(
            ARGUMENTS * (1 + len(labels) // 3), labels, strict=False
        )
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def drafted(file: Path, look: FirstLook = LOOK) -> Mapping[str, object]:
    """What the draft says, read as a spec is."""
    text = draft_spec(file, look)
    assert text.endswith("clusters: story}\n")
    path = file.parent / "draft.yaml"
    path.write_text(text, "utf-8")
    data = load(path).document.data
    assert isinstance(data, dict)
    return data


def refused(file: Path, look: FirstLook = LOOK) -> str:
    with pytest.raises(SoritesError) as caught:
        draft_spec(file, look)
    return str(caught.value)


def test_it_says_of_a_file_what_a_look_has_shown(tmp_path: Path) -> None:
    file = written(tmp_path, ["entailment", "neutral", "contradiction"])
    found = drafted(file)
    assert (found["kind"], found["name"]) == ("audit", "my-rows-audited")
    assert found["sources"] == {
        "data": {
            "file": "My rows.jsonl",
            "version": "1",
            "license": "unknown",
            "attribution": "The authors of My rows.jsonl",
            "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        }
    }
    assert found["data"] == {
        "format": "jsonl",
        "splits": {"data": "data"},
        "premises": "premises",
        "conclusion": "conclusion",
        "label": "label",
    }
    assert found["reading"] == {"notation": "nltk"}
    assert "all" not in found
    assert found["labels"] == {
        "contradiction": "contradicted",
        "entailment": "entailed",
        "neutral": "undetermined",
    }


def test_several_columns_an_id_and_both_readings_of_all(tmp_path: Path) -> None:
    file = written(tmp_path, ["entailment", "neutral", "contradiction"])
    look = replace(LOOK, premises=("premises", "more"), id="number", existential=True)
    found = drafted(file, look)
    data = found["data"]
    assert isinstance(data, dict)
    assert (data["premises"], data["id"]) == (["premises", "more"], "number")
    assert found["all"] == ["modern", "existential"]


def test_a_draft_audits_its_file_as_it_stands(tmp_path: Path) -> None:
    file = written(tmp_path, ["entailment", "neutral", "neutral"])
    drafted(
        file,
        replace(
            LOOK,
            labels={
                "entailment": ("entailed",),
                "neutral": ("undetermined",),
                "contradiction": ("contradicted",),
            },
        ),
    )
    found = audited(tmp_path / "draft.yaml", {"data": file})
    assert len(found.rows) == 3
    assert [fault.id for fault in found.faults] == ["3"]


@pytest.mark.parametrize(
    ("labels", "meanings"),
    [
        (["True", "False", "Uncertain"], ["entailed", "contradicted", "undetermined"]),
        (["true", "false", "unknown"], ["entailed", "contradicted", "undetermined"]),
        (["yes", "no", "unknown"], ["entailed", "contradicted", "undetermined"]),
        (["yes", "no", "maybe"], ["entailed", "contradicted", "undetermined"]),
        (["yes", "no"], ["entailed", ["contradicted", "undetermined"]]),
        (["valid", "invalid"], ["entailed", ["contradicted", "undetermined"]]),
        (["entailment", "not_entailment"], ["entailed", ["contradicted", "undetermined"]]),
        (["entailment", "not-entailment"], ["entailed", ["contradicted", "undetermined"]]),
    ],
)
def test_labels_that_are_well_known_have_their_meaning(
    tmp_path: Path, labels: list[str], meanings: list[object]
) -> None:
    found = drafted(written(tmp_path, labels))
    assert found["labels"] == dict(zip(labels, meanings, strict=True))


def test_labels_that_are_told_are_not_looked_up(tmp_path: Path) -> None:
    look = replace(LOOK, labels={"A": ("entailed",), "B": ("undetermined", "contradicted")})
    found = drafted(written(tmp_path, ["A", "B", "C"]), look)
    assert found["labels"] == {"A": "entailed", "B": ["undetermined", "contradicted"]}


@pytest.mark.parametrize(
    ("name", "called"),
    [("A-1_b.jsonl", "a-1-b"), ("2024.jsonl", "audit-2024"), ("ß.jsonl", "audit")],
)
def test_a_name_comes_from_that_of_the_file(tmp_path: Path, name: str, called: str) -> None:
    file = written(tmp_path, ["yes", "no"], name)
    assert drafted(file)["name"] == f"{called}-audited"


def test_what_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, ["yes", "no"])
    assert refused(tmp_path / "rows.txt") == (
        "rows.txt is none of .jsonl, .ndjson, .parquet, .csv, .tsv: write a spec that says its "
        "format"
    )
    assert refused(tmp_path / "none.jsonl") == f"{tmp_path / 'none.jsonl'} is not a file"
    assert refused(file, replace(LOOK, notation="nltq")).startswith(
        'unknown notation "nltq": did you mean "nltk"?'
    )
    assert refused(file, replace(LOOK, labels={"yes": ("entailled",)})) == (
        'yes: unknown verdict "entailled": did you mean "entailed"?'
    )
    assert refused(file, replace(LOOK, labels={"yes": ("unknown",)})).startswith(
        'yes: unknown verdict "unknown": '
    )
    odd = written(tmp_path, ["maybe", 3, None], "odd.jsonl")
    assert refused(odd) == (
        "what the labels 3, maybe mean is not known: say so, each with --labels "
        "LABEL=entailed, contradicted or undetermined"
    )


@pytest.mark.parametrize("several", [20, 21])
def test_more_than_twenty_labels_are_those_of_another_column(tmp_path: Path, several: int) -> None:
    told = refused(written(tmp_path, [f"L{number:02}" for number in range(several)]))
    if several == 20:
        listed = ", ".join(f"L{number:02}" for number in range(20))
        assert told.startswith(f"what the labels {listed} mean is not known")
    else:
        assert told == "the column label holds more than 20 labels: is it the one?"
