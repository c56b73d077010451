"""check.py: what it takes and what it refuses, in words of its own, and how it runs alone."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sorites.release.certificates import check
from tests.conftest import ROOT
from tests.samples import SAMPLES, compiled

PROGRAM = Path(check.__file__)
SAMPLE = ROOT / "specs" / "sample"


def test_it_is_short_and_needs_pyarrow_alone() -> None:
    text = PROGRAM.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400
    imported = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add((node.module or "").split(".")[0])
    assert imported - sys.stdlib_module_names == {"pyarrow"}


PARSED: Mapping[str, Any] = {
    "F(a)": ("", "F(a)"),
    "-call(ann,bob)": ("-", ("", "call(ann,bob)")),
    "all x.(F(x) & G(x) & H(x))": (
        "all",
        "x",
        ("&", [("", "F(x)"), ("", "G(x)"), ("", "H(x)")]),
    ),
    "exists x.(F(x) | -G(x))": ("exists", "x", ("|", [("", "F(x)"), ("-", ("", "G(x)"))])),
    "(F(a) -> G(a))": ("|", [("-", ("", "F(a)")), ("", "G(a)")]),
    "(F(a) <-> G(a))": (
        "&",
        [
            ("|", [("-", ("", "F(a)")), ("", "G(a)")]),
            ("|", [("-", ("", "G(a)")), ("", "F(a)")]),
        ],
    ),
}


@pytest.mark.parametrize("text", PARSED)
def test_a_formula_is_read(text: str) -> None:
    assert check.parsed(text) == PARSED[text]


@pytest.mark.parametrize(
    "text", ["F(a) G(a)", "(F(a) & G(a) | H(a))", "(F(a))", "(F(a) & G(a)) H(a)"]
)
def test_what_is_no_formula_is_not_read(text: str) -> None:
    with pytest.raises((ValueError, RuntimeError)):
        check.parsed(text)


@pytest.mark.parametrize(
    ("model", "formula", "holds"),
    [
        ("a 1: F(a) G(1)", "F(a)", True),
        ("a 1: F(a) G(1)", "-G(a)", True),
        ("a 1: F(a) G(1)", "all x.(F(x) | G(x))", True),
        ("a 1: F(a) G(1)", "all x.F(x)", False),
        ("a 1: F(a) G(1)", "exists x.(F(x) & G(x))", False),
        ("a 1: F(a) G(1)", "exists x.(-F(x) & G(x))", True),
        ("a 1: F(a)", "-exists x.G(x)", True),
        ("a 1: F(a)", "-all x.F(x)", True),
        ("a: F(a)", "(F(a) <-> G(a))", False),
        ("a: F(a)", "(G(a) <-> H(a))", True),
        ("a: F(a)", "(G(a) -> H(a))", True),
        ("a: F(a)", "(F(a) -> H(a))", False),
        ("a b: see(a,b)", "all x.see(x,b)", False),
        ("a b: see(a,b) see(b,b)", "all x.see(x,b)", True),
    ],
)
def test_truth_in_a_model(model: str, formula: str, holds: bool) -> None:
    assert check.true_in(model, formula) is holds


@pytest.mark.parametrize(
    ("model", "formula"), [(": F(a)", "F(a)"), ("b: F(a)", "F(a)"), (":", "all x.F(x)")]
)
def test_a_model_has_somebody_and_everybody_named(model: str, formula: str) -> None:
    with pytest.raises(ValueError, match="is not about the model"):
        check.true_in(model, formula)


def test_formulas_become_clauses_over_names_and_witnesses() -> None:
    assert check.ground(["exists x.(F(x) & -G(x))", "all x.(F(x) -> H(x))", "H(a)"]) == [
        ["F(1)"],
        ["-G(1)"],
        ["-F(a)", "H(a)"],
        ["-F(1)", "H(1)"],
        ["H(a)"],
    ]
    assert check.ground(["all x.F(x)"]) == [["F(1)"]]
    assert check.ground(["-all x.F(x)", "-exists x.G(x)"]) == [["-F(1)"], ["-G(1)"]]
    assert check.ground(["exists x.F(x)", "exists x.G(x)", "all x.H(x)"]) == [
        ["F(1)"],
        ["G(2)"],
        ["H(1)"],
        ["H(2)"],
    ]
    assert check.ground(["((F(a) & G(a)) | H(a))"]) == [["F(a)", "H(a)"], ["G(a)", "H(a)"]]


def test_a_witness_below_a_universal_is_refused() -> None:
    with pytest.raises(ValueError, match="an existential stands below a universal"):
        check.ground(["all x.(F(x) -> exists y.G(y))"])


CHAIN = ("F(a)", "all x.(F(x) -> G(x))", "-G(a)")
CHOICE = ("(F(a) | G(a))", "(F(a) | -G(a))", "(-F(a) | G(a))", "(-F(a) | -G(a))")


@pytest.mark.parametrize(
    ("formulas", "steps"), [(CHAIN, ("",)), (CHAIN, ("G(a)", "")), (CHOICE, ("-F(a)", ""))]
)
def test_a_refutation_is_taken(formulas: tuple[str, ...], steps: tuple[str, ...]) -> None:
    check.refute(formulas, steps)


@pytest.mark.parametrize(
    ("formulas", "steps", "fault"),
    [
        (CHAIN, (), "the refutation does not end in the empty clause"),
        (CHAIN, ("G(a)",), "the refutation does not end in the empty clause"),
        (CHAIN[1:], ("",), 'the step "" does not follow'),
        (CHOICE, ("",), 'the step "" does not follow'),
        (CHOICE[:3], ("-F(a)", ""), 'the step "-F(a)" does not follow'),
        (("F(a)",), ("H(a)", ""), 'the step "H(a)" does not follow'),
    ],
)
def test_a_refutation_is_refused(
    formulas: tuple[str, ...], steps: tuple[str, ...], fault: str
) -> None:
    with pytest.raises(ValueError, match=r"step|refutation") as caught:
        check.refute(formulas, steps)
    assert str(caught.value) == fault


def test_names_change_places() -> None:
    assert check.renamed("all x.(F(x) -> G(x))", {"F": "G", "G": "F"}) == "all x.(G(x) -> F(x))"
    assert check.named(["all x.(F(x) -> G(x))", "see(b,a)", "F(b)"]) == ["b", "a"]
    assert check.imported(["all x.(F(x) -> G(x))", "F(a)"]) == ["exists x.F(x)", "exists x.G(x)"]


def test_people_see_no_case_and_no_runs_of_spaces() -> None:
    assert check.fold("Stra\u00dfe  In") == check.fold("STRASSE in")
    assert check.fold("e\u0301") == check.fold("\u00c9")


@pytest.fixture(
    scope="module", params=[path.stem for path in SAMPLES if "village" not in path.stem]
)
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(SAMPLE / f"{request.param}.yaml", tmp_path_factory)


def alone(release: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program run in a copy of the release, with nothing else of this project in reach."""
    place = folder / "release"
    if not place.exists():
        shutil.copytree(release, place)
    command = [sys.executable, "-I", "check.py", *arguments]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)


