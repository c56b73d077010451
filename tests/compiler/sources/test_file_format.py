"""A file's format, told by its first bytes; names of files say nothing."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.sources.file_format import file_format

RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
LMF = '<LexicalResource><Lexicon id="a"/></LexicalResource>'
DTD = '<!DOCTYPE LexicalResource SYSTEM "https://globalwordnet.github.io/schemas/WN-LMF-1.3.dtd">'

FORMATS = {
    b"SQLite format 3\x00 and more": "SQLite database",
    b"PAR1 and more": "Parquet",
    b"\x80\x81": "no text",
    b"": "empty",
    b" \n": "empty",
    b"format-version: 1.2\n": "OBO",
    b"\xef\xbb\xbfformat-version: 1.2\n": "OBO",
    b"! a remark\nformat-version: 1.4\n": "OBO",
    b"!gaf-version: 2.2\nUniProtKB\tA\n": "GAF",
    b'{ "graphs" : []}': "obographs JSON",
    b'{"@context": {}}': "JSON-LD",
    b'{"a": 1}\n{"a": 2}\n': "JSON Lines",
    b'{\n"a": 1\n}': "JSON",
    b"# a remark\nPrefix(:=<https://x.example/>)\n": "OWL in functional syntax",
    b"@prefix : <https://x.example/> .\n": "Turtle",
    b"# a remark\nPREFIX : <https://x.example/>\n": "Turtle",
    b"<https://x.example/a> <https://x.example/b> 1 .\n": "N-Triples",
    RDF.encode(): "RDF/XML",
    f'<?xml version="1.0"?>\n<!-- a remark -->\n{RDF}'.encode(): "RDF/XML",
    f'<!DOCTYPE rdf:RDF [<!ENTITY a "https://x.example/">]>\n{RDF}'.encode(): (
        "RDF/XML with a DOCTYPE"
    ),
    b'<?xml version="1.0"?><Ontology xmlns="http://www.w3.org/2002/07/owl#"/>': "OWL/XML",
    f"{DTD}{LMF}".encode(): "WN-LMF 1.3",
    f'<?xml version="1.0"?>{LMF}'.encode(): "WN-LMF",
    b'<?xml version="1.0"?><html/>': "XML (html)",
    b'<?xml version="1.0"?><a:b xmlns:a="x"/>': "XML (a:b)",
    b'<?xml version="1.0"?>': "XML",
    b"a\tb\n1\t2\n": "tab-separated table",
    b"a;b\n1;2\n": "semicolon-separated table",
    b"a,b\n1,2\n": "comma-separated table",
    b"A\tR-1\tx\nB\tR-2\tx\ty\nC\tR-3\tx\n": "gene sets or another ragged tab-separated table",
    b"nothing in particular": "text",
}


@pytest.mark.parametrize("content", FORMATS)
def test_a_format_is_told_by_the_start(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    assert file_format(path) == FORMATS[content]


def test_a_character_that_is_cut_is_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * ((1 << 16) - 1) + "ä".encode())
    assert file_format(path) == "text"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"^none: cannot be read: No such file"):
        file_format(tmp_path / "none")


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("ontologies/DO_cancer_slim.owl", "RDF/XML"),
        ("ontologies/DO_FlyBase_slim.obo", "OBO"),
        ("ontologies/DO_GXD_slim.json", "obographs JSON"),
        ("ontologies/ACTUSTaxonomy.rdf", "RDF/XML with a DOCTYPE"),
        ("wordnet/fixture-mini-lmf.xml", "WN-LMF 1.4"),
        ("wordnet/cygnet-like-core.db.xz", "SQLite database"),
        ("reactome/ReactomePathwaysRelation.txt", "tab-separated table"),
        ("sick/SICK.txt", "tab-separated table"),
        ("audit/folio-validation.jsonl", "JSON Lines"),
    ],
)
def test_real_files(name: str, format: str, shared_data: Path, tmp_path: Path) -> None:
    path = shared_data / name
    if path.suffix == ".xz":
        with lzma.open(path) as packed:
            (tmp_path / "start").write_bytes(packed.read(1 << 16))
        path = tmp_path / "start"
    assert file_format(path) == format
