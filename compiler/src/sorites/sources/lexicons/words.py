"""The words of concepts: every sense of an entry has every form of it."""

from __future__ import annotations

import sqlite3
from typing import TypeAlias

from sorites.errors import SourceError

__all__ = ["WordRow", "refuse_multiplied_words"]

WordRow: TypeAlias = "tuple[int, str, str, bool]"
"""A word: the key of its synset, its language, its form, and whether that is the lemma."""

# Entries have few senses or few forms: no wordnet has as many words as this times both.
_MOST_FOR_EACH = 10
_ALWAYS_FINE = 1_000_000


def refuse_multiplied_words(connection: sqlite3.Connection, *, where: str) -> None:
    """Count what a join of senses and forms over their entries would give, before it is made.

    The tables are ``senses`` and ``forms``, each with an ``entry_rowid``. Raises SourceError
    where they multiply beyond what any lexicon has.
    """
    senses, forms = (
        connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
        for table in ("senses", "forms")
    )
    most = _ALWAYS_FINE + _MOST_FOR_EACH * (senses + forms)
    many = connection.execute(
        "SELECT max(n) FROM (SELECT count(*) AS n FROM forms GROUP BY entry_rowid)"
    ).fetchone()[0]
    if senses * (many or 0) <= most:
        return
    joined = """
        SELECT s.entry, s.n, f.n, s.n * f.n AS words
          FROM (SELECT entry_rowid AS entry, count(*) AS n FROM senses GROUP BY entry_rowid) s
          JOIN (SELECT entry_rowid AS entry, count(*) AS n FROM forms GROUP BY entry_rowid) f
            ON f.entry = s.entry
    """
    words = connection.execute(f"SELECT sum(words) FROM ({joined})").fetchone()[0] or 0  # noqa: S608
    if words <= most:
        return
    entry, its_senses, its_forms, _ = connection.execute(
        f"{joined} ORDER BY words DESC, s.entry LIMIT 1"
    ).fetchone()
    raise SourceError(
        f"{where}: its senses and forms multiply to {words:,} words; the entry in row {entry} has "
        f"{its_senses:,} senses and {its_forms:,} forms; the lexicon is damaged: fetch it again, "
        "or mend it"
    )
