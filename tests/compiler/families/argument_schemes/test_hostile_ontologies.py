"""Hostile queries, ontologies, tables and archives: each a clear error, and nothing is written.

No clock decides: what would take for ever is refused by a rule that counts, and what no rule
foresees is ended in its own process when it has had its share of computing (here one second).
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from sorites.errors import SoritesError
from sorites.pipeline import compile_spec
from sorites.progress import Silent
from sorites.sources.ontologies import ontology, rdf, rdf_graph, table_rows, unknown_classes
from tests.small_spec import small_spec

P = "https://x.example/"
PREFIX = f"PREFIX : <{P}> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
QUERIES = {
    "classes": PREFIX + "SELECT ?class ?name { ?class a :Class ; rdfs:label ?name }",
    "hierarchy": PREFIX + "SELECT ?child ?parent { ?child :below ?parent }",
    "members": PREFIX + "SELECT ?class ?member { ?class :has ?member }",
}
START = f"@prefix : <{P}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
TURTLE = START + ':a a :Class ; rdfs:label "A" ; :has "x" .\n:b :below :a .\n'
MANY = START + "".join(
    f':a{i} a :Class ; rdfs:label "A {i}" ; :has "x{i}" .\n' for i in range(5000)
)
TABLE = {"files": ["s0"], "columns": {"name": 1, "members": 2}}
RDF_XML = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'


@dataclass(frozen=True)
class Case:
    """``files`` by name are the sources s0, s1, …; ``said`` is what the error must match."""

    said: str
    files: Mapping[str, bytes | str]
    section: Mapping[str, Any]
    bounds: Mapping[tuple[Any, str], int] = field(default_factory=dict)
    pin: Mapping[str, Any] = field(default_factory=dict)


def query(said: str, members: str, data: str = TURTLE, **bounds: int) -> Case:
    """A query for members, over Turtle."""
    places = {"_MOST_ROWS": rdf_graph, "_MOST_TRIED": rdf_graph, "SECONDS": rdf}
    return Case(
        rf"small\.yaml:\d+:\d+: .*{said}",
        {"it.ttl": data},
        {"format": "rdf", "files": ["s0"], **QUERIES, "members": PREFIX + members},
        {(places[name], name): value for name, value in bounds.items()},
    )


def pattern(said: str, text: str) -> Case:
    return query(said, f"SELECT ?class ?member {{ ?class :has ?member FILTER({text}) }}")


def file(said: str, name: str, content: bytes | str, **more: Any) -> Case:
    """A file of RDF under the usual queries."""
    return Case(said, {name: content}, {"format": "rdf", "files": ["s0"], **QUERIES, **more})


def table(said: str, content: str | bytes, *, bounds: Any = (), **more: Any) -> Case:
    section = {"format": "table", "tables": [{**TABLE, **more}]}
    return Case(said, {"it.tsv": content}, section, dict(bounds))


def graph(said: str, name: str, content: str | bytes) -> Case:
    return Case(
        said, {name: content}, {"format": "obo" if ".obo" in name else "obographs", "file": "s0"}
    )


def tar(*members: tuple[str, bytes, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, kind, data in members:
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(data), "/etc/passwd"
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, TURTLE)
    return out.getvalue()


BOTH = "SELECT ?class ?member { ?class :has ?member . "
CHAIN = " ".join(f"BIND(CONCAT(STR(?v{i}), STR(?v{i})) AS ?v{i + 1})" for i in range(40))
CODED = " ".join(f"BIND(ENCODE_FOR_URI(STR(?v{i})) AS ?v{i + 1})" for i in range(40))
JOINS = "no variable joins these patterns"
REPEATS = "repeats a group that holds a repetition or an alternative"
DEEP = "".join(f"C{i}\tC{i + 1}\tm{i}\n" for i in range(300))
HUB = "".join(f"A{i}\thub\nhub\tB{i}\n" for i in range(50))

CASES: dict[str, Case] = {
    # Queries whose work is a product.
    "three free patterns": query(JOINS, BOTH + "?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"),
    "free patterns of EXISTS": query(JOINS, BOTH + "FILTER EXISTS { ?a ?b ?c . ?d ?e ?f } }"),
    "free patterns of NOT EXISTS": query(
        JOINS, BOTH + "FILTER(BOUND(?class) && NOT EXISTS { ?a ?b ?c . ?d ?e ?f }) }"
    ),
    "free patterns of a side": query(JOINS, BOTH + "{ ?a ?b ?c . ?d ?e ?f } UNION { ?a ?b 1 } }"),
    "free patterns of MINUS": query(JOINS, BOTH + "MINUS { ?class ?b ?c . ?d ?e ?f . ?g ?h ?i } }"),
    "free patterns of OPTIONAL": query(JOINS, BOTH + "OPTIONAL { ?a ?b ?c . ?d ?e ?f } }"),
    "free SELECTs": query(JOINS, BOTH + "{ SELECT ?a { ?a ?b ?c } } { SELECT ?d { ?d ?e ?f } } }"),
    "anonymous free patterns": query(JOINS, BOTH + "[] ?b [] . [] ?e [] }"),
    "patterns of the data": query(
        r"25,000,000 combinations or more; at most 20,000,000", BOTH + "?a :has ?b }", MANY
    ),
    "SELECTs of the data": query(
        r"25,000,000 combinations or more;", BOTH + "{ SELECT ?b { ?b a :Class } } }", MANY
    ),
    # Queries whose work no rule foresees, and rows.
    "a predicate that joins all": query(
        r"it takes more than 1 seconds of computing",
        "SELECT ?class ?member { ?class :has ?member . ?a ?p ?class, ?b . ?c ?p ?d . ?e ?p ?f "
        "FILTER(?a = ?f && ?b = ?e && ?c = ?b && ?d = ?a) }",
        MANY + "".join(f":a{i} :below :a{i + 1} .\n" for i in range(4999)),
        SECONDS=1,
    ),
    "rows": query(r"more than 5 results", BOTH + "}", MANY, _MOST_ROWS=5),
    "rows that repeat": query(
        r"or 50 with repetitions",
        "SELECT ?class ?member { :a1 :has ?m . :a1 a ?class . ?a a ?class . :a2 :has ?member }",
        MANY,
        _MOST_TRIED=50,
    ),
    # Patterns and texts.
    "nested repetition": pattern(REPEATS, 'REGEX(?member, "^(a+)+$")'),
    "alternatives repeated": pattern(REPEATS, 'REGEX(?member, "^(a|aa)+$", "i")'),
    "nothing repeated": pattern(REPEATS, 'REGEX(?member, "(a?){30}a{30}")'),
    "repetition in a group of groups": pattern(REPEATS, 'REGEX(?member, "((?:[)]a*))*b")'),
    "repetitions one by one": pattern("more than 10 repetitions", f'REGEX(?member, "{"a?" * 30}")'),
    "a repetition of many": pattern("1,000 times", 'REGEX(?member, "a{65000}")'),
    "a reference": pattern("not every engine reads alike", 'REGEX(?member, "(a)\\\\1")'),
    "look-ahead": pattern("not every engine reads alike", 'REGEX(?member, "(?=a)b")'),
    "flags of one engine": pattern("every engine knows", 'REGEX(?member, "a", "x")'),
    "a pattern of the data": pattern("must be written out", "REGEX(?member, ?class)"),
    "a pattern that is none": pattern("not a regular expression", 'REGEX(?member, "(")'),
    "a pattern of REPLACE": pattern(REPEATS, 'REPLACE(?member, "(a*)*b", "") = "x"'),
    "texts doubled": query("times as long", BOTH + f"BIND(?member AS ?v0) {CHAIN} }}"),
    "texts coded": query("times as long", BOTH + f"BIND(?member AS ?v0) {CODED} }}"),
    "texts doubled by SELECT": query(
        "times as long",
        f"SELECT ?class (CONCAT({', '.join(['?d'] * 40)}) AS ?member) "
        f"{{ SELECT ?class (CONCAT({', '.join(['?m'] * 40)}) AS ?d) {{ ?class :has ?m }} }}",
    ),
    # Queries that are none.
    "another's data": query(
        "SERVICE is not allowed",
        f"SELECT ?class ?member WHERE {{ SERVICE <{P}q> {{ ?class ?p ?member }} }}",
    ),
    "a query of chance": query("RAND is not allowed", BOTH + "FILTER(RAND() < 0.5) }"),
    "a query without end": query("nested too deeply|not SPARQL", BOTH + "{" * 3000 + "}" * 3001),
    # RDF.
    "entities": file(
        r"it\.owl:1: .*DOCTYPE",
        "it.owl",
        '<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + RDF_XML + "&b;</rdf:RDF>",
    ),
    "an entity of a file": file(
        r"DOCTYPE", "it.owl", '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><a>&a;</a>'
    ),
    "a context elsewhere": file(
        "would be fetched", "it.jsonld", '{"@context": "https://x.example"}'
    ),
    "JSON nested for ever": file("not JSON|nested", "it.jsonld", "[" * 100_000),
    "Turtle nested for ever": file(
        r"it\.ttl: (nested too deeply|not RDF)", "it.ttl", START + ":a :b " + "[ :b " * 20_000
    ),
    "bytes that are no text": file(r"not RDF", "it.ttl", b"\x80\x81\x82"),
    "a cycle": file(
        "cycle", "it.ttl", TURTLE + ':b a :Class ; rdfs:label "B" ; :has "y" . :a :below :b .'
    ),
    "markup in a name": file(
        "markup", "it.ttl", TURTLE.replace('"A"', '"<script>"'), unknown="drop"
    ),
    "a name that turns": file(
        r"U\+202E", "it.ttl", TURTLE.replace('"A"', '"A\u202e"'), unknown="drop"
    ),
    # OBO, obographs.
    "a cycle of terms": graph(
        "cycle",
        "it.obo",
        "format-version: 1.2\n"
        + "".join(f"[Term]\nid: {child}\nis_a: {parent}\n" for child, parent in ("ab", "ba", "ca")),
    ),
    "a graph nested for ever": graph("not JSON", "it.json", '{"graphs":' * 100_000),
    "a graph of numbers": graph("not a list", "it.json", '{"graphs": [{"nodes": 1}]}'),
    # Tables.
    "a NUL": table(r"it\.tsv:2:2: the control character U\+0000", "A\tx\nB\0\ty\n"),
    "a line that never ends": table(
        r"it\.tsv:1: the line is longer than 100",
        "A" * 200,
        bounds={(table_rows, "LONGEST_LINE"): 100}.items(),
    ),
    "a quote that never ends": table(
        r"it\.tsv:3: the quotes are not right", 'A\t"x\nB\ty\nC\tz\n', quoted=True
    ),
    "columns that tell no class": table(
        r"small\.yaml:\d+:\d+: ontology\.tables\[0\]\.columns: no column tells the class",
        "A\tx\n",
        columns={"members": 1},
    ),
    "a pattern for cells": table(
        r"it\.tsv:1: the pattern .* takes too long",
        "a" * 60 + "\tx\n",
        columns={"name": {"column": 1, "pattern": "(a|aa)+b"}, "members": 2},
    ),
    "a path of many steps": table(
        r"it\.tsv:1: the path has more than 1,000 steps",
        "a>" * 1001 + "a\tx\n",
        columns={"path": {"column": 1, "split": ">"}, "members": 2},
    ),
    "members of a deep hierarchy": table(
        r"takes more than 10,000 steps",
        DEEP,
        columns={"class": 1, "parents": 2, "members": 3},
        bounds={(ontology, "_MOST_STEPS"): 10_000}.items(),
    ),
    "classes under a class that nothing describes": Case(
        r"leaving out unknown classes takes more than 1,000 steps",
        {"names.tsv": "".join(f"A{i}\tm\nB{i}\tm\n" for i in range(50)), "it.tsv": HUB},
        {
            "format": "table",
            "tables": [TABLE, {"files": ["s1"], "columns": {"class": 1, "parents": 2}}],
            "unknown": "drop",
        },
        {(unknown_classes, "MOST_STEPS"): 1_000},
    ),
    "a table that is an archive": table("control character|not UTF-8", zipped("a")),
    # Archives.
    "a way out of the folder": file(
        "leads out of its folder", "it.tar.gz", tar(("../a.xml", b"0", b"x"))
    ),
    "a link": file("not a plain file", "it.tar.gz", tar(("a.xml", tarfile.SYMTYPE, b""))),
    "a device": file("not a plain file", "it.tar.gz", tar(("a.xml", tarfile.CHRTYPE, b""))),
    "a download cut short": file(
        "cut short|damaged|not", "it.ttl.gz", gzip.compress(TURTLE.encode())[:40]
    ),
    "a file that swells": replace(
        file("than the 1,000 bytes|more than|larger", "it.ttl.gz", gzip.compress(bytes(1 << 20))),
        pin={"max_bytes": 1_000},
    ),
    "two files in one": file("one", "it.ttl.zip", zipped("a.ttl", "b.ttl")),
    "no archive": file("damaged archive", "it.ttl.gz", b"this is none"),
}


def content_of(content: bytes, name: str) -> bytes:
    """What the checksum is of: the content of an archive, if it has one."""
    try:
        return gzip.decompress(content) if name.endswith(".gz") else content
    except (OSError, EOFError):
        return content


@pytest.mark.parametrize("name", CASES)
def test_hostile_input_is_a_clear_error_and_nothing_is_written(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = CASES[name]
    monkeypatch.setenv("SORITES_SOURCES", str(tmp_path / "sources"))
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SORITES_OFFLINE", "1")
    for (place, bound), value in case.bounds.items():
        monkeypatch.setattr(place, bound, value)
    (tmp_path / "sources").mkdir()
    contents = {
        key: value if isinstance(value, bytes) else value.encode()
        for key, value in case.files.items()
    }
    for key, value in contents.items():
        (tmp_path / "sources" / key).write_bytes(value)

    def change(data: dict[str, Any]) -> None:
        data["sources"] = {
            f"s{index}": {
                "url": f"https://x.example/{key}",
                "version": "1",
                "license": "cc0-1.0",
                "attribution": "made up",
                "sha256": hashlib.sha256(content_of(value, key)).hexdigest(),
                **case.pin,
            }
            for index, (key, value) in enumerate(contents.items())
        }
        data["ontology"] = dict(case.section)

    spec = small_spec(tmp_path / "spec", change)
    before = {path: path.read_bytes() for path in (tmp_path / "spec").rglob("*") if path.is_file()}
    with pytest.raises(SoritesError) as caught:
        compile_spec(spec, tmp_path / "out", workers=1, progress=Silent())
    assert re.search(case.said, str(caught.value)), str(caught.value)
    assert not (tmp_path / "out").exists()
    after = {path: path.read_bytes() for path in (tmp_path / "spec").rglob("*") if path.is_file()}
    assert after == before
