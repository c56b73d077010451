"""Files as their publishers ship them: described, and compiled where there is anything to bind."""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import sorites
from tests.compiler.families.sense_relations.test_packages import SPEC, relations_of
from tests.small_spec import small_spec

WORDS = {
    "class": 'the group "{name}"',
    "individual": 'the member "{name}"',
    "member": {"singular": "member", "plural": "members"},
    "asserted": "it is true that {sentence}",
    "denied": "it is false that {sentence}",
}
TYPED = (
    "PREFIX owl: <http://www.w3.org/2002/07/owl#> "
    "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
)
DOCTYPE = {
    "format": "rdf",
    "files": ["it"],
    "unknown": "drop",
    "empty_classes": "drop",
    "classes": TYPED + "SELECT ?class ?name { ?class a owl:Class ; rdfs:label ?name }",
    "hierarchy": TYPED + "SELECT ?child ?parent { ?child rdfs:subClassOf ?parent . "
    "FILTER(isIRI(?parent)) }",
    "members": TYPED + "SELECT ?class ?member ?name { ?member a ?class ; rdfs:label ?name . "
    "?class a owl:Class }",
}


def spec_over(folder: Path, file: Path, section: Mapping[str, Any]) -> Path:
    """The small spec over a file of the folder of sources."""

    def change(data: dict[str, Any]) -> None:
        data["vocabulary"] = WORDS
        data["sources"] = {
            "it": {
                "url": f"https://mirror.invalid/{file.name}",
                "version": "2026-07-31",
                "license": "cc0-1.0",
                "attribution": "see the file",
                "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
            }
        }
        data["ontology"] = dict(section)
        data["items"] |= {"distractors": 1, "denials": {"arguments": 1, "distractors": [0]}}
        del data["items"]["synthetic_names"], data["items"]["counterfactual"]
        del data["exemplars"]
        # What binds little may fill neither denials nor worked examples.
        task = data["tasks"]["entailment"]
        task["prompts"] = {
            name: prompt for name, prompt in task["prompts"].items() if "exemplars" not in prompt
        }
        data["tasks"] = {"entailment": task}

    return small_spec(folder, change)


@pytest.fixture(autouse=True)
def _at_hand(shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SORITES_SOURCES", str(shared_data))
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SORITES_OFFLINE", "1")


def rows(check: sorites.SourceCheck, title: str) -> dict[Any, Any]:
    (found,) = [table for table in check.tables if table.title == title]
    return {row[0]: row[1:] if len(row) > 2 else row[1] for row in found.rows}


OBO = {"format": "obo", "file": "it", "unknown": "drop"}
FILES = {
    "DO_FlyBase_slim.obo": (OBO, "OBO", 43, 74, "generalized modus ponens"),
    "DO_GXD_slim.json": (OBO | {"format": "obographs"}, "obographs JSON", 1, 3, None),
    "ACTUSTaxonomy.rdf": (DOCTYPE, "RDF/XML with a DOCTYPE", 3, 41, "generalized modus tollens"),
}


@pytest.mark.parametrize("name", FILES)
def test_an_ontology_is_described_and_compiled_where_it_binds_anything(
    name: str, shared_data: Path, tmp_path: Path
) -> None:
    section, format, classes, individuals, binds = FILES[name]
    path = spec_over(tmp_path / "spec", shared_data / "ontologies" / name, section)
    check = sorites.check_sources(path)
    assert rows(check, "Sources")["it"][0] == format
    found = rows(check, "Ontology")
    assert (found["classes with members"], found["individuals"]) == (classes, individuals)
    counts = {scheme: count for scheme, (_, count) in rows(check, "Schemes").items()}
    if binds is None:
        assert set(counts.values()) == {"0"}
        assert [problem.path for problem in check.problems] == ["schemes"]
        with pytest.raises(sorites.SoritesError, match="no binding for any scheme"):
            sorites.compile(path, tmp_path / "out")
        return
    assert counts[binds] != "0"
    assert check.problems == ()


@pytest.mark.parametrize("name", [name for name, entry in FILES.items() if entry[-1]])
def test_what_binds_compiles_and_is_proved(name: str, shared_data: Path, tmp_path: Path) -> None:
    section, *_, binds = FILES[name]
    path = spec_over(tmp_path / "spec", shared_data / "ontologies" / name, section)
    release = sorites.compile(path, tmp_path / "out")
    sorites.verify(release)
    audit = json.loads((release / "audit.json").read_text(encoding="utf-8"))
    pairs = {key.partition(",")[0]: entry["pairs"] for key, entry in audit["schemes"].items()}
    assert pairs[binds] > 0
    checked = rows(sorites.check_sources(path), "Schemes")
    for scheme, (_, count) in checked.items():
        assert (count == "0") <= (pairs[scheme] == 0)


def bulgarian(folder: Path, shared_data: Path, root: Path) -> Path:
    core = folder / "core.db"
    core.write_bytes(
        lzma.decompress((shared_data / "wordnet" / "cygnet-like-core.db.xz").read_bytes())
    )
    digest = hashlib.sha256(relations_of(core, folder).read_bytes()).hexdigest()
    tasks = (root / "specs" / "senses" / "tasks.yaml").read_text(encoding="utf-8")
    (folder / "tasks.yaml").write_text(tasks, encoding="utf-8")
    path = folder / "bulgarian.yaml"
    path.write_text(SPEC.format(sha256=digest, policy="join", tasks="tasks.yaml"))
    return path


def test_a_package_with_repeated_glosses_is_described(
    shared_data: Path, root: Path, tmp_path: Path
) -> None:
    check = sorites.check_sources(bulgarian(tmp_path, shared_data, root))
    assert check.problems == ()
    assert rows(check, "Sources")["package"][0].startswith("WN-LMF")
    assert rows(check, "Lexicon")["of them, glossed in every language"] == 4959
    count, examples = rows(check, "Policies")["repeated glosses (lexicon.glosses: join)"]
    assert count == 10
    assert examples.startswith("i41323 (bg): Задължение на човек да отговаря"[:30])
    # What the compile of the same sources keeps.
    assert {name: kept for name, (_, kept, _) in rows(check, "Relations").items()} == {
        "hypernymy": 704,
        "holonymy": 173,
        "antonymy": 35,
    }


def test_a_package_alone_has_no_relations_and_each_is_told(
    shared_data: Path, root: Path, tmp_path: Path
) -> None:
    path = bulgarian(tmp_path, shared_data, root)
    text = path.read_text(encoding="utf-8")
    start = text.index("  relations:\n    file")
    text = text[:start] + text[text.index("lexicon:\n") :]
    path.write_text(text.replace("[package, relations]", "[package]"), encoding="utf-8")
    check = sorites.check_sources(path)
    assert [problem.path for problem in check.problems] == [
        f"relations.{name}" for name in ("hypernymy", "holonymy", "antonymy")
    ]
    assert "between synsets it has: none; between senses: none" in check.problems[0].message
