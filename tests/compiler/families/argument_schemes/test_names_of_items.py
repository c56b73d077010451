"""Names in items: each stands for one thing, whatever the ontology calls its classes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sorites.characters import fold, tidy
from sorites.errors import SoritesError
from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.search.world import build_world
from sorites.pipeline import check_spec, compile_spec, prove_again
from sorites.progress import Silent
from tests.small_spec import small_spec


@pytest.fixture(scope="session")
def cases(shared_data: Path) -> Path:
    """Ontologies that went wrong; skips where they are not at hand."""
    found = shared_data.parent / "cases" / "ontologies"
    if not found.is_dir():
        pytest.skip("no folder with the ontologies that went wrong")
    return found


OWL = """\
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""
QUERIES = {
    "classes": OWL + "SELECT ?class ?name { ?class a owl:Class ; rdfs:label ?name }",
    "hierarchy": OWL + "SELECT ?child ?parent { ?child rdfs:subClassOf ?parent }",
    "members": OWL
    + "SELECT ?class ?member ?name { ?member a ?class ; rdfs:label ?name . ?class a owl:Class }",
}


def over(folder: Path, path: Path, **more: Any) -> Path:
    def change(data: dict[str, Any]) -> None:
        data["sources"] = {
            "case": {
                "file": path.name,
                "version": "1",
                "license": "cc0-1.0",
                "attribution": "made up",
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            }
        }
        data["ontology"] = {
            "format": "rdf",
            "syntax": "turtle",
            "files": ["case"],
            "empty_classes": "drop",
            **QUERIES,
            **more,
        }
        data["exemplars"] = []
        data["items"] = {"arguments": 4, "distractors": 1}
        for task in data["tasks"].values():
            task["prompts"].pop("few-shot", None)

    spec = small_spec(folder, change)
    (folder / path.name).write_bytes(path.read_bytes())
    return spec


def rows_of(made: Path) -> list[Mapping[str, Any]]:
    return [
        row for data in sorted((made / "data").glob("*/t*.parquet"))
        for row in pq.read_table(data).to_pylist()
    ]  # fmt: skip


def each_name_is_of_one_thing(rows: list[Mapping[str, Any]]) -> None:
    things: dict[str, str] = {}
    for row in rows:
        for bound in row["bindings"]:
            assert bound["name"] == tidy(bound["name"])
            assert things.setdefault(fold(bound["name"]), bound["id"]) == bound["id"]


def outcome(spec: Path, out: Path) -> str | None:
    """Why a spec does not compile; None where it does and each name is of one thing."""
    try:
        made = compile_spec(spec, out, workers=1, progress=Silent())
    except SoritesError as error:
        return str(error)
    prove_again(made)
    each_name_is_of_one_thing(rows_of(made))
    return None


@pytest.mark.parametrize("name", ["individuals-sharing-names.ttl", "names-differing-in-case.ttl"])
def test_names_that_are_alike_are_left_out_and_counted_or_refused(
    cases: Path, tmp_path: Path, name: str
) -> None:
    spec = over(tmp_path / "spec", cases / name)
    said = outcome(spec, tmp_path / "out")
    # Where nobody is left to speak of, that is said.
    assert said is None or re.search("no individual has a name|no binding for any scheme", said)
    refusing = {"class_names": {"shared": "refuse"}, "individual_names": {"shared": "refuse"}}
    with pytest.raises(SoritesError, match="share a name"):
        compile_spec(
            over(tmp_path / "refusing", cases / name, **refusing),
            tmp_path / "out2",
            workers=1,
            progress=Silent(),
        )


def test_a_deprecated_class_is_in_no_item(cases: Path, tmp_path: Path) -> None:
    path = cases / "deprecated-class.ttl"
    marked = re.findall(r"^:(\w+) .*owl:deprecated true", path.read_text(encoding="utf-8"), re.M)
    assert marked
    spec = check_spec(over(tmp_path / "spec", path))
    plan, _ = read_plan(spec)
    world = build_world(plan.ontology.read({"case": tmp_path / "spec" / path.name}))
    assert not {entry.id.rsplit("/", 1)[1] for entry in world.ontology.classes} & {*marked}
    assert len(world.ontology.left_out["classes marked as deprecated"]) == len(marked)


def test_reactome_names_no_internal_suffix_and_nobody_without_a_symbol(
    root: Path, shared_data: Path
) -> None:
    plan, problems = read_plan(check_spec(root / "specs" / "syllobio-nli.yaml"))
    assert problems == []
    base = shared_data / "reactome"
    ontology = plan.ontology.read(
        {
            "pathways": base / "ReactomePathways.gmt",
            "hierarchy": base / "ReactomePathwaysRelation.txt",
        }
    )
    names = {entry.id: entry.name for entry in ontology.classes}
    assert not [name for name in names.values() if re.search(r"_\d|  |^ | $", name)]
    assert not [
        name
        for name in ontology.individuals.values()
        if not re.fullmatch(r"[A-Z][A-Z0-9]*(orf\d+)?(-[A-Z0-9]+)*", name)
    ]
    assert "vpu" not in ontology.individuals.values()
    assert "TP53" in ontology.individuals.values()
    assert (
        names["R-HSA-9683683"] != names["R-HSA-9694493"]
        or {
            "R-HSA-9683683",
            "R-HSA-9694493",
        }
        & ontology.unnamed
    )
    usable = [names[ontology.classes[index].id] for index in build_world(ontology).usable]
    assert len({fold(name) for name in usable}) == len(usable) > 700


def test_a_sample_in_german_says_its_sentences_in_three_wordings(
    root: Path, tmp_path: Path
) -> None:
    spec = root / "specs" / "sample" / "german-syllogisms.yaml"
    made = compile_spec(spec, tmp_path, workers=1, progress=Silent())
    prove_again(made)
    rows = rows_of(made)
    assert {row["wording"] for row in rows} == {"jede", "alle", "nur"}
    text = " ".join(sentence for row in rows for sentence in (*row["premises"], row["conclusion"]))
    for said in ("Jede Person im Verein „", "Alle Personen im Verein „", "Nur Personen im Verein"):
        assert said in text
    assert re.search(r"Es trifft (zu|nicht zu), dass .* ist\.|sind\.", text)
    assert not re.search(r"\{|  |\.\.", text)
    partners: dict[str, set[str]] = {}
    for row in rows:
        partners.setdefault(row["argument"], set()).add(row["wording"])
    # All items of one argument are in the same words.
    assert all(len(wordings) == 1 for wordings in partners.values())
