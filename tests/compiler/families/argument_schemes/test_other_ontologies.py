"""Other ontologies need no Python: a spec with other queries and other words is enough."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sorites.families.argument_schemes.plan import read_plan
from sorites.pipeline import check_spec, compile_spec, prove_again
from sorites.progress import Silent
from sorites.specfile.reader import read
from tests.small_spec import SCHEMES, small_spec

VOCABULARY: dict[str, dict[str, Any]] = {
    "diseases": {
        "class": 'the group "{name}"',
        "individual": 'the disease "{name}"',
        "member": {"singular": "disease", "plural": "diseases"},
        "asserted": "it is true that {sentence}",
        "denied": "it is false that {sentence}",
    },
    "pathways": {
        "class": 'the pathway "{name}"',
        "individual": "gene {name}",
        "member": {"singular": "gene", "plural": "genes"},
        "asserted": "it is true that {sentence}",
        "denied": "it is false that {sentence}",
    },
}


def spec_over(
    folder: Path, name: str, files: Sequence[Path], queries: Mapping[str, Any], words: str
) -> Path:
    """The small spec over other files, which a mirror holds."""

    def change(data: dict[str, Any]) -> None:
        data.update(name=name, title=f"Syllogisms over {name}", vocabulary=VOCABULARY[words])
        data["sources"] = {
            f"source-{number}": {
                "url": f"https://localhost/{path.name}",
                "version": "1",
                "license": "cc0-1.0",
                "attribution": "see the file",
                "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            }
            for number, path in enumerate(files)
        }
        data["ontology"] = {
            "format": "rdf",
            "syntax": "xml",
            "files": list(data["sources"]),
            "empty_classes": "drop",
            **queries,
        }
        data["items"] |= {"arguments": 10, "distractors": 1}
        del data["items"]["synthetic_names"]

    return small_spec(folder, change)


@pytest.mark.parametrize(
    ("name", "queries", "pattern", "words"),
    [
        ("do-cancer", "do-cancer-ontology.yaml", "ontologies/DO_cancer_slim.owl", "diseases"),
        ("biopax", "biopax-ontology.yaml", "reactome/biopax/*.owl", "pathways"),
    ],
)
def test_items_over_another_ontology(
    name: str,
    queries: str,
    pattern: str,
    words: str,
    shared_data: Path,
    root: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    files = sorted(shared_data.glob(pattern))
    assert files
    asked = read(root / "tests" / "specs" / queries).data
    assert isinstance(asked, Mapping)
    monkeypatch.setenv("SORITES_SOURCES", str(files[0].parent))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = spec_over(tmp_path / "spec", name, files, asked, words)
    folder = compile_spec(path, tmp_path / "out", workers=1, progress=Silent())
    prove_again(folder)
    rows = pq.read_table(folder / "data/items/test-00000-of-00001.parquet").to_pylist()
    assert len(rows) > 60
    assert {(row["scheme"], row["variant"]) for row in rows} == {*SCHEMES}
    assert {row["verdict"] for row in rows} == {"entailed", "undetermined"}
    noun = VOCABULARY[words]["member"]["singular"]
    text = " ".join(row["conclusion"] for row in rows)
    assert f"every {noun} in the " in text
    record = json.loads((folder / "release.json").read_bytes())
    assert set(record["sources"]) == {f"source-{number}" for number in range(len(files))}
    # What a sentence says of a real individual is so in the files.
    spec = check_spec(path)
    plan, _ = read_plan(spec)
    ontology = plan.ontology.read(dict(zip(spec.sources, files, strict=True)))
    members = {entry.id: entry.members for entry in ontology.classes}
    for row in rows:
        bound = {entry["symbol"]: entry["id"] for entry in row["bindings"]}
        for formula in row["premise_formulas"]:
            if formula == "F(a)":
                assert bound["a"] in members[bound["F"]]
