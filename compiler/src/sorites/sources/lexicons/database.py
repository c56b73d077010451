"""A stranger's SQLite database, opened so that it can neither hang nor mislead its reader.

Only plain tables are read, each by itself: nothing in the file is executed but the scans of this
package, and the work of these is bounded by the size of the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from sorites.errors import SourceError
from sorites.sources.lexicons.lexicon import file_name

__all__ = ["Column", "check_tables", "opened"]

_MAGIC = b"SQLite format 3\x00"
_LONGEST_VALUE = 1_000_000  # bytes; the longest gloss of any wordnet is far below

# Steps of SQLite's virtual machine. All scans of a wordnet together take about one for each of
# its bytes; a file cannot ask for more than this.
_STEPS_FOR_EACH_BYTE = 50
_STEPS_AT_LEAST = 50_000_000
_STEPS_BETWEEN_CHECKS = 100_000

_GENERATED = (2, 3)  # of the column `hidden` of table_xinfo: a virtual and a stored one


@dataclass(frozen=True, slots=True)
class Column:
    """What a column may hold: ``integer`` or ``text``, and NULL if it ``may_be_null``."""

    type: str
    may_be_null: bool = False


@contextmanager
def opened(path: Path, *, wanted: str) -> Iterator[sqlite3.Connection]:
    """The database, read-only and immutable: nothing is written beside it.

    ``wanted`` ends the message for another kind of file. Raises SourceError for a file that is
    not an SQLite database or is damaged, and for more work than a file of its size can need.
    """
    name = file_name(path)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
    except OSError as error:
        raise SourceError(f"{name}: cannot be read: {error.strerror}") from error
    if magic != _MAGIC:
        raise SourceError(f"{name}: is not an SQLite database; {wanted}")
    budget = _Budget(_STEPS_AT_LEAST + _STEPS_FOR_EACH_BYTE * size)
    uri = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            connection.set_progress_handler(budget.spend, _STEPS_BETWEEN_CHECKS)
            yield connection
    except sqlite3.Error as error:
        if budget.spent:
            raise SourceError(
                f"{name}: reading it takes more work than a database of its size can need; "
                "fetch the file again"
            ) from error
        raise SourceError(
            f"{name}: cannot be read as an SQLite database: {error}; fetch the file again"
        ) from error


class _Budget:
    """Steps that may still be taken."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    @property
    def spent(self) -> bool:
        return self._left <= 0

    def spend(self) -> bool:
        """Take some; True, which stops the query, when none are left."""
        self._left -= _STEPS_BETWEEN_CHECKS
        return self.spent


def check_tables(
    connection: sqlite3.Connection,
    tables: Mapping[str, Mapping[str, Column]],
    *,
    where: str,
    owner: str,
    advice: str,
) -> None:
    """Make sure of the tables and columns that are going to be read, and of every value there.

    ``owner`` is whose database it should be, and ``advice`` where to get that one.

    Raises SourceError for a table that is not there or not a plain one, a column that is not
    there or is computed, a ``rowid`` that is something else, and a value of another type.
    """
    # A view or a virtual table has no page of its own, and could compute without end.
    plain = {
        name
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0"
        )
    }
    for table, columns in tables.items():
        fault = f"it has no table '{table}'"
        if table in plain:
            fault = _column_fault(connection, table, columns)
        if fault:
            raise SourceError(f"{where}: is an SQLite database, but not {owner}: {fault}; {advice}")
    for table, columns in tables.items():
        _check_values(connection, table, columns, where)


def _column_fault(connection: sqlite3.Connection, table: str, columns: Mapping[str, Column]) -> str:
    found = {row[1]: row for row in connection.execute(f"PRAGMA table_xinfo({table})")}
    for column in sorted(columns):
        if column not in found:
            return f"its table '{table}' has no column '{column}'"
        if found[column][6] in _GENERATED:
            return f"the column '{column}' of its table '{table}' is computed"
    if "rowid" in found:
        _, _, kind, _, _, key, _ = found["rowid"]
        keys = sum(row[5] > 0 for row in found.values())
        if kind.upper() != "INTEGER" or not key or keys > 1:
            return f"the column 'rowid' of its table '{table}' is no INTEGER PRIMARY KEY"
    return ""


def _check_values(
    connection: sqlite3.Connection, table: str, columns: Mapping[str, Column], where: str
) -> None:
    allowed = {"rowid": ["integer"]} | {
        name: [column.type, *(["null"] if column.may_be_null else [])]
        for name, column in columns.items()
    }
    wrong = " OR ".join(
        f"typeof({name}) NOT IN ({', '.join(map(repr, types))})" for name, types in allowed.items()
    )
    kinds = ", ".join(f"typeof({name})" for name in allowed)
    row = connection.execute(
        f"SELECT rowid, {kinds} FROM {table} WHERE {wrong} LIMIT 1"  # noqa: S608 (our own names)
    ).fetchone()
    if row is None:
        return
    name, kind = next(
        (name, kind)
        for (name, types), kind in zip(allowed.items(), row[1:], strict=True)
        if kind not in types
    )
    raise SourceError(
        f"{where}: table '{table}', row {row[0]!r}, column '{name}': its value is "
        f"{'NULL' if kind == 'null' else f'of the type {kind.upper()}'}, not "
        f"{allowed[name][0].upper()}; the database is damaged: fetch it again"
    )
