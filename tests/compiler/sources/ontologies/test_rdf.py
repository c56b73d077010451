"""Ontologies from RDF: real files counted independently, stores alike, hostile files refused."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from sorites.errors import SourceError
from sorites.sources.ontologies.labels import Labels
from sorites.sources.ontologies.ontology import Ontology
from sorites.sources.ontologies.rdf import read_rdf
from sorites.sources.ontologies.rdf_graph import Store
from sorites.specfile.yaml_nodes import parse

PREFIX = "PREFIX : <https://x.example/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
CLASSES = PREFIX + "SELECT ?class ?name WHERE { ?class a :Menu ; rdfs:label ?name }"
HIERARCHY = PREFIX + "SELECT ?child ?parent WHERE { ?child :partOf ?parent }"
MEMBERS = PREFIX + "SELECT ?class ?member WHERE { ?class :serves ?member }"
QUERIES = {"classes": CLASSES, "hierarchy": HIERARCHY, "members": MEMBERS}

TURTLE = """
@prefix : <https://x.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:day a :Menu ; rdfs:label "Day menu" .
:lunch a :Menu ; rdfs:label "Lunch"^^xsd:string ; :partOf :day .
:lunch :serves "soup", "cake"^^xsd:string .
[] a :Menu ; rdfs:label "nothing" ; :serves "air" .
:lunch :serves [ rdfs:label "a blank" ] .
"""

STORES: tuple[Store, ...] = ("memory", "oxigraph")


@pytest.fixture
def menu(tmp_path: Path) -> Path:
    (tmp_path / "menu.ttl").write_text(TURTLE)
    return tmp_path / "menu.ttl"


def queries(root: Path, name: str) -> dict[str, str]:
    file = root / "tests" / "specs" / name
    found: Any = parse(file.read_text(encoding="utf-8"), name).value
    return dict(found)


def read(store: Store, paths: list[Path], texts: dict[str, str], **more: Any) -> Ontology:
    if store == "oxigraph":
        pytest.importorskip("oxrdflib")
    return read_rdf(paths, **texts, store=store, **more)


def refused(path: Path, texts: dict[str, str] = QUERIES, **more: Any) -> str:
    with pytest.raises(SourceError) as caught:
        read_rdf([path], **texts, **more)
    return str(caught.value).replace(str(path.parent), "…")


@pytest.mark.parametrize("store", STORES)
def test_turtle(store: Store, menu: Path) -> None:
    ontology = read(store, [menu], QUERIES)
    day, lunch = ontology.classes
    assert (day.id, day.name, day.parents) == ("https://x.example/day", "Day menu", ())
    assert (lunch.name, lunch.parents) == ("Lunch", ("https://x.example/day",))
    assert day.members == lunch.members == {"soup", "cake"}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("query", ['"Lunch"', '"Lunch"^^<http://www.w3.org/2001/XMLSchema#string>'])
def test_a_string_is_a_string_in_both_stores(store: Store, query: str, menu: Path) -> None:
    classes = PREFIX + "SELECT ?class ?name WHERE { ?class rdfs:label ?name, " + query + " }"
    texts = {**QUERIES, "classes": classes, "hierarchy": HIERARCHY.replace(":partOf", ":none")}
    assert [cls.name for cls in read(store, [menu], texts).classes] == ["Lunch"]


# rdflib's own parsers of quads use what rdflib has deprecated.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("store", STORES)
def test_several_files_and_syntaxes(store: Store, menu: Path) -> None:
    triples = '<https://x.example/lunch> <https://x.example/serves> "tea" .\n'
    (menu.parent / "more.nt").write_text(triples)
    (menu.parent / "more.nq").write_text(triples.replace("tea", "milk"))
    (menu.parent / "more.json").write_text(
        '{"@id": "https://x.example/lunch", "https://x.example/serves": "pie"}'
    )
    paths = [menu, *(menu.parent / f"more.{suffix}" for suffix in ("nt", "nq", "json"))]
    ontology = read(store, paths, QUERIES)
    assert ontology.classes[0].members == {"soup", "cake", "tea", "milk", "pie"}


@pytest.mark.parametrize("store", STORES)
def test_relative_names_do_not_depend_on_the_folder(store: Store, tmp_path: Path) -> None:
    text = TURTLE.replace(":lunch", "<#lunch>").replace(":day", "<>")
    (tmp_path / "menu.ttl").write_text(text)
    ids = [cls.id for cls in read(store, [tmp_path / "menu.ttl"], QUERIES).classes]
    assert ids == ["https://source.invalid/menu.ttl", "https://source.invalid/menu.ttl#lunch"]


@pytest.mark.parametrize("store", STORES)
def test_the_sample(store: Store, root: Path) -> None:
    file = root / "specs" / "sample" / "biomedical-pathways.ttl"
    ontology = read(store, [file], queries(root, "sample-ontology.yaml"))
    text = file.read_text(encoding="utf-8")
    assert len(ontology.classes) == len(re.findall(r"^pathway:\S+ a :Pathway", text, re.M)) == 85
    assert len(ontology.individuals) == len(re.findall(r"^gene:\S+ a :Gene", text, re.M)) == 174
    assert Counter(ontology.levels().values()) == {0: 1, 1: 7, 2: 19, 3: 58}
    assert [cls.name for cls in ontology.classes if not cls.parents] == ["Disease"]
    assert len({cls.members for cls in ontology.classes}) == 85


def test_the_sample_is_rich_enough_for_every_scheme(root: Path) -> None:
    file = root / "specs" / "sample" / "biomedical-pathways.ttl"
    ontology = read_rdf([file], **queries(root, "sample-ontology.yaml"))
    classes = [cls for cls in ontology.classes if cls.name != "Disease"]
    members = {cls.name: cls.members for cls in classes}
    pairs = list(combinations(members, 2))
    proper = sum(members[f] < members[g] for f in members for g in members)
    disjoint = sum(not members[f] & members[g] for f, g in pairs)
    in_union = sum(
        members[f] <= members[g] | members[h]
        and not members[f] <= members[g]
        and not members[f] <= members[h]
        for f in members
        for g, h in pairs
        if f not in (g, h)
    )
    covers: Counter[str] = Counter()
    for domain, universe in members.items():
        inner = [name for name, own in members.items() if own < universe]
        covers[domain] = sum(members[f] | members[g] == universe for f, g in combinations(inner, 2))
    assert (proper, disjoint, in_union) == (189, 2998, 98)
    assert sum(count > 0 for count in covers.values()) == 13
    assert sum(covers.values()) == 22


BIOPAX = {"RAF_MAP.owl": (6, 245), "glucagon.owl": (15, 108), "tcf-wnt-73.owl": (11, 202)}
BP = "{http://www.biopax.org/release/biopax-level3.owl#}"
RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"


def biopax_by_hand(path: Path) -> dict[str, set[str]]:
    """Pathways by name with their genes, found by walking the XML element by element."""
    elements = {"#" + element.get(RDF + "ID", ""): element for element in ET.parse(path).getroot()}

    def to(element: ET.Element, *tags: str) -> list[ET.Element]:
        found = [child for tag in tags for child in element.findall(BP + tag)]
        return [elements[child.get(RDF + "resource", "")] for child in found]

    def genes(entity: ET.Element) -> set[str]:
        found = {
            (name.text or "").split()[1]
            for reference in to(entity, "entityReference")
            for name in reference.findall(BP + "name")
            if (name.text or "").startswith("UniProt:")
        }
        return found.union(*map(genes, to(entity, "component", "memberPhysicalEntity")))

    def of(pathway: ET.Element) -> set[str]:
        parts = to(pathway, "pathwayComponent")
        parts += [
            step for order in to(pathway, "pathwayOrder") for step in to(order, "stepProcess")
        ]
        found: set[str] = set()
        for part in parts:
            if part.tag != BP + "Pathway":
                ends = to(part, "left", "right", "controller", "product", "template")
                found = found.union(*map(genes, ends))
        for part in to(pathway, "pathwayComponent"):
            if part.tag == BP + "Pathway":
                found |= of(part)
        return found

    return {
        element.findtext(BP + "displayName", ""): of(element)
        for element in elements.values()
        if element.tag == BP + "Pathway"
    }


@pytest.mark.parametrize("name", BIOPAX)
def test_biopax(name: str, shared_data: Path, root: Path) -> None:
    file = shared_data / "reactome" / "biopax" / name
    ontology = read_rdf([file], **queries(root, "biopax-ontology.yaml"))
    assert (len(ontology.classes), len(ontology.individuals)) == BIOPAX[name]
    assert all(re.fullmatch(r"R-HSA-\d+", cls.id) for cls in ontology.classes)
    assert {cls.name: set(cls.members) for cls in ontology.classes} == biopax_by_hand(file)


def test_biopax_in_both_stores(shared_data: Path, root: Path) -> None:
    file = shared_data / "reactome" / "biopax" / "glucagon.owl"
    texts = queries(root, "biopax-ontology.yaml")
    assert read("oxigraph", [file], texts) == read("memory", [file], texts)


def test_biopax_files_together(shared_data: Path, root: Path) -> None:
    pytest.importorskip("oxrdflib")
    files = [shared_data / "reactome" / "biopax" / name for name in BIOPAX]
    ontology = read_rdf(files, **queries(root, "biopax-ontology.yaml"))
    assert len(ontology.classes) == sum(classes for classes, _ in BIOPAX.values())


def test_the_disease_ontology(shared_data: Path, root: Path) -> None:
    file = shared_data / "ontologies" / "DO_cancer_slim.owl"
    texts = queries(root, "do-cancer-ontology.yaml")
    ontology = read("memory", [file], texts)
    assert ontology == read("auto", [file], texts)

    # The same, counted in the XML: an inner disease is a class, a leaf is an individual.
    owl, rdfs = "{http://www.w3.org/2002/07/owl#}", "{http://www.w3.org/2000/01/rdf-schema#}"
    diseases = {
        element.get(RDF + "about", ""): element
        for element in ET.parse(file).getroot().findall(owl + "Class")
        if "/DOID_" in element.get(RDF + "about", "")
    }
    edges = [
        (id, parent.get(RDF + "resource", ""))
        for id, element in diseases.items()
        for parent in element.findall(rdfs + "subClassOf")
        if parent.get(RDF + "resource", "") in diseases
    ]
    inner = {parent for _, parent in edges}
    leaves = {child for child, _ in edges} - inner
    assert len(ontology.classes) == len(inner) == 202
    assert len(ontology.individuals) == len(leaves) == 466
    assert {cls.id for cls in ontology.classes} == {
        id.rpartition("/")[2].replace("_", ":") for id in inner
    }
    branch = read_rdf([file], **texts, branch="cancer")
    assert [cls.name for cls in branch.classes if not cls.parents] == ["cancer"]


@pytest.mark.parametrize(
    ("role", "text", "message"),
    [
        (
            "members",
            "SELECT ?class ?member WHERE { SERVICE <https://x.org/q> { ?class ?p ?member } }",
            "SERVICE is not allowed: the sources are the data",
        ),
        (
            "members",
            "SELECT ?class ?member WHERE { ?class ?p ?member "
            "FILTER EXISTS { \\u0053ERVICE ?s { ?a ?b ?c } } }",
            "SERVICE is not allowed: the sources are the data",
        ),
        (
            "members",
            "SELECT ?class ?member FROM <https://x.org/d> WHERE { ?class ?p ?member }",
            "FROM is not allowed: the sources are the data",
        ),
        (
            "members",
            "SELECT ?class ?member FROM NAMED <file:///etc/passwd> { ?class ?p ?member }",
            "FROM is not allowed: the sources are the data",
        ),
        ("classes", "ASK { ?s ?p ?o }", "it must be a SELECT query"),
        ("classes", "CONSTRUCT WHERE { ?s ?p ?o }", "it must be a SELECT query"),
        (
            "classes",
            "SELECT ?class WHERE { ?class ?p ?name }",
            "it must select ?class and ?name; it does not select ?name",
        ),
        (
            "classes",
            "SELECT ?class ?name WHERE { ?class x:p ?name }",
            "not SPARQL: Unknown namespace prefix : x",
        ),
        ("classes", "#" * 20_001, "it is longer than 20,000 characters"),
    ],
)
def test_queries_that_are_refused(role: str, text: str, message: str, menu: Path) -> None:
    assert refused(menu, {**QUERIES, role: text}) == f"the query {role}: {message}"


@pytest.mark.parametrize(
    "text",
    [
        "LOAD <https://x.org/d>",
        "INSERT DATA { <a:b> <a:c> <a:d> }",
        "SELECT ?class\n?name WHERE {",
    ],
)
def test_what_is_not_a_query_is_told_with_its_place(text: str, menu: Path) -> None:
    message = refused(menu, {**QUERIES, "classes": text})
    assert re.match(r"the query classes: line \d+, column \d+: not SPARQL: ", message)


BOMB = """<?xml version="1.0"{encoding}?>
<!DOCTYPE rdf:RDF [
  <!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">&b;</rdf:RDF>
"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "iso-8859-1"])
def test_a_bomb_of_entities_is_refused_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    file = tmp_path / "bomb.owl"
    declared = ' encoding="iso-8859-1"' if encoding == "iso-8859-1" else ""
    start = "\ufeff" if encoding == "utf-16-be" else ""
    file.write_bytes((start + BOMB.format(encoding=declared)).encode(encoding))
    assert refused(file) == (
        "…/bomb.owl:3: the XML has a document type (<!DOCTYPE), which can declare entities. "
        "Remove it, and write out the entities that it declares."
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "x.owl",
            '<?xml version="1.0" encoding="utf-7"?><a/>',
            "…/x.owl: the XML is in utf-7; save it as UTF-8",
        ),
        ("x.rdf", "<a", "…/x.rdf:1:1: not XML: unclosed token"),
        ("x.rdf", "", "…/x.rdf:1:1: not XML: no element found"),
        ("x.rdf", "\n\n x", "…/x.rdf:3:2: not XML: syntax error"),
        ("x.rdf", "<!-- a --> x", "…/x.rdf:1:12: not XML: syntax error"),
        (
            "x.json",
            '{"@context": "https://x.org/c", "a": 1}',
            "…/x.json: a @context that would be fetched. Write the context out in the file.",
        ),
        (
            "x.json",
            '[{"a": {"@context": [{}, {"@import": "https://x.org/c"}]}}]',
            "…/x.json: a @context that would be fetched. Write the context out in the file.",
        ),
        (
            "x.doc",
            "",
            "…/x.doc: the suffix tells no RDF syntax; known: .json, .jsonld, .n3, .nq, .nt, .owl, "
            ".rdf, .trig, .ttl, .xml",
        ),
        (
            "x.ttl",
            TURTLE + ":lunch rdfs:label 'Again' .",
            "…/x.ttl: classes with several names (1): https://x.example/lunch has 'Again' and "
            "'Lunch'. Let the query select one, name ontology.labels.languages, or set "
            "ontology.labels.several to first",
        ),
        (
            "x.ttl",
            TURTLE + ":lunch :partOf :dinner .",
            "…/x.ttl: classes that are named and not described (1): https://x.example/dinner. Use "
            "a source that describes them, or set ontology.unknown to drop",
        ),
        (
            "x.ttl",
            TURTLE + ":day :partOf :lunch .",
            "…/x.ttl: the hierarchy has a cycle: Day menu < Lunch < Day menu. Remove one of its "
            "edges.",
        ),
        (
            "x.ttl",
            TURTLE + ":night a :Menu ; rdfs:label '' ; :serves 'tea' .",
            "…/x.ttl: the name of the class https://x.example/night is empty",
        ),
        (
            "x.ttl",
            TURTLE + ":night a :Menu ; rdfs:label 'Night' .",
            "…/x.ttl: 1 of 3 classes have no members: Night. Give them members, or let the spec "
            "drop empty classes.",
        ),
    ],
)
def test_files_that_are_refused(name: str, content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    assert refused(tmp_path / name) == message


@pytest.mark.parametrize("store", STORES)
def test_what_is_not_turtle(store: Store, tmp_path: Path) -> None:
    (tmp_path / "x.ttl").write_text("this is not Turtle")
    with pytest.raises(SourceError, match=r"x\.ttl: not RDF in the syntax turtle: "):
        read(store, [tmp_path / "x.ttl"], QUERIES)


CASES = {
    "mark.ttl": "\ufeff" + TURTLE,
    "percent.owl": """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns="https://x.example/">
<Menu rdf:ID="a%20b"><rdfs:label>Lunch</rdfs:label><serves>soup</serves></Menu></rdf:RDF>""",
    "space.owl": """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns="https://x.example/">
<Menu rdf:about="https://x.example/a b"><rdfs:label>Lunch</rdfs:label><serves>soup</serves></Menu>
</rdf:RDF>""",
    "doctype.owl": """<!DOCTYPE rdf:RDF [<!ENTITY x "https://x.example/"><!-- a comment -->]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#" xmlns="https://x.example/">
<Menu rdf:about="&x;a"><rdfs:label>Lunch</rdfs:label><serves>soup</serves></Menu></rdf:RDF>""",
}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("name", CASES)
def test_files_that_publishers_ship_are_read_in_both_stores(
    name: str, store: Store, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(CASES[name], encoding="utf-8")
    ontology = read(store, [tmp_path / name], QUERIES, drop_empty=True)
    assert "Lunch" in {cls.name for cls in ontology.classes}
    assert ontology.individuals["soup"] == "soup"


@pytest.mark.parametrize(
    "inside",
    [
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a "b">',
        '<!ENTITY a "&#60;b/&#62;">',
        f'<!ENTITY a "{"x" * 1001}">',
        "".join(f'<!ENTITY a{i} "b">' for i in range(201)),
        "<!ELEMENT a ANY>",
        '<!ATTLIST a b CDATA "c">',
        '<!NOTATION a SYSTEM "b">',
    ],
)
def test_other_document_types_are_refused(inside: str, tmp_path: Path) -> None:
    file = tmp_path / "x.owl"
    file.write_text(f"<!DOCTYPE a [{inside}]><a/>")
    assert refused(file).startswith("…/x.owl:1: the XML has a document type (<!DOCTYPE)")
    file.write_text('<!DOCTYPE a SYSTEM "https://x.example/a.dtd"><a/>')
    assert refused(file).startswith("…/x.owl:1: the XML has a document type (<!DOCTYPE)")


ROBOT = "Convert it to RDF, for instance with ROBOT: robot convert -i FILE -o FILE.ttl"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="https://x.example/"/>',
            f"OWL/XML, not RDF/XML. {ROBOT}",
        ),
        (
            "Prefix(:=<https://x.example/>)\nOntology(<https://x.example/>)",
            f"OWL in functional syntax, not RDF. {ROBOT}",
        ),
        ("format-version: 1.2\n", "OBO, not RDF. Read it with ontology.format: obo"),
        (
            '{ "graphs" : [] }',
            "obographs JSON, not RDF. Read it with ontology.format: obographs",
        ),
    ],
)
def test_other_formats_are_told_by_name(content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.owl").write_text(content)
    assert refused(tmp_path / "x.owl") == f"…/x.owl is {message}"


def test_a_real_file_with_a_document_type(shared_data: Path) -> None:
    owl = "PREFIX owl: <http://www.w3.org/2002/07/owl#> "
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    ontology = read_rdf(
        [shared_data / "ontologies" / "ACTUSTaxonomy.rdf"],
        classes=f"{owl} SELECT ?class ?name WHERE {{ ?class a owl:Class ; {label} ?name }}",
        hierarchy="SELECT ?child ?parent WHERE { ?child a ?parent . FILTER(false) }",
        members=f"{owl} SELECT ?class ?member WHERE {{ ?member a ?class . ?class a owl:Class }}",
        drop_empty=True,
    )
    assert ontology.classes


LABELS = """
@prefix : <https://x.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:lunch a :Menu ; rdfs:label "Lunch"@en, "Mittag"@de, "Noon meal"@en-GB .
:day a :Menu ; rdfs:label "Tag"@de . :lunch :partOf :day . :day :partOf :week .
:week a :Menu ; rdfs:label "Week"@en . :lunch :serves "soup" .
"""


def test_several_labels_are_chosen_by_language_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(LABELS)
    assert refused(path) == (
        "…/x.ttl: classes with several names (1): https://x.example/lunch has 'Lunch' and 'Mittag'."
        " Let the query select one, name ontology.labels.languages, or set ontology.labels.several "
        "to first"
    )
    german = Labels(("de", "en"), first=True)
    named = read_rdf([path], **QUERIES, labels=german)
    assert [cls.name for cls in named.classes] == ["Tag", "Mittag", "Week"]
    assert named.left_out == {}
    english = Labels(("en",), first=True)
    assert refused(path, labels=english) == (
        "…/x.ttl: classes that are named and not described (1): https://x.example/day. Use a "
        "source that describes them, or set ontology.unknown to drop"
    )
    # What has no English label is left out, and what stands below it stands under what is above.
    bridged = read_rdf([path], **QUERIES, labels=english, drop_unknown=True)
    assert [(cls.name, cls.parents) for cls in bridged.classes] == [
        ("Lunch", ("https://x.example/week",)),
        ("Week", ()),
    ]
    assert bridged.left_out == {
        "classes with several labels, of which the first was taken": ("Lunch",),
        "classes that the sources name and do not describe": ("https://x.example/day",),
    }


def test_a_deprecated_class_leaves_what_stands_below_it(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text(
        TURTLE + ":day :partOf :week . :week a :Menu ; rdfs:label 'Week' .\n"
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . :day owl:deprecated true ; :serves 'tea' ."
    )
    lunch, week = read_rdf([path], **QUERIES).classes
    assert (lunch.name, lunch.parents) == ("Lunch", (week.id,))
    assert week.members == {"soup", "cake", "tea"}
    kept = read_rdf([path], **QUERIES, drop_deprecated=False)
    assert [cls.name for cls in kept.classes] == ["Day menu", "Lunch", "Week"]


def test_the_leaves_of_the_disease_ontology_are_those_that_a_query_finds(
    shared_data: Path, root: Path
) -> None:
    file = shared_data / "ontologies" / "DO_cancer_slim.owl"
    texts = queries(root, "do-cancer-ontology.yaml")
    prefix = (
        "PREFIX owl: <http://www.w3.org/2002/07/owl#> PREFIX rdfs: "
        "<http://www.w3.org/2000/01/rdf-schema#> PREFIX oio: "
        "<http://www.geneontology.org/formats/oboInOwl#> "
    )
    leaves = read_rdf(
        [file],
        classes=f"{prefix} SELECT ?class ?name ?id {{ ?class a owl:Class ; rdfs:label ?name ; "
        "oio:id ?id }",
        hierarchy=f"{prefix} SELECT ?child ?parent {{ ?child rdfs:subClassOf ?parent . "
        "?child oio:id ?a . ?parent oio:id ?b }",
        members="subclasses",
    )
    found = read_rdf([file], **texts)
    assert leaves.classes == found.classes
    assert leaves.individuals == found.individuals
