"""What `sorites check --sources` says of sources: its figures are those of a compile."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import sorites
from sorites.cli.app import app
from sorites.families.description import Table
from sorites.specfile.reader import read
from tests.samples import SAMPLES, compiled
from tests.small_spec import small_spec

SAMPLE = Path(__file__).resolve().parents[2] / "specs" / "sample"


def told(check: sorites.SourceCheck, title: str) -> dict[Any, Any]:
    """The rows of a table by their first cell."""
    (found,) = [table for table in check.tables if table.title == title]
    return {row[0]: row[1] if len(row) == 2 else row[1:] for row in found.rows}


def spec_of(folder: Path, kind: str, **changes: Any) -> Path:
    """A sample as one file beside its sources, with sections replaced."""
    data = json.loads(json.dumps(read(SAMPLE / f"{kind}.yaml").data))
    for key, value in changes.items():
        data[key] = value(data.get(key)) if callable(value) else value
    folder.mkdir(parents=True, exist_ok=True)
    for pin in data["sources"].values():
        if (SAMPLE / pin["file"]).is_file():
            (folder / pin["file"]).write_bytes((SAMPLE / pin["file"]).read_bytes())
    path = folder / "spec.yaml"
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")
    return path


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_is_described_within_the_width_of_a_terminal(path: Path) -> None:
    result = CliRunner().invoke(app, ["check", "--sources", str(path)])
    assert result.exit_code == 0, result.output
    tables = [line for line in result.stdout.splitlines() if line.startswith(("┃", "│"))]
    named = bool(sorites.check(path).sources)
    assert bool(tables) == named
    assert max(map(len, tables), default=0) <= 80
    assert re.search(r"^read in \d+\.\d s", result.stdout, re.MULTILINE)


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))
    path = small_spec(tmp_path / "spec")
    before = {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")}
    assert sorites.check_sources(str(path)).problems == ()
    assert {each: each.stat().st_mtime_ns for each in tmp_path.rglob("*")} == before


def test_an_ontology_in_figures(tmp_path: Path) -> None:
    check = sorites.check_sources(small_spec(tmp_path))
    assert check.spec.name == "small"
    assert (check.problems, check.warnings) == ((), ())
    assert told(check, "Sources") == {"pathways": ("Turtle", "0.0", "")}
    release = sorites.compile(small_spec(tmp_path), tmp_path / "out")
    audit = json.loads((release / "audit.json").read_text(encoding="utf-8"))["ontology"]
    found = told(check, "Ontology")
    assert found["classes with members"] == audit["classes"]
    assert found["individuals"] == audit["individuals"]
    assert found["distinct sets of members"] == audit["distinct_member_sets"]
    levels = told(check, "Levels of the hierarchy")
    assert sum(classes for classes, _ in levels.values()) == audit["classes"]
    assert levels["0"][1] == audit["individuals"]
    (schemes,) = [table for table in check.tables if table.title == "Schemes"]
    assert [row[:2] for row in schemes.rows] == [
        (entry["scheme"], entry["variant"])
        for entry in read(tmp_path / "small.yaml").data["schemes"]  # type: ignore[index,call-overload]
    ]


FEW = """
@prefix : <https://sorites.example/vocabulary#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Pathway ; rdfs:label "Alpha" ; :hasMember "x", "y" . :b a :Pathway ; rdfs:label "Beta" ;
 :hasMember "x", "z" . :c a :Pathway ; rdfs:label "Gamma" ; :hasMember "w" .
