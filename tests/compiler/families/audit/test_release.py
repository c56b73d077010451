"""The corrected release: what it holds, and that verify proves it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sorites import api
from sorites.canonical import Json
from sorites.errors import SoritesError
from sorites.families.audit.reprove import reprove
from sorites.pipeline import check_spec
from sorites.release.manifest.verify import verify_release
from tests.compiler.families.audit.specs import write_spec

SAMPLE = "village-arguments.yaml"


@pytest.fixture(scope="module")
def release(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("audited")
    return api.compile(root / "specs" / "sample" / SAMPLE, out)


@pytest.fixture(scope="module")
def tables(release: Path) -> dict[tuple[str, str], pa.Table]:
    return verify_release(release)


@pytest.fixture(scope="module")
def document(release: Path) -> dict[str, Json]:
    found: dict[str, Json] = json.loads((release / "release.json").read_text("utf-8"))["spec"][
        "document"
    ]
    return found


def test_rows_have_both_labels_and_those_without_a_proof_are_apart(release: Path) -> None:
    (file,) = (release / "data" / "items").glob("train-*")
    rows = {row["id"]: row for row in pq.read_table(file).to_pylist()}
    corrected = {
        row["id"]: (row["label_given"], row["label"]) for row in rows.values() if row["corrected"]
    }
    assert corrected == {
        "train-15": ("entailment", "neutral"),
        "train-16": ("entailment", "neutral"),
        "train-20": ("contradiction", "neutral"),
    }
    assert rows["train-15"]["label_existential"] == "entailment"
    assert rows["train-18"]["redundant"] == [3]
    assert rows["train-01"]["needed"] == [1, 2]
    assert rows["train-01"]["premise_formulas"][0] == "all x. (Bakers(x) -> Early_risers(x))"
    (file,) = (release / "data" / "apart").glob("train-*")
    assert {row["id"]: row["reason"] for row in pq.read_table(file).to_pylist()} == {
        "train-17": "the premises cannot all be true",
        "train-19": "premise 2: no template reads it",
    }


def test_the_changelog_names_every_correction(release: Path) -> None:
    told = (release / "CHANGELOG.md").read_text("utf-8")
    assert "### Corrections of the source (3 labels)" in told
    assert "- `train/train-15`: entailment → neutral\n" in told
    assert "### Set apart (2 rows without a proved label)" in told
    assert "- `train/train-17`: the premises cannot all be true\n" in told


def test_the_page_and_the_table_are_files_of_the_release(release: Path) -> None:
    recorded = json.loads((release / "release.json").read_text("utf-8"))["files"]
    assert {"audit.html", "audit.md", "audit.json"} <= recorded.keys()
    api.verify(release)


def _set(row: int, column: str, value: object) -> Callable[[pa.Table], pa.Table]:
    def change(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        rows[row][column] = value
        return pa.Table.from_pylist(rows, schema=table.schema)

    return change


@pytest.mark.parametrize(
    ("key", "change", "fault"),
    [
        (
            ("items", "train"),
            _set(0, "label", "neutral"),
            "items/train: train-01: label is neutral, and entailment is proved",
        ),
        (
            ("items", "train"),
            _set(0, "corrected", True),
            "items/train: train-01: corrected is True, and False is proved",
        ),
        (
            ("items", "train"),
            _set(0, "label_existential", None),
            "items/train: train-01: label_existential is None, and entailment is proved",
        ),
        (
            ("items", "train"),
            _set(0, "needed", [1]),
            "items/train: train-01: needed is [1], and [1, 2] is proved",
        ),
        (
            ("items", "train"),
            _set(0, "conclusion_formula", "exists x. Bakers(x)"),
            "items/train: train-01: conclusion_formula is exists x. Bakers(x), and "
            "all x. (Bakers(x) -> Choir_members(x)) is proved",
        ),
        (
            ("items", "train"),
            _set(0, "premises", ["Most bakers are early risers.", "All a are b."]),
            "items/train: train-01: it has no proved label: premise 1: no template reads it",
        ),
        (
            ("apart", "train"),
            _set(0, "premises", ["All a are b."]),
            "apart/train: train-17: it has a proved label",
        ),
        (
            ("apart", "train"),
            _set(0, "reason", "none"),
            "apart/train: train-17: the reason is not the one given: the premises cannot all be "
            "true",
        ),
    ],
)
def test_what_was_changed_is_found(
    tables: dict[tuple[str, str], pa.Table],
    document: dict[str, Json],
    key: tuple[str, str],
    change: Callable[[pa.Table], pa.Table],
    fault: str,
) -> None:
    # The release as it is has been proved again above.
    assert reprove({key: change(tables[key].slice(0, 2))}, document) == [fault]


def _rows(folder: Path, rows: list[dict[str, object]]) -> dict[str, Path]:
    file = folder / "rows.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return {"test": file}


HOLDS: dict[str, object] = {
    "id": "1",
    "premises": ["F(a)"],
    "conclusion": "F(a)",
    "label": "entailment",
}


def test_of_a_source_without_derivatives_there_is_the_audit_alone(tmp_path: Path) -> None:
    files = _rows(tmp_path, [HOLDS])
    spec = write_spec(tmp_path, files, reading={"notation": "folio"}, license="cc-by-nc-nd-4.0")
    assert check_spec(spec).license == "cc-by-nc-nd-4.0"
    with pytest.raises(SoritesError) as told:
        api.compile(spec, tmp_path / "out")
    assert str(told.value) == (
        "the source test is under CC BY-NC-ND 4.0, which allows no derivative: there is the audit "
        f"alone (sorites audit {spec} --out DIR)"
    )
    assert not (tmp_path / "out").exists()
    report = api.audit(spec)
    report.write(tmp_path / "audit")
    assert {each.name for each in (tmp_path / "audit").iterdir()} == {
        "audit.html",
        "audit.md",
        "audit.json",
    }


def test_nothing_is_released_where_no_row_is_proved(tmp_path: Path) -> None:
    files = _rows(tmp_path, [{**HOLDS, "conclusion": "("}])
    spec = write_spec(tmp_path, files, reading={"notation": "folio"})
    with pytest.raises(SoritesError, match=r"^no row has a proved label: run sorites audit to see"):
        api.compile(spec, tmp_path / "out")


def test_a_denied_conclusion_is_judged_as_its_negation(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {**HOLDS, "phrase": "denied", "label": "contradiction", "extra": {"a": [1]}},
        {**HOLDS, "id": "2", "phrase": "asserted", "extra": None},
    ]
    files = _rows(tmp_path, rows)
    data = {"denied": {"column": "phrase", "values": ["denied"]}, "keep": ["extra"]}
    spec = write_spec(tmp_path, files, reading={"notation": "folio"}, data=data)
    folder = api.compile(spec, tmp_path / "out")
    api.verify(folder)
    (file,) = (folder / "data" / "items").glob("*")
    found = pq.read_table(file).to_pylist()
    assert [row["corrected"] for row in found] == [False, False]
    assert [row["denied"] for row in found] == [True, False]
    assert [row["extra"] for row in found] == ['{"a":[1]}', ""]


def test_formulas_of_all_notations_are_proved_again(tmp_path: Path) -> None:
    for number, (notation, formulas) in enumerate(
        {
            "nltk": ["all x.(F(x) -> G(x))", "F(a)", "G(a)"],
            "folio": ["∀x (F(x) → G(x))", "F(a)", "G(a)"],
            "prover9": ["F(x) -> G(x).", "F(a).", "G(a)."],
            "tptp": ["fof(p, axiom, ![X]: (f(X) => g(X))).", "f(a)", "g(a)"],
        }.items()
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        row = {**HOLDS, "premises": formulas[:2], "conclusion": formulas[2]}
        spec = write_spec(folder, _rows(folder, [row]), reading={"notation": notation})
        api.verify(api.compile(spec, folder / "out"))