def test_a_release_of_each_sample_is_checked_alone(release: Path, tmp_path: Path) -> None:
    assert (release / "check.py").read_bytes() == PROGRAM.read_bytes()
    start = time.monotonic()
    done = alone(release, tmp_path)
    wall = time.monotonic() - start
    record = json.loads((release / "release.json").read_bytes())
    rows = sum(s["rows"] for s in record["splits"] if s["config"] != "certificates")
    assert (done.returncode, done.stderr) == (0, "")
    *trusted, last = done.stdout.splitlines()
    assert last.startswith(f"{rows:,} rows in ")
    assert "faulty" not in last
    told = re.search(r"rows in ([0-9.]+) s, ([0-9.]+) ms each: ", last)
    assert told is not None
    seconds, each = map(float, told.groups())
    assert seconds <= wall
    assert abs(each - 1000 * seconds / rows) <= 1000 * 0.05 / rows + 0.01
    assert "What must be trusted: Python, pyarrow and this file;" in "\n".join(trusted)
    for entry in record["certificates"]["readings"]["templates"]:
        assert any(entry["formula"] in line for line in trusted)


def test_a_row_is_explained(release: Path, tmp_path: Path) -> None:
    record = json.loads((release / "release.json").read_bytes())
    first = record["splits"][0]["files"][0]["path"]
    row = pq.read_table(release / first).to_pylist()[0]
    done = alone(release, tmp_path, "--row", row["id"])
    assert done.returncode == 0
    shown = row["conclusion"] if "conclusion" in row else row.get("hypothesis", row.get("gloss_2"))
    assert shown in done.stdout
    assert done.stdout.splitlines()[-1].startswith("1 rows") or "rows in" in done.stdout
    assert alone(release, tmp_path, "--row", "nobody").returncode == 1


