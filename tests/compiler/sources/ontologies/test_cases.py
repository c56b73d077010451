"""Small ontologies that went wrong once, each with what is right; skips where they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.characters import fold
from sorites.errors import SourceError
from sorites.families.argument_schemes.plan import OntologyPlan
from sorites.sources.ontologies.formats import FORMATS
from sorites.sources.ontologies.gene_sets import read_reactome
from sorites.sources.ontologies.ontology import Ontology
from sorites.sources.ontologies.rdf import read_rdf
from sorites.sources.ontologies.rdf_graph import Store

OWL = "PREFIX owl: <http://www.w3.org/2002/07/owl#> PREFIX ex: <http://example.org/> "
QUERIES = {
    "classes": OWL + "SELECT ?class ?name { ?class a owl:Class ; "
    "<http://www.w3.org/2000/01/rdf-schema#label> ?name }",
    "hierarchy": OWL + "SELECT ?child ?parent { ?child ex:below ?parent }",
    "members": OWL + "SELECT ?class ?member { ?class ex:has ?member }",
}


@pytest.fixture(scope="session")
def cases(shared_data: Path) -> Path:
    """The folder with the ontologies."""
    found = shared_data.parent / "cases" / "ontologies"
    if not found.is_dir():
        pytest.skip("no folder with the ontologies that went wrong")
    return found


def tables(cases: Path, name: str, columns: dict[str, object]) -> Ontology:
    section = {
        "format": "table",
        "tables": [
            {"files": ["members"], "columns": {**columns, "members": {"column": 3, "rest": True}}},
            {"files": ["relation"], "columns": {"parents": 1, "class": 2}},
        ],
        "unknown": "drop",
        "empty_classes": "drop",
    }
    files = {"members": cases / name, "relation": cases / "relation.txt"}
    return FORMATS["table"].read(section, files)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["zero-width-space.gmt", "two-unicode-forms.gmt"])
def test_no_two_classes_look_the_same(name: str, cases: Path) -> None:
    files = {"members": cases / name, "hierarchy": cases / "relation.txt"}
    section = {"format": "reactome", **{key: key for key in files}, "empty_classes": "drop"}
    ontology = OntologyPlan(FORMATS["reactome"], section).read(files)
    alike = [fold(entry.name) for entry in ontology.classes if entry.id not in ontology.unnamed]
    assert len(set(alike)) == len(alike) < len(ontology.classes)
    assert ontology.left_out["classes that share a name"]


def test_columns_the_other_way_round_are_refused_or_told_by_the_spec(cases: Path) -> None:
    relation = cases / "relation.txt"
    for name in ("id-first-whole.gmt", "id-first.gmt"):
        with pytest.raises(SourceError, match="The second column must be the id; swap the first"):
            read_reactome(cases / name, relation, drop_empty=True)
    ontology = tables(cases, "id-first-whole.gmt", {"class": 1, "name": 2})
    assert {cls.name for cls in ontology.classes} >= {"Disease", "Cancer", "Infection"}
    assert {cls.id: cls.parents for cls in ontology.classes}["R-HSA-101"] == ("R-HSA-100",)


def test_a_byte_order_mark_is_no_part_of_a_name(cases: Path) -> None:
    ontology = tables(cases, "byte-order-mark.gmt", {"name": 1, "class": 2})
    assert [cls.name for cls in ontology.classes] == ["Alpha", "Beta"]


@pytest.mark.parametrize("store", ["memory", "oxigraph"])
@pytest.mark.parametrize(
    "name",
    [
        "byte-order-mark.ttl",
        "harmless-doctype.owl",
        "percent-in-rdf-id.owl",
        "space-in-iri.owl",
    ],
)
def test_files_as_publishers_ship_them_are_read_alike(name: str, store: Store, cases: Path) -> None:
    if store == "oxigraph":
        pytest.importorskip("oxrdflib")
    ontology = read_rdf([cases / name], **QUERIES, store=store)
    ((cls),) = ontology.classes
    assert (cls.name, len(cls.members)) == ("Alpha", 1)
    assert ontology == read_rdf([cases / name], **QUERIES, store="memory")


def test_another_format_is_told_by_name(cases: Path) -> None:
    with pytest.raises(SourceError, match=r"OWL/XML, not RDF/XML\. Convert it to RDF, for instanc"):
        read_rdf([cases / "owl-xml-not-rdf.owl"], **QUERIES)
