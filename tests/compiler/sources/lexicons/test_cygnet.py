from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.sources.lexicons.cygnet import EARLIER_NAMES, read_cygnet, read_cygnet_coverage

SCHEMA = """
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
CONTENT = """
INSERT INTO languages VALUES (1, 'en'), (2, 'el'), (3, 'sv');
INSERT INTO relation_types VALUES (1, 'hypernym'), (2, 'antonym'), (3, 'holo_part');
INSERT INTO synsets VALUES (1, 'i1', 'NOUN'), (2, 'i2', 'NOUN'), (3, NULL, 'NOUN');
INSERT INTO entries VALUES (1, 1, 'NOUN'), (2, 2, 'NOUN');
INSERT INTO forms VALUES (1, 1, 'dog', 0), (2, 1, 'dogs', 1), (3, 2, 'ζώο', 0);
INSERT INTO senses VALUES (1, 1, 1), (2, 2, 2);
INSERT INTO definitions VALUES
    (1, 1, 'kept as a pet', 1), (2, 2, 'alive', 1), (3, 2, 'ζωντανό', 2), (4, 1, ' ', 2),
    (5, 3, 'without an ILI', 1);
INSERT INTO synset_relations VALUES (1, 1, 2, 1), (2, 1, 3, 1), (3, 1, 2, 3);
INSERT INTO sense_relations VALUES (1, 1, 2, 2);
"""


def database(folder: Path, script: str = "", schema: str = SCHEMA) -> Path:
    path = folder / "cygnet.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(schema)
        if schema == SCHEMA:
            connection.executescript(CONTENT)
        connection.executescript(script)
        connection.commit()
    return path


def refusal(path: Path, languages: tuple[str, ...] = ("en", "el")) -> str:
    with pytest.raises(SourceError) as caught:
        read_cygnet(path, languages)
    return str(caught.value)


def test_tables_become_a_lexicon(tmp_path: Path) -> None:
    found = read_cygnet(database(tmp_path), ("en", "el"))
    assert found.pos == {"i1": "NOUN", "i2": "NOUN"}
    assert found.glosses == {"en": {"i1": "kept as a pet", "i2": "alive"}, "el": {"i2": "ζωντανό"}}
    assert found.lemmas == {"en": {}, "el": {"i2": ("ζώο",)}}
    assert found.synset_relations == {
        "hypernym": frozenset({("i1", "i2")}),
        "holo_part": frozenset({("i1", "i2")}),
    }
    assert found.sense_relations == {"antonym": frozenset({("i1", "i2")})}
    assert found.synsets_without_ili == 1
    assert found.wordnets == ()


def test_words_are_read_for_what_is_glossed_in_every_language(tmp_path: Path) -> None:
    found = read_cygnet(database(tmp_path), ("en",))
    assert found.lemmas == {"en": {"i1": ("dog",)}}
    assert found.forms == {"en": {"i1": ("dogs",)}}


def test_the_first_releases_names_are_read_as_todays(tmp_path: Path) -> None:
    today = read_cygnet(database(tmp_path), ("en", "el"))
    (tmp_path / "cygnet.db").unlink()
    earlier = database(
        tmp_path,
        "UPDATE relation_types SET type = 'class_hypernym' WHERE type = 'hypernym';"
        "UPDATE relation_types SET type = 'part_holonym' WHERE type = 'holo_part';",
    )
    assert read_cygnet(earlier, ("en", "el")) == today


def test_no_two_earlier_names_mean_the_same() -> None:
    assert len(set(EARLIER_NAMES.values())) == len(EARLIER_NAMES)


def test_resources_are_named_where_there_are_some(tmp_path: Path) -> None:
    path = database(
        tmp_path,
        "CREATE TABLE resources (rowid INTEGER PRIMARY KEY, code TEXT, version TEXT, label TEXT,"
        " language_rowid INTEGER, url TEXT, licence TEXT);"
        "INSERT INTO resources VALUES (1, 'oewn', '2025', 'OEWN', 1, 'https://e.org', 'CC BY 4.0'),"
        " (2, 'swe', NULL, NULL, 3, NULL, NULL);",
    )
    (found,) = read_cygnet(path, ("en", "el")).wordnets
    assert (found.id, found.version, found.language, found.license, found.url) == (
        "oewn", "2025", "en", "CC BY 4.0", "https://e.org",
    )  # fmt: skip


def test_nothing_is_written_to_the_file_or_beside_it(tmp_path: Path) -> None:
    path = database(tmp_path)
    before = path.read_bytes()
    path.chmod(0o444)
    read_cygnet(path, ("en", "el"))
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["cygnet.db"]


def test_a_name_with_signs_of_a_uri_is_only_a_name(tmp_path: Path) -> None:
    path = database(tmp_path).rename(tmp_path / "a?mode=rwc#%41.db")
    assert read_cygnet(path, ("en",)).pos == {"i1": "NOUN", "i2": "NOUN"}


def test_coverage_counts_synsets_by_language(tmp_path: Path) -> None:
    assert read_cygnet_coverage(database(tmp_path)) == {
        frozenset({"en"}): 2,
        frozenset({"en", "el"}): 1,
    }


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cygnet.db"
    path.write_text("<?xml version='1.0'?>")
    assert refusal(path) == (
        "cygnet.db: is not an SQLite database; a lexicon of the format `cygnet` is Cygnet's "
        "cygnet.db (for an XML lexicon, use the format `wn-lmf`)"
    )


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path, schema="CREATE TABLE words (word TEXT);")
    assert refusal(path) == (
        "cygnet.db: is an SQLite database, but not Cygnet's: it has no table 'languages'; take "
        "cygnet.db from a release of Cygnet"
    )


def test_a_table_without_a_column_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path, "ALTER TABLE synsets DROP COLUMN ili;")
    assert refusal(path) == (
        "cygnet.db: is an SQLite database, but not Cygnet's: its table 'synsets' has no column "
        "'ili'; take cygnet.db from a release of Cygnet"
    )


def test_a_view_in_place_of_a_table_is_refused(tmp_path: Path) -> None:
    endless = "WITH RECURSIVE n(ili) AS (SELECT 1 UNION ALL SELECT ili + 1 FROM n)"
    path = database(
        tmp_path,
        f"DROP TABLE synsets; CREATE VIEW synsets AS {endless} SELECT ili, 'NOUN' AS pos FROM n;",
    )
    assert refusal(path) == (
        "cygnet.db: is an SQLite database, but not Cygnet's: it has no table 'synsets'; take "
        "cygnet.db from a release of Cygnet"
    )


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path)
    path.write_bytes(path.read_bytes()[:4096])
    assert refusal(path).startswith("cygnet.db: cannot be read as an SQLite database: ")


def test_text_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    path = database(
        tmp_path, "UPDATE definitions SET definition = CAST(x'ff41' AS TEXT) WHERE rowid = 1;"
    )
    assert refusal(path).startswith(
        "cygnet.db: cannot be read as an SQLite database: Could not decode"
    )


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.db") == "none.db: cannot be read: No such file or directory"


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "INSERT INTO senses VALUES (3, 1, 99);",
            "sense '3' belongs to synset '99', which does not exist; the lexicon is incomplete: "
            "fetch it again, or mend it",
        ),
        (
            "INSERT INTO senses VALUES (3, 99, 1);",
            "sense '3' belongs to entry '99', which does not exist; the lexicon is incomplete: "
            "fetch it again, or mend it",
        ),
        (
            "INSERT INTO definitions VALUES (6, 1, 'a pet', 1);",
            "ILI 'i1' has two glosses in 'en', 'kept as a pet' and 'a pet'; a synset has one gloss "
            "a language: remove one of the two",
        ),
        (
            "INSERT INTO synsets VALUES (4, 'i2', 'NOUN');",
            "ILI 'i2' is used by two synsets, '2' and '4'; an ILI stands for one concept: merge "
            "the synsets, or correct one of the two",
        ),
    ],
)
def test_bad_content_is_named(tmp_path: Path, script: str, message: str) -> None:
    assert refusal(database(tmp_path, script)) == f"cygnet.db: {message}"


@pytest.mark.parametrize("language", ["sv", "de"])
def test_a_language_without_glosses(tmp_path: Path, language: str) -> None:
    assert refusal(database(tmp_path), ("en", language)) == (
        f"cygnet.db: no synset has a gloss in '{language}'; languages with glosses: el (1), "
        "en (3); correct `languages`, or add a wordnet of that language"
    )
