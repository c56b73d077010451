"""Reactome's flat files: the real ones, counted independently, and lines that are not right."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.sources.ontologies.gene_sets import read_reactome

GMT = "Disease\tR-HSA-1\tKRAS\nCancer\tR-HSA-2\tTP53\tKRAS\nOther\tR-HSA-9\tGAA\n"
TABLE = "R-HSA-1\tR-HSA-2\nR-BTA-1\tR-BTA-2\nR-HSA-2\tR-HSA-3\n"


@pytest.fixture
def members(tmp_path: Path) -> Path:
    (tmp_path / "pathways.gmt").write_text(GMT)
    return tmp_path / "pathways.gmt"


@pytest.fixture
def hierarchy(tmp_path: Path) -> Path:
    (tmp_path / "relation.txt").write_text(TABLE)
    return tmp_path / "relation.txt"


def refused(members: Path, hierarchy: Path) -> str:
    with pytest.raises(SourceError) as caught:
        read_reactome(members, hierarchy, drop_empty=True)
    return str(caught.value).replace(str(members.parent), "…")


def test_two_files_become_an_ontology(members: Path, hierarchy: Path) -> None:
    ontology = read_reactome(members, hierarchy, branch="Disease", drop_empty=True)
    assert [(cls.id, cls.name, cls.parents, sorted(cls.members)) for cls in ontology.classes] == [
        ("R-HSA-1", "Disease", (), ["KRAS", "TP53"]),
        ("R-HSA-2", "Cancer", ("R-HSA-1",), ["KRAS", "TP53"]),
    ]
    # It stands in the table only: without a name, and without genes.
    assert ontology.empty == ("R-HSA-3",)
    with pytest.raises(SourceError, match=r"relation\.txt: 1 of 3 classes have no members"):
        read_reactome(members, hierarchy, branch="R-HSA-1")


@pytest.mark.parametrize(
    ("gmt", "message"),
    [
        (
            "Disease\tR-HSA-1\tKRAS\nCancer\tR-HSA-2\n",
            "2: 2 columns; a line is NAME, ID and the members, with tabs between them",
        ),
        ("Disease\tR-HSA-1\tKRAS\t\n", "1: an empty column; remove the tab"),
        (GMT + "Again\tR-HSA-2\tTP53\n", "4: the id R-HSA-2 stands on an earlier line too"),
        ("Disease\tR-HSA-1\tKR\x07AS\n", "1:19: the control character U+0007"),
        ("Disease\tR-HSA-1\tKRAS\n\nCancer\tR-HSA-2\tTP53\n", "2: an empty line"),
        ("<b>\tR-HSA-1\tKRAS\n", "1: the name of the class R-HSA-1 holds markup: '<b>'"),
    ],
)
def test_lines_of_the_gmt_file(gmt: str, message: str, members: Path, hierarchy: Path) -> None:
    members.write_text(gmt)
    assert refused(members, hierarchy) == f"…/pathways.gmt:{message}"


def test_lines_of_the_table(members: Path, hierarchy: Path) -> None:
    hierarchy.write_text("R-HSA-1\tR-HSA-2\tR-HSA-3\n")
    assert refused(members, hierarchy) == (
        "…/relation.txt:1: 3 columns; a line is PARENT and CHILD, with tabs between them"
    )
    hierarchy.write_text("R-HSA-1\n")
    assert refused(members, hierarchy) == (
        "…/relation.txt:1: 1 column; a line is PARENT and CHILD, with tabs between them"
    )
    hierarchy.write_text("R-HSA-1\t\n")
    assert refused(members, hierarchy) == "…/relation.txt:1: an empty column; remove the tab"
    hierarchy.write_text(TABLE + "R-HSA-2\tR-HSA-1\n")
    assert refused(members, hierarchy) == (
        "…/relation.txt: the hierarchy has a cycle: Disease < Cancer < Disease. Remove one of its "
        "edges."
    )


def test_files_that_cannot_be_read(members: Path, hierarchy: Path) -> None:
    members.write_bytes(b"")
    assert refused(members, hierarchy) == "…/pathways.gmt: the file is empty"
    members.write_bytes("é\tR-HSA-1\tx\n".encode("latin-1"))
    assert refused(members, hierarchy).startswith("…/pathways.gmt: not UTF-8: ")
    members.unlink()
    assert refused(members, hierarchy) == (
        "…/pathways.gmt cannot be read: No such file or directory"
    )


def test_the_disease_branch_of_release_93(shared_data: Path) -> None:
    gmt = shared_data / "reactome" / "ReactomePathways.gmt"
    table = shared_data / "reactome" / "ReactomePathwaysRelation.txt"
    ontology = read_reactome(gmt, table, branch="Disease", drop_empty=True)
    assert len(ontology.classes) == 748
    assert len(ontology.empty) == 765 - 748
    assert len(ontology.individuals) == 2139
    assert len({cls.members for cls in ontology.classes}) == 568

    # The same, counted without any of the code above: a walk down from the root for each class.
    children: dict[str, list[str]] = {}
    for line in table.read_text().splitlines():
        parent, child = line.split("\t")
        children.setdefault(parent, []).append(child)
    rows = [line.split("\t") for line in gmt.read_text().splitlines()]
    genes = {row[1]: set(row[2:]) for row in rows}

    def below(root: str) -> set[str]:
        found, queue = {root}, [root]
        while queue:
            new = set(children.get(queue.pop(), ())) - found
            found |= new
            queue += new
        return found

    branch = below("R-HSA-1643685")
    assert len(branch) == 765
    assert sum(id not in genes for id in branch) == 17
    expected = {id: set().union(*(genes.get(under, set()) for under in below(id))) for id in branch}
    assert {cls.id: set(cls.members) for cls in ontology.classes} == {
        id: found for id, found in expected.items() if found
    }
    # The nameless are exactly the empty ones: no id is ever read out as a name.
    assert set(ontology.empty) == {id for id in branch if id not in genes}


def test_columns_in_another_order_are_refused(members: Path, hierarchy: Path) -> None:
    members.write_text("R-HSA-1\tDisease\tKRAS\nR-HSA-2\tCancer\tTP53\n")
    assert refused(members, hierarchy) == (
        "…/pathways.gmt: no id of it, such as Cancer, stands in …/relation.txt, which has ids "
        "such as R-BTA-1. The second column must be the id; swap the first two if the id is first"
    )


def test_a_byte_order_mark_is_read_past(members: Path, hierarchy: Path) -> None:
    plain = read_reactome(members, hierarchy, drop_empty=True)
    for path in (members, hierarchy):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_reactome(members, hierarchy, drop_empty=True) == plain
