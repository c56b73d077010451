"""Tables of classes: forms that publishers ship, real files counted independently, bad rows."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorites.canonical import Json
from sorites.errors import SourceError
from sorites.sources.ontologies.formats import FORMATS
from sorites.sources.ontologies.gene_sets import read_reactome
from sorites.sources.ontologies.ontology import Ontology
from sorites.sources.ontologies.table_layout import layout_faults

Table = Mapping[str, Json]

GMT: Table = {"columns": {"name": 1, "class": 2, "members": {"column": 3, "rest": True}}}
HUMAN = r"R-HSA-\d+"
RELATION: Table = {
    "columns": {"class": 2, "parents": 1},
    "where": [{"column": 1, "pattern": HUMAN}, {"column": 2, "pattern": HUMAN}],
}


def read(texts: Sequence[str], tables: Sequence[Table], folder: Path, **more: Json) -> Ontology:
    """The ontology of tables, of which each has one file with the text in the same place."""
    files = {f"table-{index}": folder / f"table-{index}.txt" for index in range(len(texts))}
    for path, text in zip(files.values(), texts, strict=True):
        path.write_text(text, encoding="utf-8")
    entries = [{"files": [name], **table} for name, table in zip(files, tables, strict=True)]
    section = {"format": "table", "tables": entries, **more}
    assert [*layout_faults(section)] == []
    extra = {name: folder / name for name in ("go.obo", "go.json")}
    return FORMATS["table"].read(section, {**files, **extra})


def refused(text: str, table: Table, folder: Path, **more: Json) -> str:
    with pytest.raises(SourceError) as caught:
        read([text], [table], folder, **more)
    return str(caught.value).replace(f"{folder}/table-0.txt", "…")


def shown(ontology: Ontology) -> list[tuple[str, str, tuple[str, ...], list[str]]]:
    return [(cls.id, cls.name, cls.parents, sorted(cls.members)) for cls in ontology.classes]


def test_wikipathways(tmp_path: Path) -> None:
    # One cell holds the name, the release, the id and the species; members are Entrez ids.
    text = (
        "Cell cycle%WikiPathways_20240901%WP179%Homo sapiens\thttps://x.example/WP179\t10\t20\n"
        "Cell cycle%WikiPathways_20240901%WP413%Homo sapiens\thttps://x.example/WP413\t10\n"
        "Apoptosis%WikiPathways_20240901%WP254%Mus musculus\thttps://x.example/WP254\t30\n"
    )
    pattern = r"(.+)%WikiPathways_\d{8}%WP\d+%.+"
    table: Table = {
        "columns": {
            "class": {"column": 1, "pattern": r".+%(WP\d+)%.+"},
            "name": {"column": 1, "pattern": pattern},
            "members": {"column": 3, "rest": True},
        },
        "where": [{"column": 1, "pattern": ".*%Homo sapiens"}],
    }
    assert shown(read([text], [table], tmp_path)) == [
        ("WP179", "Cell cycle", (), ["10", "20"]),
        ("WP413", "Cell cycle", (), ["10"]),
    ]


def test_gene_sets_without_ids_and_with_empty_cells(tmp_path: Path) -> None:
    table: Table = {"columns": {"name": 1, "members": {"column": 3, "rest": True}}}
    text = "Term A\t\tG1\tG2\t\t\nTerm B\tna\tG2\n"
    assert shown(read([text], [table], tmp_path)) == [
        ("Term A", "Term A", (), ["G1", "G2"]),
        ("Term B", "Term B", (), ["G2"]),
    ]


def test_reactome_of_another_year(tmp_path: Path) -> None:
    # The long table has one gene a line, and the id before the name.
    texts = (
        "P1\tR-HSA-2\thttps://x.example\tCancer\tIEA\tHomo sapiens\n"
        "P2\tR-HSA-2\thttps://x.example\tCancer\tIEA\tHomo sapiens\n"
        "P3\tR-BTA-2\thttps://x.example\tCancer\tIEA\tBos taurus\n",
        "R-HSA-1\tDisease\tHomo sapiens\nR-HSA-2\tCancer\tHomo sapiens\n",
        "R-HSA-1\tR-HSA-2\nR-BTA-1\tR-BTA-2\n",
    )
    long: Table = {
        "columns": {"class": 2, "members": 1},
        "where": [{"column": 6, "pattern": "Homo sapiens"}],
    }
    names: Table = {"columns": {"class": 1, "name": 2}}
    assert shown(read(texts, [long, names, RELATION], tmp_path)) == [
        ("R-HSA-1", "Disease", (), ["P1", "P2"]),
        ("R-HSA-2", "Cancer", ("R-HSA-1",), ["P1", "P2"]),
    ]


OBO = """format-version: 1.2

[Term]
id: GO:1
name: process

[Term]
id: GO:2
name: signaling
is_a: GO:1

