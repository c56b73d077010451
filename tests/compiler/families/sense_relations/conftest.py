"""The sample spec and its lexicon, as WN-LMF and as a database of Cygnet's schema."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sorites.engines.serial import Serial
from sorites.families.sense_relations import build
from sorites.progress import Silent
from sorites.release.content import Content
from sorites.sources.lexicons.lexicon import Lexicon
from sorites.specfile.load import load_document
from sorites.specfile.model import Spec
from sorites.specfile.reader import read_text

LANGUAGES = ("en", "el", "ro", "tr", "ja")

Edit = Callable[..., Spec]

_SCHEMA = """
CREATE TABLE relation_types (rowid INTEGER PRIMARY KEY, type TEXT NOT NULL UNIQUE);
CREATE TABLE languages (rowid INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE);
CREATE TABLE synsets (rowid INTEGER PRIMARY KEY, ili TEXT, pos TEXT NOT NULL);
CREATE TABLE entries (rowid INTEGER PRIMARY KEY, language_rowid INTEGER, pos TEXT);
CREATE TABLE forms (rowid INTEGER PRIMARY KEY, entry_rowid INTEGER, form TEXT, rank INTEGER);
CREATE TABLE senses (rowid INTEGER PRIMARY KEY, entry_rowid INTEGER, synset_rowid INTEGER);
CREATE TABLE definitions
    (rowid INTEGER PRIMARY KEY, synset_rowid INTEGER, definition TEXT, language_rowid INTEGER);
CREATE TABLE synset_relations
    (rowid INTEGER PRIMARY KEY, source_rowid INTEGER, target_rowid INTEGER, type_rowid INTEGER);
CREATE TABLE sense_relations
    (rowid INTEGER PRIMARY KEY, source_rowid INTEGER, target_rowid INTEGER, type_rowid INTEGER);
"""
_POS = {"n": "NOUN", "v": "VERB", "a": "ADJ"}
_EARLIER = {
    "hypernym": "class_hypernym",
    "hyponym": "class_hyponym",
    "holo_part": "part_holonym",
    "mero_part": "part_meronym",
    "holo_member": "member_holonym",
    "mero_member": "member_meronym",
    "holo_substance": "substance_holonym",
    "mero_substance": "substance_meronym",
    "is_entailed_by": "entailed_by",
    "is_caused_by": "caused_by",
}


@pytest.fixture(scope="session")
def sample_spec(root: Path) -> Path:
    return root / "specs" / "sample" / "gloss-relations.yaml"


@pytest.fixture(scope="session")
def sample_lexicon(root: Path) -> Path:
    return root / "specs" / "sample" / "five-languages.xml"


@pytest.fixture
def edited(sample_spec: Path) -> Edit:
    """Loads the sample spec with some of its text replaced: ``edited(old, new, old, new, …)``."""

    def edit(*changes: str) -> Spec:
        text = sample_spec.read_text(encoding="utf-8")
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            assert old in text
            text = text.replace(old, new)
        return load_document(read_text(text, sample_spec), sample_spec)

    return edit


@pytest.fixture(scope="session")
def sample_content(sample_spec: Path, sample_lexicon: Path) -> Content:
    spec = load_document(
        read_text(sample_spec.read_text(encoding="utf-8"), sample_spec), sample_spec
    )
    return build(spec, {"lexicon": sample_lexicon}, engine=Serial(), progress=Silent())


@pytest.fixture(params=["today", "earlier"])
def sample_database(request: pytest.FixtureRequest, tmp_path: Path, sample_lexicon: Path) -> Path:
    """The sample lexicon as a database, with today's or the earlier names of relation types."""
    names: Mapping[str, str] = _EARLIER if request.param == "earlier" else {}
    path = tmp_path / "sample.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(_SCHEMA)
        _fill(connection, ElementTree.parse(sample_lexicon).getroot(), names)
        connection.commit()
    return path


