from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.sources.ontologies.gene_sets import read_reactome
from sorites.sources.ontologies.names import (
    NameRules,
    name_ontology,
    pattern_fault,
    read_name_rules,
)
from sorites.sources.ontologies.ontology import Ontology, build_ontology
from sorites.sources.ontologies.rdf import read_rdf


def ontology() -> Ontology:
    """Two viruses with steps of one name, under roots of their own."""
    return build_ontology(
        {"r": "Disease", "a": "Virus A", "b": "Virus B", "a1": "Entry_100001",
         "b1": "Entry_100002", "c": "Lung  cancer", "d": "LUNG CANCER"},
        [("a", "r"), ("b", "r"), ("a1", "a"), ("b1", "b"), ("c", "r"), ("d", "r")],
        [("a1", "1"), ("b1", "2"), ("c", "3"), ("d", "3"), ("d", "4"), ("d", "6"), ("r", "5"),
         ("a", "6")],
        {"1": "TP53", "2": "BRCA1", "3": "28S rRNA", "4": "KRAS", "5": "kras\u200b", "6": "EGFR"},
        where="x",
    )  # fmt: skip


def names(found: Ontology) -> dict[str, str]:
    return {entry.id: entry.name for entry in found.classes}


def test_names_are_cleaned_and_told_apart_by_the_nearest_parent_of_their_own() -> None:
    rules = NameRules(clean=((r"_[0-9]{5,}$", ""),), by_parent="{name} ({parent})")
    found = name_ontology(ontology(), rules, NameRules(), where="x")
    assert names(found)["a1"] == "Entry (Virus A)"
    assert names(found)["b1"] == "Entry (Virus B)"
    assert names(found)["c"] == "Lung cancer"
    # Both lie under the root alone: nothing tells them apart, so no sentence names them.
    assert found.unnamed == {"c", "d"}
    assert found.left_out["classes that share a name"] == ("LUNG CANCER", "Lung cancer")


def test_who_cannot_be_named_leaves_the_classes_too() -> None:
    found = name_ontology(ontology(), NameRules(), NameRules(keep="[A-Z][A-Z0-9]*|kras"), where="x")
    assert found.left_out == {
        "individuals whose name the spec does not keep": ("28S rRNA",),
        "individuals who share a name": ("KRAS", "kras\u200b"),
    }
    assert {*found.individuals.values()} == {"TP53", "BRCA1", "EGFR"}
    assert all(entry.members <= found.individuals.keys() for entry in found.classes)
    # Lung cancer had nobody else.
    assert found.empty == ("Lung  cancer",)
    assert "c" not in names(found)


def test_a_rule_can_refuse_names_that_are_alike() -> None:
    with pytest.raises(SourceError) as caught:
        name_ontology(ontology(), NameRules(), NameRules(refuse_shared=True), where="x.ttl")
    assert str(caught.value) == (
        "x.ttl: 2 individuals share a name: 'KRAS' (4) and 'kras' (5). Clean the names in "
        "ontology.individual_names, or let it leave out who shares one"
    )
    with pytest.raises(SourceError) as caught:
        name_ontology(ontology(), NameRules(refuse_shared=True), NameRules(), where="x.ttl")
    assert str(caught.value).startswith("x.ttl: 2 classes share a name: 'Lung cancer' (c) and")


def test_an_ontology_that_names_nobody_is_refused() -> None:
    with pytest.raises(SourceError, match="no individual has a name that is kept"):
        name_ontology(ontology(), NameRules(), NameRules(keep="x"), where="x")


def test_classes_of_one_name_and_the_same_members_are_one_thing() -> None:
    twins = build_ontology(
        {"r": "All", "a": "Same", "b": "same"},
        [("a", "r"), ("b", "r")],
        [("a", "1"), ("b", "1"), ("r", "2")],
        {},
        where="x",
    )
    assert name_ontology(twins, NameRules(), NameRules(), where="x").unnamed == {"b"}


def test_an_expression_that_never_ends_is_stopped() -> None:
    rules = NameRules(clean=((r"^(a|aa)+$", ""),))
    long = build_ontology({"r": "a" * 80 + "!"}, [], [("r", "1")], {}, where="x")
    with pytest.raises(SourceError, match="takes too long on the name"):
        name_ontology(long, rules, NameRules(), where="x")


def test_what_is_no_expression_is_told() -> None:
    assert pattern_fault("[a-z]+$") is None
    assert pattern_fault("(a)", r"\1") is None
    assert "not a regular expression" in str(pattern_fault("(a"))
    assert "not a regular expression" in str(pattern_fault("a", r"\2"))


def test_the_rules_of_a_section() -> None:
    section = {
        "clean": [{"pattern": "x", "replace": "y"}, {"pattern": "z"}],
        "keep": "k",
        "by_parent": "{name} ({parent})",
        "shared": "refuse",
    }
    assert read_name_rules(section) == NameRules(
        (("x", "y"), ("z", "")), "k", "{name} ({parent})", True
    )
    assert read_name_rules({}) == NameRules()


def test_deprecated_classes_are_left_out_unless_asked_for_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "some.ttl"
    path.write_text(
        """@prefix : <https://x.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:r a owl:Class ; rdfs:label "root" .
:a a owl:Class ; rdfs:label "old" ; owl:deprecated true ; rdfs:subClassOf :r .
:b a owl:Class ; rdfs:label "new" ; owl:deprecated false ; rdfs:subClassOf :r, :a .
:one a :a . :two a :b . :three a :r .
""",
        encoding="utf-8",
    )
    prefixes = (
        "PREFIX owl: <http://www.w3.org/2002/07/owl#> "
        "PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
    )
    queries = {
        "classes": prefixes + "SELECT ?class ?name { ?class a owl:Class ; rdfs:label ?name }",
        "hierarchy": prefixes + "SELECT ?child ?parent { ?child rdfs:subClassOf ?parent }",
        "members": prefixes + "SELECT ?class ?member { ?member a ?class . ?class a owl:Class . }",
    }
    found = read_rdf([path], **queries)
    assert sorted(entry.name for entry in found.classes) == ["new", "root"]
    assert found.left_out == {"classes marked as deprecated": ("old",)}
    kept = read_rdf([path], **queries, drop_deprecated=False)
    assert sorted(entry.name for entry in kept.classes) == ["new", "old", "root"]
    assert kept.left_out == {}


def test_two_names_that_differ_in_unseen_characters_are_one(tmp_path: Path) -> None:
    genes = tmp_path / "genes.gmt"
    genes.write_text(
        "Disease\tR-X-1\tA\tB\tC\n"
        "Cancer\tR-X-2\tA\nCan\u200bcer\tR-X-3\tB\n"
        "\u00c5land\tR-X-4\tA\nA\u030aland\tR-X-5\tC\n",
        encoding="utf-8",
    )
    tree = tmp_path / "tree.txt"
    tree.write_text("".join(f"R-X-1\tR-X-{n}\n" for n in range(2, 6)), encoding="utf-8")
    found = name_ontology(read_reactome(genes, tree), NameRules(), NameRules(), where="x")
    assert found.unnamed == {"R-X-2", "R-X-3", "R-X-4", "R-X-5"}
    assert [entry.name for entry in found.classes][1:] == ["Cancer", "Cancer", "Åland", "Åland"]
