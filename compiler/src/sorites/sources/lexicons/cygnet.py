"""Cygnet's SQLite database, read with one query a table.

Cygnet (Maudslay and Bond, 2026) merges the wordnets of some forty languages over the
Collaborative Interlingual Index. The names of its relation types differ between its releases;
both spellings are read as their WN-LMF names.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from sorites.errors import SourceError
from sorites.sources.lexicons.concepts import SynsetRow
from sorites.sources.lexicons.database import Column, check_tables, opened
from sorites.sources.lexicons.glosses import GlossRow
from sorites.sources.lexicons.language_codes import matcher, standard_code
from sorites.sources.lexicons.lexicon import Lexicon, Wordnet, file_name
from sorites.sources.lexicons.policies import USUAL_POLICIES, Policies
from sorites.sources.lexicons.rows import LexiconRows, build_lexicon
from sorites.sources.lexicons.words import WordRow, refuse_multiplied_words

__all__ = ["EARLIER_NAMES", "read_cygnet", "read_cygnet_coverage"]

_KEY, _TEXT = Column("integer"), Column("text")
_MAYBE_KEY, _MAYBE_TEXT = Column("integer", may_be_null=True), Column("text", may_be_null=True)
_RELATED = {"source_rowid": _KEY, "target_rowid": _KEY, "type_rowid": _KEY}

_TABLES: Mapping[str, Mapping[str, Column]] = {
    "languages": {"code": _TEXT},
    "relation_types": {"type": _TEXT},
    "synsets": {"ili": _MAYBE_TEXT, "pos": _TEXT},
    "entries": {"language_rowid": _MAYBE_KEY},
    "forms": {"entry_rowid": _KEY, "form": _TEXT, "rank": _MAYBE_KEY},
    "senses": {"entry_rowid": _KEY, "synset_rowid": _KEY},
    "definitions": {
        "synset_rowid": _KEY,
        "definition": _MAYBE_TEXT,
        "language_rowid": _MAYBE_KEY,
    },
    "synset_relations": _RELATED,
    "sense_relations": _RELATED,
}
# The first releases had no table of resources.
_RESOURCES: Mapping[str, Column] = {
    "code": _MAYBE_TEXT,
    "version": _MAYBE_TEXT,
    "label": _MAYBE_TEXT,
    "language_rowid": _MAYBE_KEY,
    "url": _MAYBE_TEXT,
    "licence": _MAYBE_TEXT,
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


def read_cygnet(
    path: Path, languages: Sequence[str], policies: Policies = USUAL_POLICIES
) -> Lexicon:
    """Read the concepts of a Cygnet database with glosses and words in the given languages.

    The file is opened read-only and immutable: nothing is written beside it. ``languages`` are
    distinct. Its synsets without ILI have no lasting id, so that they cannot be kept.

    Raises SourceError for a file that is not an SQLite database or not Cygnet's, a sense whose
    synset or entry does not exist, and all that ``build_lexicon`` refuses.
    """
    where = file_name(path)
    with _opened(path) as connection:
        _refuse_dangling_senses(connection, where)
        rows = LexiconRows(
            synsets=(
                SynsetRow(key, "", str(key), ili, pos)
                for key, ili, pos in connection.execute("SELECT rowid, ili, pos FROM synsets")
            ),
            glosses=_glosses(connection),
            words=lambda wanted: _words(connection, languages, wanted, where),
            synset_relations=_synset_relations(connection),
            sense_relations=_sense_relations(connection),
            wordnets=_wordnets(connection, where),
        )
        return build_lexicon(rows, languages, policies, where=where)


def read_cygnet_coverage(path: Path) -> dict[frozenset[str], int]:
    """Count the synsets of a Cygnet database by the set of languages that gloss them.

    Raises SourceError for a file that is not an SQLite database or not Cygnet's.
    """
    by_synset: dict[int, int] = {}
    with _opened(path) as connection:
        codes = {key: standard_code(code) for key, code in _languages(connection).items()}
        names = list(dict.fromkeys(codes.values()))
        bit = {key: 1 << names.index(code) for key, code in codes.items()}
        for synset, language in connection.execute(
            "SELECT synset_rowid, language_rowid FROM definitions WHERE trim(definition) <> ''"
        ):
            if language in bit:
                by_synset[synset] = by_synset.get(synset, 0) | bit[language]
    return {
        frozenset(name for position, name in enumerate(names) if mask >> position & 1): count
        for mask, count in Counter(by_synset.values()).items()
    }


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    where = file_name(path)
    wanted = (
        "a lexicon of the format `cygnet` is Cygnet's cygnet.db (for an XML lexicon, use the "
        "format `wn-lmf`)"
    )
    with opened(path, wanted=wanted) as connection:
        _check(connection, _TABLES, where)
        yield connection


def _check(
    connection: sqlite3.Connection, tables: Mapping[str, Mapping[str, Column]], where: str
) -> None:
    check_tables(
        connection,
        tables,
        where=where,
        owner="Cygnet's",
        advice="take cygnet.db from a release of Cygnet",
    )


def _refuse_dangling_senses(connection: sqlite3.Connection, where: str) -> None:
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
                f"{where}: sense '{dangling[0]}' belongs to {kind} "
                f"'{dangling[1]}', which does not exist; the lexicon is incomplete: fetch it "
                "again, or mend it"
            )


def _languages(connection: sqlite3.Connection) -> dict[int, str]:
    return dict(connection.execute("SELECT rowid, code FROM languages"))


def _glosses(connection: sqlite3.Connection) -> Iterator[GlossRow]:
    codes = _languages(connection)
    for synset, language, text in connection.execute(
        "SELECT synset_rowid, language_rowid, definition FROM definitions "
        "WHERE definition IS NOT NULL ORDER BY rowid"
    ):
        code = codes.get(language)
        if code is not None:
            yield GlossRow(synset, code, code, text)


def _words(
    connection: sqlite3.Connection,
    languages: Sequence[str],
    wanted: frozenset[int],
    where: str,
) -> Iterator[WordRow]:
    """The words of the wanted synsets, by sense, the lemmas before the other forms."""
    refuse_multiplied_words(connection, where=where)
    match = matcher(languages)
    codes = {key: code for key, code in _languages(connection).items() if match(code)}
    chosen = ", ".join(map(str, codes))
    # No synset with a gloss in every language has glosses under fewer keys: the rest need not
    # be joined with their words.
    for synset, language, form, rank in connection.execute(
        f"""
        SELECT n.synset_rowid, e.language_rowid, f.form, f.rank
          FROM senses n
          JOIN entries e ON e.rowid = n.entry_rowid
          JOIN forms f ON f.entry_rowid = e.rowid
         WHERE e.language_rowid IN ({chosen})
           AND n.synset_rowid IN (
               SELECT synset_rowid FROM definitions
                WHERE language_rowid IN ({chosen})
                GROUP BY synset_rowid
               HAVING count(DISTINCT language_rowid) >= {len(languages)}
           )
         ORDER BY n.rowid, f.rank, f.rowid
        """  # noqa: S608 (row ids that this database gave, integers)
    ):
        if synset in wanted:
            yield synset, codes[language], form, rank == 0


def _types(connection: sqlite3.Connection) -> dict[int, str]:
    return {
        key: EARLIER_NAMES.get(name, name)
        for key, name in connection.execute("SELECT rowid, type FROM relation_types")
    }


def _synset_relations(connection: sqlite3.Connection) -> Iterator[tuple[str, int, int]]:
    types = _types(connection)
    for name, source, target in connection.execute(
        "SELECT type_rowid, source_rowid, target_rowid FROM synset_relations"
    ):
        if name in types:
            yield types[name], source, target


def _sense_relations(connection: sqlite3.Connection) -> Iterator[tuple[str, int, int]]:
    types = _types(connection)
    related = connection.execute(
        "SELECT type_rowid, source_rowid, target_rowid FROM sense_relations"
    ).fetchall()
    ends = {sense for _, source, target in related for sense in (source, target)}
    synset = {
        sense: synset
        for sense, synset in connection.execute("SELECT rowid, synset_rowid FROM senses")
        if sense in ends
    }
    for name, source, target in related:
        if name in types and source in synset and target in synset:
            yield types[name], synset[source], synset[target]


def _wordnets(connection: sqlite3.Connection, where: str) -> list[Wordnet]:
    columns = {row[1] for row in connection.execute("PRAGMA table_info(resources)")}
    if not _RESOURCES.keys() <= columns:
        return []
    _check(connection, {"resources": _RESOURCES}, where)
    codes = _languages(connection)
    return [
        Wordnet(
            code or "", version or "", label or "", codes.get(key, ""), licence or "", url or ""
        )
        for code, version, label, key, licence, url in connection.execute(
            "SELECT code, version, label, language_rowid, licence, url FROM resources "
            "ORDER BY rowid"
        )
    ]