[Term]
id: GO:3
name: old
is_obsolete: true
"""
GAF = """!gaf-version: 2.2
! a comment
UniProtKB\tP1\tKRAS\tinvolved_in\tGO:2\tPMID:1\tIDA\t\tP\tname\tK\tprotein\ttaxon:9606\t20240101\tX
UniProtKB\tP2\tTP53\tNOT|involved_in\tGO:2\tPMID:1\tIDA\t\tP\t\t\tprotein\ttaxon:9606\t20240101\tX
UniProtKB\tP2\tTP53\tinvolved_in\tGO:1\tPMID:1\tIDA\t\tP\t\t\tprotein\ttaxon:9606\t20240101\tX
UniProtKB\tP4\tOLD1\tinvolved_in\tGO:3\tPMID:1\tIDA\t\tP\t\t\tprotein\ttaxon:9606\t20240101\tX
"""


@pytest.mark.parametrize("form", ["obo", "obographs"])
def test_annotations_of_the_gene_ontology(form: str, tmp_path: Path) -> None:
    (tmp_path / "go.obo").write_text(OBO)
    nodes = [
        {"id": "GO:1", "lbl": "process"},
        {"id": "GO:2", "lbl": "signaling"},
        {"id": "GO:3", "lbl": "old", "meta": {"deprecated": True}},
    ]
    edges = [{"sub": "GO:2", "pred": "is_a", "obj": "GO:1"}]
    (tmp_path / "go.json").write_text(json.dumps({"graphs": [{"nodes": nodes, "edges": edges}]}))
    table: Table = {
        "comment": "!",
        "columns": {"class": 5, "members": 2, "member_name": 3},
        "where": [
            {"column": 4, "pattern": r"(?!NOT\b).*"},
            {"column": 13, "pattern": r"taxon:9606(\|.*)?"},
        ],
    }
    file = "go.obo" if form == "obo" else "go.json"
    ontology = read([GAF], [table], tmp_path, classes={"file": file, "format": form})
    assert shown(ontology) == [
        ("GO:1", "process", (), ["P1", "P2"]),
        ("GO:2", "signaling", ("GO:1",), ["P1"]),
    ]
    assert ontology.individuals == {"P1": "KRAS", "P2": "TP53"}
    assert ontology.left_out == {"obsolete classes": ("old",)}


CSV = 'id,label,under,genes\nc1,"Cancer, any",,"a;b"\nc2,Lung cancer,c1,c\n'
BY_NAME: Table = {
    "separator": "comma",
    "header": True,
    "quoted": True,
    "columns": {
        "class": "id",
        "name": "label",
        "parents": "under",
        "members": {"column": "genes", "split": ";"},
    },
}


def test_columns_by_their_names_and_cells_in_quotes(tmp_path: Path) -> None:
    assert shown(read(["\ufeff" + CSV], [BY_NAME], tmp_path)) == [
        ("c1", "Cancer, any", (), ["a", "b", "c"]),
        ("c2", "Lung cancer", ("c1",), ["c"]),
    ]


def test_classes_alone_whose_leaves_are_individuals(tmp_path: Path) -> None:
    table: Table = {"separator": "bar", "columns": {"class": 1, "name": 3, "parents": 2}}
    text = "1||animal\n2|1|dog\n3|2|poodle\n"
    ontology = read([text], [table], tmp_path, members="subclasses")
    assert shown(ontology) == [("1", "animal", (), ["3"]), ("2", "dog", ("1",), ["3"])]
    assert ontology.individuals == {"3": "poodle"}
    with pytest.raises(SourceError, match=r"named and not described \(2\): 4, 9\. Use a source"):
        read(
            [text, "4\t9\n"],
            [table, {"columns": {"class": 1, "parents": 2}}],
            tmp_path,
            members="subclasses",
        )


PATHS: Table = {
    "header": True,
    "columns": {
        "class": "leaf_pathway_id",
        "name": "leaf_name",
        "path": {"column": "hierarchy", "split": " > "},
        "members": {"column": "genes", "split": ","},
    },
}


def test_paths_of_names(tmp_path: Path) -> None:
    # Two classes are called "Entry": what follows in the path says which is meant.
    text = (
        "leaf_pathway_id\tleaf_name\thierarchy\tgenes\n"
        "1\tCell\tCell > All\ta\n2\tVirus\tVirus > All\tb\n"
        "3\tEntry\tEntry > Cell > All\tc\n4\tEntry\tEntry > Virus > All\td\n"
        "5\tLock\tLock > Entry > Virus > All\te\n"
    )
    assert {cls.id: cls.parents for cls in read([text], [PATHS], tmp_path).classes} == {
        "All": (),
        "1": ("All",),
        "2": ("All",),
        "3": ("1",),
        "4": ("2",),
        "5": ("4",),
    }
    columns = cast("Mapping[str, Json]", PATHS["columns"])
    path = {"column": "hierarchy", "split": " > ", "root_first": True}
    other: Table = {**PATHS, "columns": {**columns, "path": path}}
    rows = [line.split("\t") for line in text.splitlines()]
    for row in rows[1:]:
        row[2] = " > ".join(row[2].split(" > ")[::-1])
    turned = "".join("\t".join(row) + "\n" for row in rows)
    assert read([turned], [other], tmp_path) == read([text], [PATHS], tmp_path)


def test_the_disease_table_of_the_paper(shared_data: Path) -> None:
    path = shared_data / "reactome" / "syllobio_disease_pathways.tsv"
    section = {"format": "table", "tables": [{"files": ["it"], **PATHS}]}
    ontology = FORMATS["table"].read(section, {"it": path})
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    # The root alone has no line of its own.
    assert {cls.id for cls in ontology.classes} == {row[0] for row in rows} | {"Disease"}
    assert len(ontology.classes) == 722
    assert set(ontology.individuals) == {gene for row in rows for gene in row[3].split(",")}
    assert len(ontology.individuals) == 2131
    # A class holds the genes of all lines whose path goes through its own.
    for cls in ontology.classes:
        own = next((row[2] for row in rows if row[0] == cls.id), "Disease")
        below = [row for row in rows if row[0] == cls.id or row[2].endswith(f" > {own}")]
        assert cls.members == {gene for row in below for gene in row[3].split(",")}


def test_reactome_as_tables_is_reactome(shared_data: Path) -> None:
    gmt = shared_data / "reactome" / "ReactomePathways.gmt"
    relation = shared_data / "reactome" / "ReactomePathwaysRelation.txt"
    section = {
        "format": "table",
        "tables": [{"files": ["gmt"], **GMT}, {"files": ["relation"], **RELATION}],
        "unknown": "drop",
        "branch": "Disease",
        "empty_classes": "drop",
    }
    found = FORMATS["table"].read(section, {"gmt": gmt, "relation": relation})
    other = read_reactome(gmt, relation, branch="Disease", drop_empty=True)
    assert (found.classes, found.individuals) == (other.classes, other.individuals)


def test_a_class_that_nothing_describes_is_refused_or_bridged(tmp_path: Path) -> None:
    gmt = "A\tR-HSA-1\tx\nC\tR-HSA-3\ty\n"
    relation = "R-HSA-1\tR-HSA-2\nR-HSA-2\tR-HSA-3\n"
    with pytest.raises(SourceError) as caught:
        read([gmt, relation], [GMT, RELATION], tmp_path)
    assert str(caught.value).partition(": ")[2] == (
        "classes that are named and not described (1): R-HSA-2. Use a source that describes "
        "them, or set ontology.unknown to drop"
    )
    ontology = read([gmt, relation], [GMT, RELATION], tmp_path, unknown="drop")
    # y is in C, and C is below A by way of what has no name.
    assert shown(ontology) == [
        ("R-HSA-1", "A", (), ["x", "y"]),
        ("R-HSA-3", "C", ("R-HSA-1",), ["y"]),
    ]
    assert ontology.left_out == {"classes that the sources name and do not describe": ("R-HSA-2",)}


NAMED: Table = {"columns": {"name": 1, "members": 2}}
HEADED: Table = {"header": True, "columns": {"name": "name", "members": "gene"}}


@pytest.mark.parametrize(
    ("text", "table", "message"),
    [
        ("A\n", NAMED, "…:1: 1 column, and no column 2. Is the separator of the table another?"),
        (
            "A\tx\n",
            {"columns": {"name": 1, "members": 4}},
            "…:1: 2 columns, and no column 4. Is the separator of the table another?",
        ),
        ("A\tx\n\nB\ty\n", NAMED, "…:2: an empty line"),
        ("\tx\n", NAMED, "…:1: column 1, the name, is empty"),
        ("A\tx\x07\n", NAMED, "…:1:4: the control character U+0007"),
        ("A\tx\n<b>\ty\n", NAMED, "…:2: the name of the class <b> holds markup: '<b>'"),
        ("", NAMED, "…: no row is left: the file is empty, or where leaves out all"),
        ("", HEADED, "…: the file is empty; the first line must name the columns"),
        ("name\tname\n", HEADED, "…:1: two columns have the name 'name'"),
        ("name\tg\n", HEADED, "…:1: there is no column 'gene'; the columns are 'name', 'g'"),
        ("name\tgene\nA\tx\ty\n", HEADED, "…:2: 3 columns; the header has 2"),
        (
            'A\t"x"\n',
            NAMED,
            '…:1: column 2 is in quotes: "x". Set quoted: true to take them away, or quoted: false '
            "to keep them",
        ),
        (
            'A\t"x\n',
            {**NAMED, "quoted": True},
            "…:1: the quotes are not right: unexpected end of data",
        ),
        (
            "A\t1\tx\nB\t1\tx\n",
            GMT,
            "…:2: the class 1 has two names: 'A' and 'B'",
        ),
        (
            "A\t1\tx\nA\t1\ty\n",
            GMT,
            "…:2: the class 1 has other members than in …:1. Give the two an id each, with a "
            "column class",
        ),
        (
            "A\tx\n",
            {"columns": {"name": {"column": 1, "pattern": "B"}, "members": 2}},
            "…:1: 'A' does not fit the pattern B. Mend the pattern, or leave such rows out with "
            "where",
        ),
        (
            "A\tx\tX\nA\tx\tY\n",
            {"columns": {"name": 1, "members": 2, "member_name": 3}},
            "…:2: the member x has two names: 'X' and 'Y'",
        ),
        (
            "A\tB > C\tx\n",
            {"columns": {"name": 1, "path": {"column": 2, "split": " > "}, "members": 3}},
            "…:1: the path starts with 'B', and the class is 'A'. A path leads from the class to "
            "the root; set root_first if it starts there",
        ),
        (
            "A\tA >  > C\tx\n",
            {"columns": {"name": 1, "path": {"column": 2, "split": ">"}, "members": 3}},
            "…:1: a step of the path is empty: 'A >  > C'",
        ),
        (
            "1\tA>C\tx\n2\tA>C\tx\n3\tB>A>C\tx\n",
            {"columns": {"class": 1, "path": {"column": 2, "split": ">"}, "members": 3}},
            "…:3: the step 'A' of the path may mean 1 and 2. Use a column parents",
        ),
        (
            f"A\t{'>'.join('ab' * 501)}\tx\n",
            {"columns": {"class": 1, "path": {"column": 2, "split": ">"}, "members": 3}},
            "…:1: the path has more than 1,000 steps",
        ),
    ],
)
def test_rows_that_are_refused(text: str, table: Table, message: str, tmp_path: Path) -> None:
    assert refused(text, table, tmp_path) == message


@pytest.mark.parametrize(
    ("table", "more", "place", "fault"),
    [
        ({"columns": {"members": 1}}, {}, ("tables", 0, "columns"), "no column tells the class"),
        ({"columns": {"class": 1, "members": "x"}}, {}, ("tables", 0, "columns", "members"), "a "),
        (
            {"columns": {"class": {"column": 1, "pattern": "("}, "members": 2}},
            {},
            ("tables", 0, "columns", "class"),
            "not a regular expression",
        ),
        (
            {"columns": {"class": {"column": 1, "pattern": "(a)(b)"}, "members": 2}},
            {},
            ("tables", 0, "columns", "class"),
            "a pattern has at most one group",
        ),
        (
            {"columns": {"class": 1, "members": 2}, "where": [{"column": 1, "pattern": "*"}]},
            {},
            ("tables", 0, "where", 0),
            "not a regular expression",
        ),
        ({"columns": {"class": 1}}, {}, ("tables",), "no column holds members"),
        (
            {"columns": {"class": 1, "members": 2}},
            {"members": "subclasses"},
            ("members",),
            "a column holds members already",
        ),
        (
            {"columns": {"class": 1, "member_name": 2, "members": {"column": 3, "rest": True}}},
            {},
            ("tables", 0, "columns", "member_name"),
            "a name of a member needs",
        ),
    ],
)
def test_layouts_that_are_refused(
    table: Table, more: Table, place: tuple[str | int, ...], fault: str
) -> None:
    section = {"format": "table", "tables": [{"files": ["a"], **table}], **more}
    ((found, text),) = layout_faults(section)
    assert found == place
    assert text.startswith(fault)


CELLS = st.text(st.sampled_from('ab1 >;,"|\\té\x00\u202e<\u200b'), max_size=6)


@given(
    rows=st.lists(st.lists(CELLS, min_size=1, max_size=5), max_size=5),
    separator=st.sampled_from("\t,;|"),
    end=st.sampled_from(["\n", "\r\n", ""]),
    table=st.sampled_from([NAMED, GMT, HEADED, BY_NAME, PATHS, {**NAMED, "quoted": True}]),
)
def test_any_text_is_an_ontology_or_an_error_of_ours(
    rows: list[list[str]],
    separator: str,
    end: str,
    table: Table,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    text = end.join(separator.join(row) for row in rows)
    folder = tmp_path_factory.getbasetemp()
    said = str(folder / "table-0.txt")
    try:
        ontology = read([text], [table], folder, empty_classes="drop", unknown="drop")
        members = {member for cls in ontology.classes for member in cls.members}
        assert members == set(ontology.individuals)
    except SourceError as error:
        said = str(error)
    assert str(folder / "table-0.txt") in said
