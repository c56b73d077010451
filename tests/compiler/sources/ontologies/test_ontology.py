"""The closure of an ontology, and each thing that it refuses."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.errors import SourceError
from sorites.sources.ontologies.ontology import Ontology, build_ontology

NAMES = {"d": "Disease", "c": "Cancer", "i": "Infection", "t": "Tumour virus", "x": "Unrelated"}
EDGES = [("c", "d"), ("i", "d"), ("t", "c"), ("t", "i")]
MEMBERS = [("t", "TP53"), ("c", "KRAS"), ("i", "CD4"), ("x", "GAA")]


def build(
    names: dict[str, str] = NAMES,
    edges: list[tuple[str, str]] = EDGES,
    members: list[tuple[str, str]] = MEMBERS,
    branch: str | None = None,
    drop_empty: bool = False,
    individuals: dict[str, str] | None = None,
) -> Ontology:
    return build_ontology(
        names,
        edges,
        members,
        individuals or {},
        where="menu.ttl",
        branch=branch,
        drop_empty=drop_empty,
    )


def refused(**changes: object) -> str:
    with pytest.raises(SourceError) as caught:
        build(**changes)  # type: ignore[arg-type]
    return str(caught.value)


def test_members_reach_all_ancestors() -> None:
    ontology = build()
    assert [cls.id for cls in ontology.classes] == ["c", "d", "i", "t", "x"]
    members = {cls.id: set(cls.members) for cls in ontology.classes}
    assert members == {
        "c": {"KRAS", "TP53"},
        "d": {"KRAS", "TP53", "CD4"},
        "i": {"CD4", "TP53"},
        "t": {"TP53"},
        "x": {"GAA"},
    }
    assert next(cls.parents for cls in ontology.classes if cls.id == "t") == ("c", "i")
    assert list(ontology.individuals) == ["CD4", "GAA", "KRAS", "TP53"]
    assert ontology.levels() == {"d": 0, "x": 0, "c": 1, "i": 1, "t": 2}


@pytest.mark.parametrize("branch", ["c", "Cancer"])
def test_a_branch_by_id_or_name(branch: str) -> None:
    ontology = build(branch=branch)
    assert [(cls.id, cls.parents) for cls in ontology.classes] == [("c", ()), ("t", ("c",))]
    assert list(ontology.individuals) == ["KRAS", "TP53"]
    assert ontology.levels() == {"c": 0, "t": 1}


def test_levels_are_distances_from_the_nearest_root() -> None:
    ontology = build(edges=[*EDGES, ("t", "d")])
    assert ontology.levels()["t"] == 1


def test_empty_classes() -> None:
    members = [("c", "KRAS")]
    assert refused(members=members) == (
        "menu.ttl: 3 of 5 classes have no members: Infection, Tumour virus, Unrelated. Give them "
        "members, or let the spec drop empty classes."
    )
    ontology = build(members=members, drop_empty=True)
    assert [cls.id for cls in ontology.classes] == ["c", "d"]
    assert ontology.empty == ("Infection", "Tumour virus", "Unrelated")
    assert refused(members=[], drop_empty=True) == "menu.ttl: no class has a member"


@pytest.mark.parametrize(
    ("empty", "listed"),
    [
        (1, "E00"),
        (20, ", ".join(f"E{number:02}" for number in range(20))),
        (21, ", ".join(f"E{number:02}" for number in range(20)) + " and 1 more"),
        (45, ", ".join(f"E{number:02}" for number in range(20)) + " and 25 more"),
    ],
)
def test_at_most_twenty_empty_classes_are_listed(empty: int, listed: str) -> None:
    names = {f"e{number:02}": f"E{number:02}" for number in range(empty)}
    told = refused(names={"a": "A", **names}, edges=[], members=[("a", "m")])
    assert told.startswith(f"menu.ttl: {empty} of {empty + 1} classes have no members: {listed}. ")


def test_a_cycle_is_named() -> None:
    edges = [("d", "t"), *EDGES]
    assert refused(edges=edges) == (
        "menu.ttl: the hierarchy has a cycle: Cancer < Disease < Tumour virus < Cancer. Remove "
        "one of its edges."
    )
    assert refused(edges=[("x", "x")]) == (
        "menu.ttl: the hierarchy has a cycle: Unrelated < Unrelated. Remove one of its edges."
    )
    # What hangs above or below a cycle is not part of it.
    longer = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "e")]
    names = {id: id.upper() for id in "abcde"}
    assert "cycle: B < C < B." in refused(names=names, edges=longer, members=[("a", "m")])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edges": [("q", "d")]}, "the hierarchy has q under d, but there is no class q"),
        ({"members": [("q", "TP53")]}, "TP53 is a member of q, which is not a class"),
        ({"branch": "Cancr"}, "there is no class with the id or the name 'Cancr'"),
        (
            {"names": {**NAMES, "x": "Cancer"}, "branch": "Cancer"},
            "2 classes have the name 'Cancer': c, x. Give the id of the one that is meant.",
        ),
        ({"names": {**NAMES, "t": " "}}, "the name of the class t is empty"),
        (
            {"names": {**NAMES, "t": "a\x1bb"}},
            "the name of the class t holds the control character U+001B",
        ),
        (
            {"names": {**NAMES, "t": "a\nb"}},
            "the name of the class t holds the control character U+000A",
        ),
        (
            {"names": {**NAMES, "t": "<script>x</script>"}},
            "the name of the class t holds markup: '<script>x</script>'",
        ),
        ({"names": {**NAMES, "t": "a &lt; b"}}, "the name of the class t holds markup: 'a &lt; b'"),
        (
            {"names": {**NAMES, "t": "x" * 1001}},
            "the name of the class t is longer than 1000 characters",
        ),
        (
            {"individuals": {"TP53": "<b>TP53</b>"}},
            "the name of the individual TP53 holds markup: '<b>TP53</b>'",
        ),
    ],
)
def test_what_is_refused(changes: dict[str, object], message: str) -> None:
    assert refused(**changes) == f"menu.ttl: {message}"


@pytest.mark.parametrize(
    "name",
    [
        "NIK-->noncanonical NF-kB signaling",
        "H139Hfs13* PPM1K causes a mild variant of MSUD",
        "Antigen processing: Ubiquitination & Proteasome degradation",
        "β-oxidation, γ/δ",
    ],
)
def test_names_that_exist(name: str) -> None:
    assert build(names={**NAMES, "t": name})


def test_a_deep_hierarchy_needs_no_recursion() -> None:
    names = {str(n): f"class {n}" for n in range(5_000)}
    edges = [(str(n + 1), str(n)) for n in range(4_999)]
    ontology = build(names=names, edges=edges, members=[("4999", "m")])
    assert all(cls.members == {"m"} for cls in ontology.classes)
    assert ontology.levels()["4999"] == 4_999
    assert "cycle: class 0 < class 4999 < " in refused(
        names=names, edges=[*edges, ("0", "4999")], members=[("0", "m")]
    )


@st.composite
def hierarchies(draw: st.DrawFn) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    ids = "abcdefgh"
    pairs = st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda pair: pair[0] > pair[1])
    edges = draw(st.lists(pairs, max_size=15))
    members = [(id, id + "1") for id in ids]
    members += draw(st.lists(st.tuples(st.sampled_from(ids), st.sampled_from("xyz")), max_size=8))
    return [(ids[child], ids[parent]) for child, parent in edges], members


@settings(max_examples=100, deadline=None)
@given(hierarchies(), st.randoms())
def test_members_are_those_of_what_can_be_reached(
    given_: tuple[list[tuple[str, str]], list[tuple[str, str]]], shuffle: random.Random
) -> None:
    edges, members = given_
    names = {id: id for id in "abcdefgh"}
    ontology = build(names=names, edges=edges, members=members)
    below = {id: {id} for id in names}
    for _ in names:
        for child, parent in edges:
            below[parent] |= below[child]
    for cls in ontology.classes:
        assert cls.members == {m for id, m in members if id in below[cls.id]}
    shuffle.shuffle(edges)
    shuffle.shuffle(members)
    assert build(names=names, edges=edges, members=members) == ontology