def _fill(
    connection: sqlite3.Connection, resource: ElementTree.Element, names: Mapping[str, str]
) -> None:
    ilis: dict[str, int] = {}
    rows: dict[str, int] = {}
    relations: list[tuple[str, str, str, str]] = []
    for language, lexicon in enumerate(resource.iter("Lexicon"), 1):
        connection.execute(
            "INSERT INTO languages VALUES (?, ?)", (language, lexicon.get("language"))
        )
        for synset in lexicon.iter("Synset"):
            ili = synset.attrib["ili"]
            if ili not in ilis:
                ilis[ili] = len(ilis) + 1
                connection.execute(
                    "INSERT INTO synsets VALUES (?, ?, ?)",
                    (ilis[ili], ili, _POS[synset.attrib["partOfSpeech"]]),
                )
            rows[synset.attrib["id"]] = ilis[ili]
            for definition in synset.iter("Definition"):
                connection.execute(
                    "INSERT INTO definitions VALUES (NULL, ?, ?, ?)",
                    (ilis[ili], definition.text, language),
                )
            relations += [
                (
                    "synset_relations",
                    synset.attrib["id"],
                    each.attrib["target"],
                    each.attrib["relType"],
                )
                for each in synset.iter("SynsetRelation")
            ]
        for entry in lexicon.iter("LexicalEntry"):
            identity = connection.execute("INSERT INTO entries VALUES (NULL, ?, '')", (language,))
            lemma = entry.find("Lemma")
            assert lemma is not None
            connection.execute(
                "INSERT INTO forms VALUES (NULL, ?, ?, 0)",
                (identity.lastrowid, lemma.get("writtenForm")),
            )
            for sense in entry.iter("Sense"):
                cursor = connection.execute(
                    "INSERT INTO senses VALUES (NULL, ?, ?)",
                    (identity.lastrowid, rows[sense.attrib["synset"]]),
                )
                assert cursor.lastrowid is not None
                rows[sense.attrib["id"]] = cursor.lastrowid
                relations += [
                    (
                        "sense_relations",
                        sense.attrib["id"],
                        each.attrib["target"],
                        each.attrib["relType"],
                    )
                    for each in sense.iter("SenseRelation")
                ]
    types = {name: number for number, name in enumerate(sorted({each[3] for each in relations}), 1)}
    connection.executemany(
        "INSERT INTO relation_types VALUES (?, ?)",
        [(number, names.get(name, name)) for name, number in types.items()],
    )
    for table, source, target, name in relations:
        connection.execute(
            f"INSERT INTO {table} VALUES (NULL, ?, ?, ?)", (rows[source], rows[target], types[name])
        )


@pytest.fixture
def lexicon() -> Lexicon:
    """Six concepts in two languages, with a little of everything."""
    return Lexicon(
        pos={"i1": "NOUN", "i2": "NOUN", "i3": "NOUN", "i4": "VERB", "i5": "VERB", "i10": "NOUN"},
        glosses={
            "en": {
                "i1": "kept as a pet",
                "i2": "a living being",
                "i3": "the back end of a body",
                "i4": "to go up",
                "i5": "to go down",
            },
            "tr": {
                "i1": "evcil etobur",
                "i2": "canlı varlık",
                "i3": "arka uç",
                "i4": "yukarı gitmek",
                "i5": "yukarı gitmek",
            },
        },
        lemmas={
            "en": {"i1": ("dog", "pet"), "i2": ("animal",), "i3": ("tail",), "i4": ("rise",)},
            "tr": {"i1": ("köpek",), "i2": ("hayvan",), "i3": ("kuyruk",), "i4": ("çıkmak",)},
        },
        forms={"en": {"i2": ("being",)}, "tr": {}},
        synset_relations={
            "hypernym": frozenset(
                {("i1", "i2"), ("i10", "i2"), ("i2", "i2"), ("i4", "i5"), ("i5", "i4")}
            ),
            "mero_part": frozenset({("i1", "i3")}),
            "antonym": frozenset({("i1", "i3")}),
        },
        sense_relations={"antonym": frozenset({("i5", "i4"), ("i4", "i5")})},
        wordnets=(),
    )
