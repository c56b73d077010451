"""The papers' own designs: valid, compiled from real sources, their cues named on the card."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import sorites_eval
from sorites.pipeline import check_spec, compile_spec, prove_again
from sorites.progress import Silent
from sorites.specfile.reader import read
from tests.small_spec import SCHEMES

SPECS = Path(__file__).resolve().parent.parent / "specs"
PAPERS = sorted((SPECS / "papers").glob("*.yaml"))


@pytest.fixture
def sources(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real sources are where compiles look for them."""
    monkeypatch.setenv("SORITES_SOURCES", str(shared_data))


def reduced(spec: Path, folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A spec with its included files in place and a change made to it, in a folder."""
    data = cast("dict[str, Any]", read(spec).data)
    change(data)
    folder.mkdir()
    path = folder / "reduced.yaml"
    # JSON is YAML.
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", PAPERS, ids=lambda path: path.stem)
def test_there_is_one_beside_each_data_set_of_this_project(path: Path) -> None:
    spec, own = check_spec(path), check_spec(SPECS / path.name)
    assert (spec.kind, spec.name) == (own.kind, f"{own.name}-paper")
    assert any("--prompts" in limit for limit in spec.card.limits)


def test_relations_are_numbered_as_in_the_paper() -> None:
    tasks = cast("dict[str, Any]", check_spec(SPECS / "papers" / "gloss-relations.yaml").tasks)
    task = tasks["relation"]
    order = ["HYP", "HPO", "ANT", "HOL", "MER"]
    assert task["answer"]["labels"] == {str(n): label for n, label in enumerate(order, 1)}
    for prompt in task["prompts"].values():
        assert [line[0] for line in prompt["system"].splitlines() if line[:1].isdigit()] == [
            *"12345"
        ]
    # With the order turned, each relation becomes its inverse.
    turned = task["views"][1]["labels"]
    inverse = {"HYP": "HPO", "HPO": "HYP", "HOL": "MER", "MER": "HOL", "ANT": "ANT"}
    labels = task["answer"]["labels"]
    assert {labels[a]: labels[turned.get(a, a)] for a in labels} == inverse


def test_whoever_knows_the_relations_is_right_in_their_numbering(tmp_path: Path) -> None:
    paper = cast("dict[str, Any]", read(SPECS / "papers" / "gloss-relations.yaml").data)
    folder = tmp_path / "spec"
    sample = SPECS / "sample" / "gloss-relations.yaml"

    def with_the_papers_tasks(data: dict[str, Any]) -> None:
        data |= {section: paper[section] for section in ("tasks", "analyses")}

    path = reduced(sample, folder, with_the_papers_tasks)
    (folder / "five-languages.xml").write_bytes((sample.parent / "five-languages.xml").read_bytes())
    release = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    run = sorites_eval.evaluate(release, "oracle", task="relation", out=tmp_path / "runs")
    assert run.scores.overall["accuracy"] == 1.0


def test_the_phrase_alone_gives_each_label_away_and_the_card_says_so(
    sources: None, tmp_path: Path
) -> None:
    def fewer(data: dict[str, Any]) -> None:
        data["schemes"] = [
            entry for entry in data["schemes"] if (entry["scheme"], entry["variant"]) in SCHEMES
        ]
        data["items"] |= {"arguments": 6, "distractors": 1, "local_domains": []}

    path = reduced(SPECS / "papers" / "syllobio-nli.yaml", tmp_path / "spec", fewer)
    folder = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    items = pq.read_table(folder / "data" / "items")
    asserted = pc.equal(items["polarity"], "asserted")
    assert asserted.to_pylist() == items["label"].to_pylist()
    assert set(items["label"].to_pylist()) == {True, False}
    audited = cast("dict[str, Any]", read(folder / "audit.json").data)
    told = audited["shortcuts"]["items"]["readers"]["form and phrase"]["overall"]
    assert set(told.values()) == {1.0}
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "A reader of the phrase alone is right always" in card
    assert "worked examples of the 4" not in card
    assert prove_again(folder).name == "syllobio-nli-paper"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["syllobio-nli", "veridical-transitivity"])
def test_the_whole_design_compiles(sources: None, tmp_path: Path, name: str) -> None:
    path = SPECS / "papers" / f"{name}.yaml"
    folder = compile_spec(path, tmp_path, workers=2, progress=Silent())
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "## Known limits" in card


def test_all_fifteen_verbs_are_added_and_no_composite_of_the_test(
    sources: None, tmp_path: Path
) -> None:
    def fewer(data: dict[str, Any]) -> None:
        # One of each shape at least; the analyses name all tasks.
        data["synthetic"]["pairs"] = 240
        data["naturalistic"]["pairs"] = 20
        data["naturalistic"]["augmentation"]["number"] = 20

    path = reduced(SPECS / "papers" / "veridical-transitivity.yaml", tmp_path / "spec", fewer)
    folder = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    added = pq.read_table(folder / "data" / "naturalistic-further-pairs").to_pylist()
    tested = pq.read_table(
        folder / "data" / "naturalistic" / "test-00000-of-00001.parquet"
    ).to_pylist()
    assert {row["step"] for row in added} == {*range(1, 16)}
    assert not {(row["premise"], row["hypothesis"]) for row in added} & {
        (row["premise"], row["hypothesis"]) for row in tested
    }
    task = sorites_eval.open_release(folder).task("naturalistic")
    assert task.train is not None
    assert {*task.train.curves} == {
        "both-parts", "veridical-only", "embedded-only", "composites-only",
    }  # fmt: skip
    assert all(curve.held_out is None for curve in task.train.curves.values())
