"""Every spec of the gallery compiles, on a small slice that was written for this test."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from sorites.pipeline import check_spec, compile_spec, prove_again
from sorites.progress import Silent
from sorites.specfile.reader import read

GALLERY = Path(__file__).resolve().parents[2] / "specs" / "gallery"

GROUPS = {
    "puppet trouble": None,
    "joint trouble": "puppet trouble",
    "paint trouble": "puppet trouble",
    "string trouble": "puppet trouble",
    "wood trouble": "puppet trouble",
    "knee trouble": "joint trouble",
    "elbow trouble": "joint trouble",
    "face paint trouble": "paint trouble",
    "upper string trouble": "string trouble",
}
"""Groups of what can be wrong with a puppet, each with the group above it."""

FINDINGS = {
    "creaking knee": ["knee trouble", "wood trouble"],
    "loose knee": ["knee trouble"],
    "swollen knee": ["knee trouble", "wood trouble"],
    "stiff elbow": ["elbow trouble"],
    "split elbow": ["elbow trouble", "wood trouble"],
    "painted-over elbow": ["elbow trouble", "paint trouble"],
    "faded cheek": ["face paint trouble"],
    "flaking nose": ["face paint trouble", "wood trouble"],
    "smudged eye": ["face paint trouble"],
    "dull varnish": ["paint trouble"],
    "torn head string": ["upper string trouble"],
    "knotted hand string": ["upper string trouble", "joint trouble"],
    "slack foot string": ["string trouble"],
    "frayed knee string": ["string trouble", "knee trouble"],
    "woodworm": ["wood trouble"],
    "cracked back": ["wood trouble"],
}
"""What is wrong, and the groups that it belongs to: the leaves."""


def _ids() -> dict[str, str]:
    return {name: f"P:{number:03}" for number, name in enumerate([*GROUPS, *FINDINGS])}


def _edges() -> Iterator[tuple[str, str]]:
    yield from ((name, above) for name, above in GROUPS.items() if above)
    yield from ((name, above) for name, several in FINDINGS.items() for above in several)


def obo() -> str:
    ids = _ids()
    terms = []
    for name, identity in ids.items():
        above = [f"is_a: {ids[upper]}" for lower, upper in _edges() if lower == name]
        terms.append("\n".join(["[Term]", f"id: {identity}", f"name: {name}", *above]))
    return "\n\n".join(["format-version: 1.2\ndata-version: 2026-07-31", *terms]) + "\n"


def owl() -> str:
    ids = _ids()
    place = "https://example.org/puppets#"
    classes = []
    for name, identity in ids.items():
        about = place + identity.replace(":", "_")
        above = [
            f'<rdfs:subClassOf rdf:resource="{place}{ids[upper].replace(":", "_")}"/>'
            for lower, upper in _edges()
            if lower == name
        ]
        classes.append(
            f'<owl:Class rdf:about="{about}"><oio:id>{identity}</oio:id>'
            f"<rdfs:label>{name}</rdfs:label>{''.join(above)}</owl:Class>"
        )
    return (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"'
        ' xmlns:owl="http://www.w3.org/2002/07/owl#"'
        ' xmlns:oio="http://www.geneontology.org/formats/oboInOwl#">'
        f"{''.join(classes)}</rdf:RDF>"
    )


def wordnet() -> str:
    sample = GALLERY.parent / "sample" / "five-languages.xml"
    return sample.read_text(encoding="utf-8")


SLICES = {
    "aristotles-moods": ("puppets.obo", obo, {"arguments": 2, "distractors": 1}),
    "cancers": ("puppets.owl", owl, {"arguments": 3, "distractors": 1}),
    "english-wordnet": ("five-languages.xml", wordnet, None),
}


def test_every_spec_of_the_gallery_has_a_slice() -> None:
    assert {path.stem for path in GALLERY.glob("*.yaml")} == {*SLICES}


@pytest.mark.parametrize("name", SLICES)
def test_it_is_valid(name: str) -> None:
    check_spec(GALLERY / f"{name}.yaml")


@pytest.mark.parametrize("name", SLICES)
def test_it_compiles_on_a_slice_and_is_proved_again(name: str, tmp_path: Path) -> None:
    file, text, items = SLICES[name]
    data: Any = copy.deepcopy(read(GALLERY / f"{name}.yaml").data)
    content = text().encode()
    (tmp_path / file).write_bytes(content)
    for pin in data["sources"].values():
        del pin["url"]
        pin.update(file=file, sha256=hashlib.sha256(content).hexdigest())
    if items is not None:
        data["items"] = items
    path = tmp_path / "slice.yaml"
    path.write_text(json.dumps(data), encoding="utf-8")
    folder = compile_spec(path, tmp_path / "out", workers=2, progress=Silent())
    prove_again(folder)
    rows = sum(pq.read_metadata(part).num_rows for part in folder.glob("data/*/t*.parquet"))
    assert rows > 20
