"""Lexicons as their publishers ship them: a real package with the relations of another lexicon."""

from __future__ import annotations

import json
import lzma
from hashlib import sha256
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest

from sorites import api
from sorites.families.sense_relations.languages import LanguageSet
from sorites.families.sense_relations.source_languages import source_languages
from sorites.sources.lexicons.cygnet import read_cygnet

SPEC = """
kind: sense-relations
name: bulgarian-relations
version: 1.0.0
title: Sense relations from Bulgarian glosses
summary: Pairs of Bulgarian definitions of related senses.
license: cc-by-sa-4.0
languages: [bg]
seed: 1
sources:
  package:
    url: https://mirror.invalid/omw-bg.tar.xz
    version: "2.0"
    license: cc-by-3.0
    attribution: BulTreeBank
    sha256: 51858926e8839c5ce3e453d930ea65fbda06313e21f7f2e1a7aaefe45168a94c
    max_bytes: 10000000
  relations:
    file: relations.xml
    version: "1"
    license: cc-by-4.0
    attribution: Open English WordNet
    sha256: {sha256}
    max_bytes: 10000000
lexicon:
  format: wn-lmf
  sources: [package, relations]
  glosses: {policy}
  wordnets:
    - {{name: BulTreeBank WordNet, languages: [bg], license: cc-by-3.0}}
relations:
  hypernymy: {{label: HYP, inverse: HPO, synset_types: [hypernym]}}
  holonymy: {{label: HOL, inverse: MER, synset_types: [holo_part, holo_member, holo_substance]}}
  antonymy: {{label: ANT, synset_types: [antonym]}}
filters:
  - filter: glosses
  - {{filter: identical-glosses, compare: folded}}
  - filter: lexicalisation
  - filter: part-of-speech
  - filter: one-relation
tasks: {{file: {tasks}}}
"""


def relations_of(core: Path, folder: Path) -> Path:
    """The relations of the core database between nameless synsets: a lexicon without glosses."""
    lexicon = read_cygnet(core, ["en"])
    ilis = sorted(lexicon.pos)
    related: dict[str, list[str]] = {ili: [] for ili in ilis}
    for name in ("hypernym", "holo_part", "holo_member", "holo_substance", "antonym"):
        for source, target in sorted(lexicon.synset_relations[name]):
            related[source].append(f'<SynsetRelation relType="{name}" target="x-{target}"/>')
    synsets = "".join(
        f'<Synset id="x-{ili}" ili={quoteattr(ili)} partOfSpeech="{lexicon.pos[ili][0].lower()}">'
        f"{''.join(related[ili])}</Synset>\n"
        for ili in ilis
    )
    path = folder / "relations.xml"
    path.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE LexicalResource SYSTEM '
        '"http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">\n'
        '<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">'
        '<Lexicon id="x" label="x" language="en" email="x@example.org" license="x" version="1">\n'
        f"{synsets}</Lexicon></LexicalResource>\n",
        encoding="utf-8",
    )
    return path


def test_a_real_package_is_read(shared_data: Path) -> None:
    found = source_languages([shared_data / "wordnet" / "omw-bg.tar.xz"], at_least=1, synsets=1)
    assert found == [LanguageSet(("bg",), 4959)]


@pytest.mark.slow
def test_a_real_package_compiles_with_the_relations_of_another_lexicon(
    shared_data: Path, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = tmp_path / "core.db"
    core.write_bytes(
        lzma.decompress((shared_data / "wordnet" / "cygnet-like-core.db.xz").read_bytes())
    )
    path = relations_of(core, tmp_path)
    monkeypatch.setenv("SORITES_SOURCES", str(shared_data))
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SORITES_OFFLINE", "1")
    tasks = root / "specs" / "senses" / "tasks.yaml"
    (tmp_path / "tasks.yaml").write_text(tasks.read_text(encoding="utf-8"), encoding="utf-8")
    spec = tmp_path / "bulgarian.yaml"
    spec.write_text(
        SPEC.format(
            sha256=sha256(path.read_bytes()).hexdigest(), policy="join", tasks="tasks.yaml"
        ),
        encoding="utf-8",
    )
    release = api.compile(spec, tmp_path / "out")
    api.verify(release)
    audit = json.loads((release / "audit.json").read_text(encoding="utf-8"))
    repeated = audit["repeated"]["glosses"]
    assert (repeated["policy"], repeated["concepts"]) == ("join", 10)
    assert repeated["examples"][0].startswith("i41323 (bg): Задължение на човек да отговаря")
    assert audit["synsets"]["glossed in every language"] == 4959
    assert audit["kept"] == {
        "hypernymy": {"NOUN": 600, "VERB": 104},
        "holonymy": {"NOUN": 173},
        "antonymy": {"ADJ": 6, "NOUN": 12, "VERB": 17},
    }
