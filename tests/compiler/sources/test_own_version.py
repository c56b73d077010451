"""The version that a source gives itself, in each format that has a place for it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from sorites.errors import SourceWarning
from sorites.sources.own_version import agree, own_version, version_fault, warn_of_versions
from sorites.specfile.model import SourcePin

PIN = SourcePin("it", "2026-07-31", "cc0-1.0", "made up", None)
OWL = "http://purl.obolibrary.org/obo/x/releases/2026-07-31/x.owl"


@pytest.mark.parametrize(
    ("text", "version"),
    [
        (
            "format-version: 1.2\ndata-version: x/releases/2026-07-31\n\n[Term]\n",
            "x/releases/2026-07-31",
        ),
        ("\ufeffformat-version: 1.2\r\ndata-version: 7\r\n", "7"),
        # What stands in a term is not the header's.
        ("format-version: 1.2\n\n[Term]\nid: a\ndata-version: 9\n", None),
        (f'<owl:Ontology rdf:about="a">\n <owl:versionIRI rdf:resource="{OWL}"/>', OWL),
        (f"<https://x.example/> a owl:Ontology ;\n  owl:versionIRI <{OWL}> .", OWL),
        ('<owl:versionInfo rdf:datatype="s">release 12</owl:versionInfo>', "release 12"),
        ('<> owl:versionInfo "release 12" .', "release 12"),
        ('{ "graphs" : [ {\n"id": "x", "meta": { "version": "r/2026-07-31" }', "r/2026-07-31"),
        ('<Lexicon id="x" version="2.0" label="y">', "2.0"),
        # A version without a number tells nothing, and another's word is none.
        ('<owl:versionIRI rdf:resource="https://x.example/latest/"/>', None),
        ("the version: 12", None),
        ("", None),
    ],
)
def test_where_a_version_stands(text: str, version: str | None, tmp_path: Path) -> None:
    (tmp_path / "it").write_text(text, encoding="utf-8", newline="")
    assert own_version(tmp_path / "it") == version


@pytest.mark.parametrize(
    ("spec", "own", "same"),
    [
        ("2026-07-31", OWL, True),
        ("2026-08-31", OWL, False),
        ("1.4", "1.4", True),
        ("v1.4", "1.4", True),
        ("1.4", "1.4.0", True),
        ("1.4", "2.0", False),
        ("2026", "1.4", False),
        # A month is its number.
        ("2026-7-31", OWL, True),
        # Without a number there is nothing to compare.
        ("latest", "1.4", True),
    ],
)
def test_versions_that_may_be_one(spec: str, own: str, same: bool) -> None:
    assert agree(spec, own) is agree(own, spec) is same


def test_what_differs_is_told(tmp_path: Path) -> None:
    path = tmp_path / "it.obo"
    path.write_text("format-version: 1.2\ndata-version: 2026-06-30\x1b[31m\n")
    assert version_fault(PIN, path) == (
        "source it: the spec says version '2026-07-31', and the file says "
        "'2026-06-30<U+001B>[31m'. Write the version that it is, or name the address of the other"
    )
    with pytest.warns(SourceWarning, match="source it: the spec says version"):
        warn_of_versions({"it": PIN}, {"it": path})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_versions({"it": replace(PIN, version="2026-06-30")}, {"it": path})


def test_real_files(shared_data: Path) -> None:
    folder = shared_data / "ontologies"
    for name in ("DO_cancer_slim.owl", "DO_FlyBase_slim.obo", "DO_GXD_slim.json"):
        assert version_fault(PIN, folder / name) is None
        assert version_fault(replace(PIN, version="2026-06-30"), folder / name) is not None
    assert own_version(folder / "ACTUSTaxonomy.rdf") is None
    assert own_version(shared_data / "wordnet" / "fixture-mini-lmf.xml") == "1"
