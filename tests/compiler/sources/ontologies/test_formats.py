from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from sorites.sources.ontologies.formats import FORMATS


def test_the_schema_knows_the_formats_of_the_table_and_their_fields(root: Path) -> None:
    path = root / "specs" / "schemas" / "argument-schemes.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    described = {
        entry["properties"]["format"]["const"]: entry
        for entry in schema["properties"]["ontology"]["anyOf"][1]["anyOf"]
    }
    assert described.keys() == FORMATS.keys()
    for name, record in FORMATS.items():
        fields = {field.partition(".")[0] for field in record.source_fields}
        known = {"format", *fields, *record.query_fields}
        required = set(described[name]["required"])
        # A field of sources that need not be given is there, too.
        assert required <= known <= described[name]["properties"].keys()


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_goes_to_a_worker(name: str) -> None:
    """With the plan that names it, as every engine sends it to other processes."""
    again = pickle.loads(pickle.dumps(FORMATS[name]))
    assert again.name == name
    assert again.source_fields == FORMATS[name].source_fields


def test_the_sources_of_a_section_come_with_their_places() -> None:
    section = {"format": "rdf", "files": ["one", "two"]}
    assert [*FORMATS["rdf"].sources(section)] == [(("files", 0), "one"), (("files", 1), "two")]
    section = {"format": "reactome", "members": "genes", "hierarchy": "tree"}
    assert [*FORMATS["reactome"].sources(section)] == [
        (("members",), "genes"),
        (("hierarchy",), "tree"),
    ]
    section = {
        "format": "table",
        "tables": [{"files": ["one", "two"]}, {"files": ["three"]}],
        "classes": {"file": "four", "format": "obo"},
    }
    assert [*FORMATS["table"].sources(section)] == [
        (("tables", 0, "files", 0), "one"),
        (("tables", 0, "files", 1), "two"),
        (("tables", 1, "files", 0), "three"),
        (("classes", "file"), "four"),
    ]
    del section["classes"]
    assert [*FORMATS["table"].sources(section)][-1] == (("tables", 1, "files", 0), "three")
