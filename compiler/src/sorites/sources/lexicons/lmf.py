"""WN-LMF lexicons: their tables in the database of ``wn``, read with one query each.

The objects of ``wn`` answer one synset at a time; the tables answer for all of them at once.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sorites.sources.lexicons.concepts import SynsetRow
from sorites.sources.lexicons.glosses import GlossRow
from sorites.sources.lexicons.language_codes import standard_code
from sorites.sources.lexicons.lexicon import Lexicon, Wordnet, file_name
from sorites.sources.lexicons.lmf_database import lmf_database
from sorites.sources.lexicons.policies import USUAL_POLICIES, Policies
from sorites.sources.lexicons.rows import LexiconRows, build_lexicon
from sorites.sources.lexicons.words import WordRow, refuse_multiplied_words

__all__ = ["PARTS_OF_SPEECH", "read_lmf", "read_lmf_coverage"]

PARTS_OF_SPEECH: Mapping[str, str] = {
    "n": "NOUN",
    "v": "VERB",
    "a": "ADJ",
    "s": "ADJ",
    "r": "ADV",
    "t": "PHRASE",
    "c": "CONJ",
    "p": "ADP",
    "x": "OTHER",
    "u": "UNKNOWN",
}
"""WN-LMF's parts of speech and their names here; a satellite (``s``) is an adjective."""


def read_lmf(
    paths: Sequence[Path],
    languages: Sequence[str],
    policies: Policies = USUAL_POLICIES,
    *,
    scratch: Path | None = None,
) -> Lexicon:
    """Read the concepts of WN-LMF files with glosses and words in the given languages.

    Lexicons are linked by ILI alone: a relation that one of them has holds for the concepts of
    all. A definition may be in another language than its lexicon. ``scratch`` is where the
    temporary database goes (the system's temporary directory if None).

    Raises SourceError for XML that declares an entity, a file that is not WN-LMF, a sense or
    relation that points nowhere, an id or lexicon that is there twice, an extension without its
    base, a disk without room, and all that ``build_lexicon`` refuses.
    """
    where = ", ".join(file_name(path) for path in paths)
    with lmf_database(paths, scratch) as connection:
        rows = LexiconRows(
            synsets=_synsets(connection),
            glosses=_glosses(connection),
            words=lambda wanted: _words(connection, wanted, where),
            synset_relations=_related(connection, _SYNSET_RELATIONS),
            sense_relations=_related(connection, _SENSE_RELATIONS),
            wordnets=[
                Wordnet(*(value or "" for value in row))
                for row in connection.execute(
                    "SELECT id, version, label, language, license, url FROM lexicons ORDER BY rowid"
                )
            ],
        )
        return build_lexicon(rows, languages, policies, where=where)


def read_lmf_coverage(
    paths: Sequence[Path], *, scratch: Path | None = None
) -> dict[frozenset[str], int]:
    """Count the concepts of WN-LMF files by the set of languages that gloss them.

    Raises SourceError as ``read_lmf`` does.
    """
    languages: dict[str, set[str]] = {}
    with lmf_database(paths, scratch) as connection:
        concepts = {row.key: row.ili for row in _synsets(connection) if row.ili}
        for gloss in _glosses(connection):
            if gloss.synset in concepts and gloss.text.strip():
                known = languages.setdefault(concepts[gloss.synset], set())
                known.add(standard_code(gloss.language))
    return dict(Counter(map(frozenset, languages.values())))


_SYNSET_RELATIONS = """
    SELECT t.type, r.source_rowid, r.target_rowid, r.metadata
      FROM synset_relations r
      JOIN relation_types t ON t.rowid = r.type_rowid
"""
_SENSE_RELATIONS = """
    SELECT t.type, m.synset_rowid, n.synset_rowid, r.metadata
      FROM sense_relations r
      JOIN relation_types t ON t.rowid = r.type_rowid
      JOIN senses m ON m.rowid = r.source_rowid
      JOIN senses n ON n.rowid = r.target_rowid
"""


def _synsets(connection: sqlite3.Connection) -> Iterator[SynsetRow]:
    for key, scope, synset, ili, pos in connection.execute(
        """
        SELECT s.rowid, x.specifier, s.id, i.id, s.pos
          FROM synsets s
          JOIN lexicons x ON x.rowid = s.lexicon_rowid
          LEFT JOIN ilis i ON i.rowid = s.ili_rowid
         ORDER BY s.rowid
        """
    ):
        yield SynsetRow(key, scope, synset, ili, PARTS_OF_SPEECH.get(pos, "UNKNOWN"))


def _glosses(connection: sqlite3.Connection) -> Iterator[GlossRow]:
    for row in connection.execute(
        """
        SELECT d.synset_rowid, coalesce(nullif(d.language, ''), x.language), x.language,
               d.definition
          FROM definitions d
          JOIN lexicons x ON x.rowid = d.lexicon_rowid
         WHERE d.definition IS NOT NULL
         ORDER BY d.rowid
        """
    ):
        yield GlossRow(*row)


def _words(connection: sqlite3.Connection, wanted: frozenset[int], where: str) -> Iterator[WordRow]:
    refuse_multiplied_words(connection, where=where)
    for synset, language, form, rank in connection.execute(
        """
        SELECT n.synset_rowid, x.language, f.form, f.rank
          FROM senses n
          JOIN forms f ON f.entry_rowid = n.entry_rowid
          JOIN lexicons x ON x.rowid = n.lexicon_rowid
         ORDER BY n.synset_rank, n.rowid, f.rank, f.rowid
        """
    ):
        if synset in wanted:
            yield synset, language, form, rank == 0


def _related(connection: sqlite3.Connection, query: str) -> Iterator[tuple[str, int, int]]:
    """Relations by their types; one of the type ``other`` under its ``dc:type`` as well."""
    for name, source, target, metadata in connection.execute(query):
        yield name, source, target
        kind = json.loads(metadata).get("type") if name == "other" and metadata else None
        if isinstance(kind, str) and kind.strip():
            yield f"{name}:{kind.strip()}", source, target
