"""Cygnet's SQLite database, read with one query a table.

Cygnet (Maudslay and Bond, 2026) merges the wordnets of some forty languages over the
Collaborative Interlingual Index. The names of its relation types differ between its releases;
both spellings are read as their WN-LMF names.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from sorites.errors import SourceError
from sorites.sources.lexicons.lexicon import Lexicon, LexiconRows, Wordnet, build_lexicon, file_name

__all__ = ["EARLIER_NAMES", "read_cygnet", "read_cygnet_coverage"]

_MAGIC = b"SQLite format 3\x00"
_LONGEST_VALUE = 1_000_000  # bytes; the longest gloss of any wordnet is far below

_COLUMNS: Mapping[str, frozenset[str]] = {
    "languages": frozenset({"code"}),
    "relation_types": frozenset({"type"}),
    "synsets": frozenset({"ili", "pos"}),
    "entries": frozenset({"language_rowid"}),
    "forms": frozenset({"entry_rowid", "form", "rank"}),
    "senses": frozenset({"entry_rowid", "synset_rowid"}),
    "definitions": frozenset({"synset_rowid", "definition", "language_rowid"}),
    "synset_relations": frozenset({"source_rowid", "target_rowid", "type_rowid"}),
    "sense_relations": frozenset({"source_rowid", "target_rowid", "type_rowid"}),
}

EARLIER_NAMES: Mapping[str, str] = {
    "class_hypernym": "hypernym",
    "class_hyponym": "hyponym",
    "part_meronym": "mero_part",
    "part_holonym": "holo_part",
    "member_meronym": "mero_member",
    "member_holonym": "holo_member",
    "substance_meronym": "mero_substance",
    "substance_holonym": "holo_substance",
    "entailed_by": "is_entailed_by",
    "caused_by": "is_caused_by",
    "opposite": "antonym",
    "agent_of_action": "agent",
    "patient_of_action": "patient",
    "result_of_action": "result",
    "instrument_of_action": "instrument",
    "instrument_of_agent": "co_agent_instrument",
    "result_of_agent": "co_agent_result",
    "patient_of_agent": "co_agent_patient",
    "instrument_of_patient": "co_patient_instrument",
    "instrument_of_result": "co_result_instrument",
}
"""The names of relation types in Cygnet's first releases, and the WN-LMF names of today's."""


def read_cygnet(path: Path, languages: Sequence[str]) -> Lexicon:
    """Read the concepts of a Cygnet database with glosses and words in the given languages.

    The file is opened read-only and immutable: nothing is written beside it. ``languages`` are
    distinct.

    Raises SourceError for a file that is not an SQLite database or not Cygnet's, a sense whose
    synset or entry does not exist, and all that ``build_lexicon`` refuses.
    """
    with _opened(path) as connection:
        _refuse_dangling_senses(connection, path)
        chosen = _chosen(connection, languages)
        rows = LexiconRows(
            synsets=(
                ("", str(rowid), ili, pos)
                for rowid, ili, pos in connection.execute("SELECT rowid, ili, pos FROM synsets")
            ),
            glosses=connection.execute(
                f"""
                SELECT s.ili, l.code, d.definition
                  FROM definitions d
                  JOIN synsets s ON s.rowid = d.synset_rowid
                  JOIN languages l ON l.rowid = d.language_rowid
                 WHERE s.ili IS NOT NULL AND trim(d.definition) <> '' AND l.rowid IN ({chosen})
                 ORDER BY d.rowid
                """  # noqa: S608 (row ids that this database gave, integers)
            ),
            words=(
                (ili, language, form, rank == 0)
                for ili, language, form, rank in connection.execute(
                    f"""
                    SELECT s.ili, l.code, f.form, f.rank
                      FROM senses n
                      JOIN entries e ON e.rowid = n.entry_rowid
                      JOIN forms f ON f.entry_rowid = e.rowid
                      JOIN synsets s ON s.rowid = n.synset_rowid
                      JOIN languages l ON l.rowid = e.language_rowid
                     WHERE s.ili IS NOT NULL AND l.rowid IN ({chosen})
                       AND n.synset_rowid IN (
                           SELECT synset_rowid FROM definitions
                            WHERE trim(definition) <> '' AND language_rowid IN ({chosen})
                            GROUP BY synset_rowid
                           HAVING count(DISTINCT language_rowid) = {len(languages)}
                       )
                     ORDER BY n.rowid, f.rank, f.rowid
                    """  # noqa: S608
                )
            ),
            synset_relations=_related(
                connection,
                """
                SELECT t.type, a.ili, b.ili
                  FROM synset_relations r
                  JOIN relation_types t ON t.rowid = r.type_rowid
                  JOIN synsets a ON a.rowid = r.source_rowid
                  JOIN synsets b ON b.rowid = r.target_rowid
                 WHERE a.ili IS NOT NULL AND b.ili IS NOT NULL
                """,
            ),
            sense_relations=_related(
                connection,
                """
                SELECT t.type, a.ili, b.ili
                  FROM sense_relations r
                  JOIN relation_types t ON t.rowid = r.type_rowid
                  JOIN senses m ON m.rowid = r.source_rowid
                  JOIN senses n ON n.rowid = r.target_rowid
                  JOIN synsets a ON a.rowid = m.synset_rowid
                  JOIN synsets b ON b.rowid = n.synset_rowid
                 WHERE a.ili IS NOT NULL AND b.ili IS NOT NULL
                """,
            ),
            wordnets=_wordnets(connection, languages),
        )
        return build_lexicon(rows, languages, where=file_name(path), glossed=_glossed(connection))


def read_cygnet_coverage(path: Path) -> dict[frozenset[str], int]:
    """Count the synsets of a Cygnet database by the set of languages that gloss them.

    Raises SourceError for a file that is not an SQLite database or not Cygnet's.
    """
    by_synset: dict[int, int] = {}
    with _opened(path) as connection:
        codes = dict(connection.execute("SELECT rowid, code FROM languages"))
        bit = {rowid: 1 << position for position, rowid in enumerate(codes)}
        for synset, language in connection.execute(
            "SELECT synset_rowid, language_rowid FROM definitions WHERE trim(definition) <> ''"
        ):
            if language in bit:
                by_synset[synset] = by_synset.get(synset, 0) | bit[language]
    names = list(codes.values())
    return {
        frozenset(name for position, name in enumerate(names) if mask >> position & 1): count
        for mask, count in Counter(by_synset.values()).items()
    }


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise SourceError(f"{file_name(path)}: cannot be read: {error.strerror}") from error
    if magic != _MAGIC:
        raise SourceError(
            f"{file_name(path)}: is not an SQLite database; a lexicon of the format `cygnet` is "
            "Cygnet's cygnet.db (for an XML lexicon, use the format `wn-lmf`)"
        )
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            _refuse_other_schemas(connection, path)
            yield connection
    except sqlite3.Error as error:
        raise SourceError(
            f"{file_name(path)}: cannot be read as an SQLite database: {error}; "
            "fetch the file again"
        ) from error


def _refuse_other_schemas(connection: sqlite3.Connection, path: Path) -> None:
    # Only true tables: a view could compute without end.
    tables = {
        name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type='table'")
    }
    for table, needed in _COLUMNS.items():
        if table not in tables:
            missing = f"it has no table '{table}'"
        else:
            found = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
            if needed <= found:
                continue
            missing = f"its table '{table}' has no column '{min(needed - found)}'"
        raise SourceError(
            f"{file_name(path)}: is an SQLite database, but not Cygnet's: {missing}; "
            "take cygnet.db from a release of Cygnet"
        )


def _refuse_dangling_senses(connection: sqlite3.Connection, path: Path) -> None:
    for column, table, kind in (
        ("synset_rowid", "synsets", "synset"),
        ("entry_rowid", "entries", "entry"),
    ):
        dangling = connection.execute(
            f"SELECT rowid, {column} FROM senses "  # noqa: S608 (names written above)
            f"WHERE {column} NOT IN (SELECT rowid FROM {table}) ORDER BY rowid LIMIT 1"
        ).fetchone()
        if dangling:
            raise SourceError(
                f"{file_name(path)}: sense '{dangling[0]}' belongs to {kind} "
                f"'{dangling[1]}', which does not exist; the lexicon is incomplete: fetch it "
                "again, or mend it"
            )


def _chosen(connection: sqlite3.Connection, languages: Sequence[str]) -> str:
    """The row ids of the languages, for an IN list."""
    codes = connection.execute("SELECT rowid, code FROM languages")
    return ", ".join(str(int(rowid)) for rowid, code in codes if code in languages)


def _glossed(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(
        connection.execute(
            """
            SELECT l.code, count(DISTINCT d.synset_rowid)
              FROM definitions d JOIN languages l ON l.rowid = d.language_rowid
             WHERE trim(d.definition) <> ''
             GROUP BY l.code
            """
        )
    )


def _related(connection: sqlite3.Connection, query: str) -> Iterator[tuple[str, str, str]]:
    for name, source, target in connection.execute(query):
        yield EARLIER_NAMES.get(name, name), source, target


def _wordnets(connection: sqlite3.Connection, languages: Sequence[str]) -> list[Wordnet]:
    columns = {row[1] for row in connection.execute("PRAGMA table_info(resources)")}
    if not {"code", "version", "label", "language_rowid", "url", "licence"} <= columns:
        return []  # the first releases had no table of resources
    return [
        Wordnet(*(value or "" for value in row))
        for row in connection.execute(
            """
            SELECT r.code, r.version, r.label, l.code, r.licence, r.url
              FROM resources r LEFT JOIN languages l ON l.rowid = r.language_rowid
             ORDER BY r.rowid
            """
        )
        if row[3] in languages
    ]