def test_a_source_is_looked_up_by_its_checksum(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    release = compiled(SAMPLE / "gloss-relations.yaml", tmp_path_factory)
    lexicon = SAMPLE / "five-languages.xml"
    assert "2,400 source not given" in alone(release, tmp_path).stdout
    done = alone(release, tmp_path, "--source", str(lexicon))
    assert "2,400 found in the source" in done.stdout
    other = tmp_path / "other.xml"
    other.write_text(lexicon.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    refused = alone(release, tmp_path, "--source", str(other))
    assert refused.returncode == 1
    assert "is no source of this release" in refused.stderr


def test_pairs_of_sentences_are_looked_up(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    release = compiled(SAMPLE / "veridical-transitivity.yaml", tmp_path_factory)
    done = alone(release, tmp_path, "--source", str(SAMPLE / "sentence-pairs.tsv"))
    assert done.returncode == 0
    # Of what stands in the past the source has no sentences.
    assert "645 found in the source" in done.stdout
    assert "465 source not given" in done.stdout


def test_processes_share_the_rows(release: Path) -> None:
    one = check.check_all(release, (), 1, None)
    assert check.check_all(release, (), 2, None) == one
    assert one[1] == []


def test_false_premises_and_local_domains_are_certified(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = compiled(SAMPLE / "syllobio-nli.yaml", tmp_path_factory)
    program = check.Release(folder, [])
    false, local = 0, 0
    for path, config in program.files.items():
        if config != "certificates":
            for row in pq.read_table(path).to_pylist():
                if row["premises_true"] is False or row["domain"] is not None:
                    assert program.argument(config, row) == check.PROVED
                    false += row["premises_true"] is False
                    local += row["domain"] is not None
    assert false > 50
    assert local > 50


PARTS = {
    "entailed": ("refutation", "symbols", "model_true", "needed"),
    "contradicted": ("refutation", "symbols", "model_false"),
    "undetermined": ("model_true", "model_false"),
}


def test_no_part_of_a_certificate_can_be_spared(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = compiled(SAMPLE / "german-syllogisms.yaml", tmp_path_factory)
    program = check.Release(folder, [])
    seen = set()
    for path, config in program.files.items():
        for row in () if config == "certificates" else pq.read_table(path).to_pylist():
            if row["verdict"] in seen:
                continue
            seen.add(row["verdict"])
            key = config, f"{row['argument']} {row['verdict']} {row['polarity']}"
            whole = program.own[key]
            for part in PARTS[row["verdict"]]:
                program.own[key] = {**whole, part: None}
                with pytest.raises((AttributeError, LookupError, TypeError, ValueError)):
                    program.argument(config, row)
            # What the verdict does not rest on is not looked at.
            others = {name: None for name in whole if name not in PARTS[row["verdict"]]}
            program.own[key] = {**whole, **others}
            assert program.argument(config, row) == check.PROVED
            program.own[key] = whole
    assert seen == {*PARTS}


def test_a_conclusion_without_its_phrase_is_refused(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = compiled(SAMPLE / "syllobio-nli.yaml", tmp_path_factory)
    program = check.Release(folder, [])
    path = next(path for path, config in program.files.items() if config == "items")
    row = next(row for row in pq.read_table(path).to_pylist() if row["polarity"] == "asserted")
    assert program.argument("items", row) == check.PROVED
    bare = row["conclusion"].removeprefix("It is true that ")
    with pytest.raises(ValueError, match="0 readings: "):
        program.argument("items", {**row, "conclusion": bare})