:empty a :Pathway ; rdfs:label "Nothing" . :d a :Pathway ; rdfs:label "beta" ; :hasMember "v" .
"""


def few(folder: Path, text: str = FEW, **ontology: Any) -> Path:
    queries = {
        "classes": "SELECT ?class ?name { ?class a v:Pathway ; r:label ?name }",
        "hierarchy": "SELECT ?child ?parent { ?child v:partOf ?parent }",
        "members": "SELECT ?class ?member { ?class v:hasMember ?member }",
    }
    prefixes = (
        "PREFIX v: <https://sorites.example/vocabulary#> "
        "PREFIX r: <http://www.w3.org/2000/01/rdf-schema#> "
    )

    def change(data: dict[str, Any]) -> None:
        data["ontology"] = {
            "format": "rdf",
            "files": ["pathways"],
            **{role: prefixes + text for role, text in queries.items()},
            **ontology,
        }

    return small_spec(folder, change, ontology=lambda _: text)


def test_what_policies_leave_out_is_counted_with_examples(tmp_path: Path) -> None:
    check = sorites.check_sources(few(tmp_path, empty_classes="drop"))
    assert told(check, "Left out or passed over") == {
        "classes that share a name": (2, "Beta, beta"),
        "classes without members": (1, "Nothing"),
    }


def test_schemes_that_cannot_be_filled_are_named_where_they_stand(tmp_path: Path) -> None:
    check = sorites.check_sources(few(tmp_path, empty_classes="drop"))
    counts = {row[0]: row[2] for row in _table(check, "Schemes").rows}
    assert counts["generalized modus ponens"] == "0"
    if check.problems:
        (problem,) = check.problems
        assert problem.path == "schemes"
    else:
        paths = [warning.path for warning in check.warnings]
        assert "schemes[0]" in paths
        first = check.warnings[0]
        assert first.message == (
            "the ontology has 0 bindings over distinct sets of members for generalized modus "
            "ponens, base; 8 pairs are asked for"
        )
        assert (first.file, first.column) == (str(tmp_path / "small.yaml"), 3)


def _table(check: sorites.SourceCheck, title: str) -> Table:
    (found,) = [table for table in check.tables if table.title == title]
    return found


ONE = (
    FEW.replace(':hasMember "x", "z"', ':hasMember "x", "y"')
    .replace(':hasMember "w"', ':hasMember "x", "y"')
    .replace(':hasMember "v"', ':hasMember "x", "y"')
)


def test_an_ontology_that_fills_no_scheme_is_a_problem_as_in_a_compile(tmp_path: Path) -> None:
    path = few(tmp_path, ONE, empty_classes="drop")
    check = sorites.check_sources(path)
    (problem,) = check.problems
    said = "the ontology has no binding for any scheme: the classes are too few or too alike"
    assert (problem.message, problem.path, check.warnings) == (said, "schemes", ())
    with pytest.raises(sorites.SoritesError, match=f"^{said}"):
        sorites.compile(path, tmp_path / "out")


def test_an_ontology_that_cannot_be_read_is_a_problem_of_its_section(tmp_path: Path) -> None:
    path = few(tmp_path)
    check = sorites.check_sources(path)
    (problem,) = check.problems
    with pytest.raises(sorites.SourceError) as caught:
        sorites.compile(path, tmp_path / "out")
    assert (problem.message, problem.path) == (str(caught.value), "ontology")
    assert "1 of 5 classes have no members: Nothing." in problem.message
    # What was found before the fault is told all the same.
    assert [table.title for table in check.tables] == ["Sources"]


def test_sources_that_are_not_there_or_another_are_told_all_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SORITES_SOURCES", "SORITES_CACHE"):
        monkeypatch.setenv(name, str(tmp_path))

    def change(data: dict[str, Any]) -> None:
        data["sources"]["pathways"]["sha256"] = "0" * 64
        data["sources"]["other"] = {
            **data["sources"]["pathways"],
            "url": "https://x.example/93/other.gmt",
        }
        del data["sources"]["other"]["file"]

    check = sorites.check_sources(small_spec(tmp_path / "spec", change))
    wrong, missing = check.problems
    assert (wrong.path, missing.path) == ("sources.pathways", "sources.other")
    assert wrong.message.startswith("source pathways: wrong checksum: ")
    assert missing.message == (
        f"source other: other.gmt is neither below SORITES_SOURCES ({tmp_path}) nor in the cache "
        f"({tmp_path}). Put the file into a folder and name that folder in SORITES_SOURCES, or let "
        "it be fetched: sorites pin SPEC --source other"
    )
    assert check.tables == ()


def test_a_source_that_nobody_has_hashed_is_described(tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["sources"]["pathways"]["sha256"] = None

    check = sorites.check_sources(small_spec(tmp_path, change))
    assert check.problems == ()
    assert told(check, "Ontology")["individuals"] > 10


def test_a_lexicon_in_figures(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = SAMPLE / "gloss-relations.yaml"
    check = sorites.check_sources(path)
    assert (check.problems, check.warnings) == ((), ())
    release = compiled(path, tmp_path_factory)
    audit = json.loads((release / "audit.json").read_text(encoding="utf-8"))
    found = told(check, "Lexicon")
    assert (
        found["of them, glossed in every language"]
        == (audit["synsets"]["glossed in every language"])
    )
    for language, figures in told(check, "Languages").items():
        assert figures[0] >= audit["glosses"][language]["glosses"] > 0
    relations = told(check, "Relations")
    for name, (had, kept, used) in relations.items():
        assert had == audit["relations"][name]["pairs in the lexicon"]
        assert kept == sum(audit["kept"][name].values())
        assert 0 < used <= kept
    assert (
        sum(used for _, _, used in relations.values())
        == sum(kept for _, kept, _ in relations.values()) - audit["taken out for the exemplars"]
    )
    steps = [(row[0], row[1], row[2]) for row in _table(check, "Filters").rows]
    assert steps == [(e["filter"], e["before"], e["dropped"]) for e in audit["filters"]]


def test_relations_without_pairs_are_told_all_at_once(tmp_path: Path) -> None:
    def change(relations: dict[str, Any]) -> dict[str, Any]:
        return {
            name: relation
            if name == "hypernymy"
            else {key: text for key, text in relation.items() if not key.endswith("_types")}
            | {"synset_types": ["exemplifies"]}
            for name, relation in relations.items()
        }

    check = sorites.check_sources(spec_of(tmp_path, "gloss-relations", relations=change))
    names = [name for name in told(check, "Relations") if name != "hypernymy"]
    assert len(names) > 1
    assert [problem.path for problem in check.problems] == [f"relations.{name}" for name in names]
    for name, problem in zip(names, check.problems, strict=True):
        start = f"five-languages.xml: has no relation of the types of '{name}' (exemplifies); "
        assert problem.message.startswith(start)
    assert told(check, "Relations")["hypernymy"][0] > 0


def test_a_filter_that_drops_all_of_a_relation_is_named(tmp_path: Path) -> None:
    filters = [{"filter": "glosses"}, {"filter": "length", "characters": 1_000}]
    check = sorites.check_sources(spec_of(tmp_path, "gloss-relations", filters=filters))
    data = read(SAMPLE / "gloss-relations.yaml").data
    assert [problem.path for problem in check.problems] == [
        f"relations.{name}"
        for name in data["relations"]  # type: ignore[index,call-overload]
    ]
    assert re.fullmatch(
        r"none of its \d+ pairs is left: the filter 'length' dropped the last \d+",
        check.problems[0].message,
    )
    with pytest.raises(sorites.SoritesError, match="the filter 'length' dropped the last"):
        sorites.compile(tmp_path / "spec.yaml", tmp_path / "out")


def test_a_language_without_glosses_is_a_problem_of_the_lexicon(tmp_path: Path) -> None:
    def more(languages: list[str]) -> list[str]:
        return [*languages, "mt"]

    path = spec_of(
        tmp_path,
        "gloss-relations",
        languages=more,
        lexicon=lambda found: {
            **found,
            "wordnets": [
                {**found["wordnets"][0], "languages": ["en", "el", "ro", "tr", "ja", "mt"]}
            ],
        },
    )
    (problem,) = sorites.check_sources(path).problems
    assert problem.path == "lexicon"
    assert "no synset has a gloss in 'mt'" in problem.message


def test_pairs_and_judgements_in_figures() -> None:
    check = sorites.check_sources(SAMPLE / "veridical-transitivity.yaml")
    assert (check.problems, check.warnings) == ((), ())
    lines = (SAMPLE / "sentence-pairs.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert sum(told(check, "Pairs").values()) == len(lines)
    fit = told(check, "Pairs that can be embedded")
    assert set(fit) == {"yes", "unk"}
    assert sum(pairs for pairs, _ in fit.values()) <= len(lines)
    check = sorites.check_sources(SAMPLE / "verb-environments.yaml")
    rows = (SAMPLE / "verb-ratings.tsv").read_text(encoding="utf-8").splitlines()[1:]
    (judged,) = _table(check, "Judgements").rows
    assert judged[:2] == ("veridical", len(rows))
    assert judged[3] + judged[4] == len(rows)  # type: ignore[operator]


def test_too_few_pairs_are_a_problem_where_their_number_stands(tmp_path: Path) -> None:
    def more(section: dict[str, Any]) -> dict[str, Any]:
        return {**section, "pairs": 5000}

    check = sorites.check_sources(spec_of(tmp_path, "veridical-transitivity", naturalistic=more))
    (problem,) = check.problems
    assert problem.path == "naturalistic.pairs"
    assert "the source has too few that can be embedded" in problem.message
    assert told(check, "Pairs that can be embedded")


def test_rows_of_an_audit_in_figures() -> None:
    check = sorites.check_sources(SAMPLE / "village-arguments.yaml")
    assert check.problems == ()
    counts: Counter[str] = Counter()
    for split, (rows, _, _) in told(check, "Splits").items():
        lines = (SAMPLE / f"village-arguments-{split}.jsonl").read_text().splitlines()
        assert rows == len(lines)
        counts.update(json.loads(line)["label"] for line in lines)
    assert {label: rows for label, (rows, _) in told(check, "Labels").items()} == counts


def test_gene_sets_in_another_order_are_described(tmp_path: Path) -> None:
    """GMT whose first column is the id: no code, a description of the columns."""
    sets = {"Puppets": "abcdef", "Marionettes": "abcd", "Hand puppets": "ef", "Old ones": "acef"}
    content = "".join(
        f"P-{number}\t{name}\t" + "\t".join(members) + "\n"
        for number, (name, members) in enumerate(sets.items())
    )

    def change(data: dict[str, Any]) -> None:
        data["ontology"] = {
            "format": "table",
            "tables": [
                {
                    "files": ["pathways"],
                    "columns": {"class": 1, "name": 2, "members": {"column": 3, "rest": True}},
                }
            ],
        }

    check = sorites.check_sources(small_spec(tmp_path, change, ontology=lambda _: content))
    (source,) = _table(check, "Sources").rows
    assert source[1] == "gene sets or another ragged tab-separated table"
    found = told(check, "Ontology")
    assert (found["read as"], found["classes with members"], found["individuals"]) == (
        "table",
        4,
        6,
    )


def test_pairs_in_json_lines_are_described(tmp_path: Path) -> None:
    header, *lines = (SAMPLE / "sentence-pairs.tsv").read_text(encoding="utf-8").splitlines()
    content = "".join(
        json.dumps(dict(zip(header.split("\t"), line.split("\t"), strict=True))) + "\n"
        for line in lines
    )

    def source(sources: Mapping[str, Any]) -> dict[str, Any]:
        digest = hashlib.sha256(content.encode()).hexdigest()
        return {"pairs": {**sources["pairs"], "file": "pairs.jsonl", "sha256": digest}}

    def section(found: dict[str, Any]) -> dict[str, Any]:
        return {**found, "format": "jsonl"}

    (tmp_path / "pairs.jsonl").write_text(content, encoding="utf-8")
    path = spec_of(tmp_path, "veridical-transitivity", sources=source, naturalistic=section)
    check, usual = (
        sorites.check_sources(each) for each in (path, SAMPLE / "veridical-transitivity.yaml")
    )
    assert _table(check, "Sources").rows[0][1] == "JSON Lines"
    assert told(check, "Columns of the pairs") == {4: "id, premise, hypothesis, label"}
    # All but how the file is written.
    assert check.tables[2:] == usual.tables[2:]
    assert check.problems == ()


def test_an_escape_of_a_stranger_never_reaches_the_terminal(tmp_path: Path) -> None:
    rows = [
        {"id": 1, "premises": ["All cats run."], "conclusion": "Tom runs.", "label": "\x1b[31mred"}
    ]
    content = "".join(json.dumps(row) + "\n" for row in rows)

    def source(sources: Mapping[str, Any]) -> dict[str, Any]:
        (first, *_) = sources.values()
        digest = hashlib.sha256(content.encode()).hexdigest()
        return {"only": {**first, "file": "village-arguments-test.jsonl", "sha256": digest}}

    def data(section: dict[str, Any]) -> dict[str, Any]:
        return {**section, "splits": {"test": "only"}}

    path = spec_of(tmp_path, "village-arguments", sources=source, data=data)
    (tmp_path / "village-arguments-test.jsonl").write_text(content, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", "--sources", str(path)])
    assert "\x1b" not in result.output
    assert "<U+001B>[31mred" in result.output


def test_faults_of_sources_are_shown_as_those_of_specs(tmp_path: Path) -> None:
    path = few(tmp_path)
    result = CliRunner().invoke(app, ["check", "--sources", str(path)])
    assert result.exit_code == 1
    assert re.search(rf"^{path}:\d+:\d+: ontology: ", result.stderr, re.MULTILINE)
    assert result.stderr.endswith(f"{path}: 1 problem\n")
    assert CliRunner().invoke(app, ["check", str(path)]).exit_code == 0
