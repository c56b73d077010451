"""OBO and obographs JSON: real files, the same classes in both, and files that are not right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.sources.ontologies.class_graphs import ClassGraph, with_leaves
from sorites.sources.ontologies.formats import FORMATS
from sorites.sources.ontologies.obo import read_obo
from sorites.sources.ontologies.obographs import read_obographs

TERMS = """format-version: 1.2

[Term]
id: D:1
name: disease

[Term]
id: D:2
name: cancer \\{any\\} {source="x"} ! a comment
is_a: D:1 {source="y"} ! disease

[Term]
id: D:3
name: melanoma
is_a: D:2 ! cancer

[Term]
id: D:4
name: old one
is_a: D:1
is_obsolete: true

[Term]
id: D:5
name: alone

[Typedef]
id: part_of
name: part of
"""
GRAPH = {
    "graphs": [
        {
            "nodes": [
                {"id": "D:1", "lbl": "disease", "type": "CLASS"},
                {"id": "D:2", "lbl": "cancer {any}", "type": "CLASS"},
                {"id": "D:3", "lbl": "melanoma"},
                {"id": "D:4", "lbl": "old one", "type": "CLASS", "meta": {"deprecated": True}},
                {"id": "D:5", "lbl": "alone", "type": "CLASS"},
                {"id": "part_of", "lbl": "part of", "type": "PROPERTY"},
            ],
            "edges": [
                {"sub": "D:2", "pred": "is_a", "obj": "D:1"},
                {"sub": "D:3", "pred": "is_a", "obj": "D:2"},
                {"sub": "D:4", "pred": "is_a", "obj": "D:1"},
                {"sub": "D:5", "pred": "part_of", "obj": "D:1"},
            ],
        }
    ]
}


@pytest.mark.parametrize("name", ["obo", "obographs"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte-order-mark"])
def test_leaves_are_individuals(name: str, mark: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    text = TERMS if name == "obo" else json.dumps(GRAPH)
    path.write_bytes(mark + text.encode())
    ontology = FORMATS[name].read({"format": name, "file": "it"}, {"it": path})
    assert [(cls.id, cls.name, cls.parents, cls.members) for cls in ontology.classes] == [
        ("D:1", "disease", (), {"D:3"}),
        ("D:2", "cancer {any}", ("D:1",), {"D:3"}),
    ]
    assert ontology.individuals == {"D:3": "melanoma"}
    assert ontology.left_out == {
        "obsolete classes": ("old one",),
        "classes with nothing above or below them": ("alone",),
    }


def test_classes_that_are_not_there_are_refused_all_at_once_or_left_out() -> None:
    graph = ClassGraph(
        {"a": "A", "b": "B"}, (("b", "a"), *(("b", f"x{i:02}") for i in range(22))), {}
    )
    with pytest.raises(SourceError) as caught:
        with_leaves(graph, where="file")
    listed = ", ".join(f"x{i:02}" for i in range(20))
    assert str(caught.value) == (
        f"file: classes that are named and not described (22): {listed} and 2 more. "
        "Use a source that describes them, or set ontology.unknown to drop"
    )
    ontology = with_leaves(graph, where="file", drop_unknown=True)
    assert len(ontology.left_out["classes that the sources name and do not describe"]) == 22
    with pytest.raises(SourceError, match=r"^file: no class stands under another$"):
        with_leaves(ClassGraph({"a": "A"}, (), {}), where="file")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<rdf/>", ": not OBO: neither a format-version nor a [Term] in its start"),
        ("[Term]\nname: x\n", ":2: a [Term] must start with its id"),
        ("[Term]\nid: a\nname: x\nname: y\n", ":4: a second name of a"),
        ("[Term]\nid: a\n[Term]\nid: a\n", ":4: the id a stands in an earlier frame too"),
    ],
)
def test_files_that_are_not_obo(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "file.obo"
    path.write_text(text)
    with pytest.raises(SourceError) as caught:
        read_obo(path)
    assert str(caught.value) == f"{path}{message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "not obographs JSON: there is no list of graphs"),
        ('{"graphs": [1]}', "not obographs JSON: graphs holds what is not an object"),
        (
            '{"graphs": [{"nodes": [{"id": 1}]}]}',
            "not obographs JSON: id is not a text in {'id': 1}",
        ),
        (
            '{"graphs": [{"nodes": [{"id": "a", "lbl": "x"}, {"id": "a", "lbl": "y"}]}]}',
            "a has two labels: 'x' and 'y'",
        ),
        ("[" * 200_000, None),
    ],
)
def test_files_that_are_not_obographs(text: str, message: str | None, tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text(text)
    with pytest.raises(SourceError) as caught:
        read_obographs(path)
    if message is None:
        assert str(caught.value).startswith(f"{path}: not JSON: ")
    else:
        assert str(caught.value) == f"{path}: {message}"


def test_the_slims_of_the_disease_ontology(shared_data: Path) -> None:
    terms = read_obo(shared_data / "ontologies" / "DO_FlyBase_slim.obo")
    raw = (shared_data / "ontologies" / "DO_FlyBase_slim.obo").read_text(encoding="utf-8")
    assert len(terms.names) + len(terms.obsolete) == raw.count("\n[Term]\n")
    assert len(terms.edges) == raw.count("\nis_a: ")
    nodes = read_obographs(shared_data / "ontologies" / "DO_GXD_slim.json")
    assert nodes.names["http://purl.obolibrary.org/obo/DOID_0014667"] == "disease of metabolism"
