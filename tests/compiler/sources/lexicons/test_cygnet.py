from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sorites.errors import SourceError
from sorites.sources.lexicons import database as sqlite_database
from sorites.sources.lexicons.cygnet import EARLIER_NAMES, read_cygnet, read_cygnet_coverage
from sorites.sources.lexicons.policies import Policies, Repeats

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
    ],
)
def test_bad_content_is_named(tmp_path: Path, script: str, message: str) -> None:
    assert refusal(database(tmp_path, script)) == f"cygnet.db: {message}"


@pytest.mark.parametrize("language", ["sv", "de"])
def test_a_language_without_glosses(tmp_path: Path, language: str) -> None:
    assert refusal(database(tmp_path), ("en", language)) == (
        f"cygnet.db: no synset has a gloss in '{language}'; languages with glosses: el (1), "
        "en (2); correct `languages`, or add a wordnet of that language"
    )


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "UPDATE definitions SET definition = x'00ff' WHERE rowid = 2",
            "table 'definitions', row 2, column 'definition': its value is of the type BLOB, not "
            "TEXT",
        ),
        (
            "UPDATE forms SET form = NULL WHERE rowid = 3",
            "table 'forms', row 3, column 'form': its value is NULL, not TEXT",
        ),
        (
            "UPDATE senses SET synset_rowid = 'one' WHERE rowid = 1",
            "table 'senses', row 1, column 'synset_rowid': its value is of the type TEXT, not "
            "INTEGER",
        ),
        (
            "UPDATE synset_relations SET type_rowid = 1.5 WHERE rowid = 1",
            "table 'synset_relations', row 1, column 'type_rowid': its value is of the type REAL, "
            "not INTEGER",
        ),
        (
            "UPDATE languages SET code = x'656e' WHERE rowid = 1",
            "table 'languages', row 1, column 'code': its value is of the type BLOB, not TEXT",
        ),
    ],
)
def test_a_value_of_another_type_is_named(tmp_path: Path, script: str, message: str) -> None:
    # The columns of a stranger's file need not have the types of Cygnet's.
    loose = SCHEMA.replace(" NOT NULL", "")
    path = database(tmp_path, CONTENT + script, schema=loose)
    assert refusal(path) == f"cygnet.db: {message}; the database is damaged: fetch it again"


@pytest.mark.parametrize(
    ("table", "definition", "fault"),
    [
        (
            "synsets",
            "(rowid TEXT PRIMARY KEY, ili TEXT, pos TEXT)",
            "the column 'rowid' of its table 'synsets' is no INTEGER PRIMARY KEY",
        ),
        (
            "synsets",
            "(rowid INTEGER, ili TEXT, pos TEXT)",
            "the column 'rowid' of its table 'synsets' is no INTEGER PRIMARY KEY",
        ),
        (
            "synsets",
            "(rowid INTEGER PRIMARY KEY, ili TEXT, pos TEXT AS (ili || ili))",
            "the column 'pos' of its table 'synsets' is computed",
        ),
    ],
)
def test_a_table_that_is_not_what_it_seems(
    tmp_path: Path, table: str, definition: str, fault: str
) -> None:
    path = database(tmp_path, f"DROP TABLE {table}; CREATE TABLE {table} {definition};")
    assert refusal(path) == (
        f"cygnet.db: is an SQLite database, but not Cygnet's: {fault}; take cygnet.db from a "
        "release of Cygnet"
    )


def test_an_endless_view_of_resources_is_not_read(tmp_path: Path) -> None:
    columns = "code, version, label, language_rowid, url, licence"
    path = database(
        tmp_path,
        f"CREATE VIEW resources ({columns}) AS WITH RECURSIVE n(i) AS "
        "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 'a', 'b', 'c', i, 'd', 'e' FROM n;",
    )
    assert refusal(path) == (
        "cygnet.db: is an SQLite database, but not Cygnet's: it has no table 'resources'; take "
        "cygnet.db from a release of Cygnet"
    )


def test_senses_and_forms_that_multiply_are_counted_before_they_are_joined(tmp_path: Path) -> None:
    many = "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT {})"
    path = database(
        tmp_path,
        f"INSERT INTO forms {many.format(20_000)} SELECT i, 1, 'form' || i, 1 FROM n;"
        f"INSERT INTO senses {many.format(300)} SELECT i, 1, 1 FROM n;",
    )
    assert refusal(path, ("en",)) == (
        "cygnet.db: its senses and forms multiply to 6,020,603 words; the entry in row 1 has 301 "
        "senses and 20,002 forms; the lexicon is damaged: fetch it again, or mend it"
    )


def test_work_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_database, "_STEPS_AT_LEAST", 0)
    monkeypatch.setattr(sqlite_database, "_STEPS_FOR_EACH_BYTE", 0)
    monkeypatch.setattr(sqlite_database, "_STEPS_BETWEEN_CHECKS", 10)
    assert refusal(database(tmp_path)) == (
        "cygnet.db: reading it takes more work than a database of its size can need; fetch the "
        "file again"
    )


def test_a_repeated_gloss_and_a_repeated_ili(tmp_path: Path) -> None:
    path = database(
        tmp_path,
        "INSERT INTO definitions VALUES (6, 1, 'a pet', 1);"
        "INSERT INTO synsets VALUES (4, 'i2', 'NOUN');",
    )
    found = read_cygnet(path, ("en", "el"))
    assert found.glosses["en"] == {"i1": "kept as a pet", "i2": "alive"}
    assert found.repeated_glosses == Repeats(1, ("i1 (en): kept as a pet | a pet",))
    assert found.repeated_ilis == Repeats(1, ("i2: 2, 4",))
    joined = read_cygnet(path, ("en", "el"), Policies(glosses="join"))
    assert joined.glosses["en"]["i1"] == "kept as a pet; a pet"


def test_codes_of_one_language_and_its_variants_are_one(tmp_path: Path) -> None:
    path = database(tmp_path, "UPDATE languages SET code = 'ell-GR' WHERE code = 'el'")
    assert read_cygnet(path, ("en", "el")).glosses["el"] == {"i2": "ζωντανό"}
    assert frozenset({"en", "el-GR"}) in read_cygnet_coverage(path)
