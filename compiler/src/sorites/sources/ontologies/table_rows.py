"""The lines of tables as their cells, and the values that a layout finds in them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import regex

from sorites.characters import find_hidden, name_of
from sorites.errors import SourceError
from sorites.sources.ontologies.names import SECONDS_FOR_A_NAME
from sorites.sources.ontologies.table_layout import Column, Layout

__all__ = ["Row", "numbered_lines", "table_rows"]

MOST_BYTES = 2 << 30
"""A larger table is refused before it is read."""

LONGEST_LINE = 8 << 20
"""In characters."""

LISTED = 20

_QUOTED = re.compile(r'"(?:[^"]|"")*"')


@dataclass(frozen=True, slots=True)
class Row:
    """What a layout finds on a line: values by role; ``place`` is the file and the line."""

    place: str
    values: Mapping[str, tuple[str, ...]]

    def one(self, role: str) -> str | None:
        """The only value of a role; None where the table does not have the role."""
        found = self.values.get(role)
        return None if found is None else found[0]


def numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a UTF-8 file without their ends, numbered from 1, past a byte order mark.

    Raises SourceError, with file and line, for control characters other than tabs, lines that
    are too long, and a file that is too large or cannot be read.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise SourceError(f"{path} is larger than {MOST_BYTES:,} bytes, which are read at most")
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            number = 0
            while text := file.readline(LONGEST_LINE + 1):
                number += 1
                if len(text) > LONGEST_LINE:
                    raise SourceError(
                        f"{path}:{number}: the line is longer than {LONGEST_LINE:,} characters"
                    )
                line = text.removesuffix("\n").removesuffix("\r")
                hidden = find_hidden(line, allowed="\t")
                if hidden is not None:
                    raise SourceError(
                        f"{path}:{number}:{hidden + 1}: the control character "
                        f"{name_of(line[hidden])}"
                    )
                yield number, line
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not UTF-8: {error.reason}") from None
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}") from None


def table_rows(path: Path, layout: Layout) -> Iterator[Row]:
    """The rows of a table that its layout keeps.

    Raises SourceError, with file and line, for a line that is empty, in quotes where the spec
    says nothing of them, or short of a column, and for a cell that is empty where a value must
    stand or that does not fit its pattern.
    """
    cells = _cells(path, layout)
    header: dict[str, int] = {}
    if layout.header:
        number, names = next(cells, (0, []))
        if not names:
            raise SourceError(f"{path}: the file is empty; the first line must name the columns")
        header = {name: index for index, name in enumerate(names)}
        if len(header) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise SourceError(f"{path}:{number}: two columns have the name {twice!r}")
        for column in (*layout.columns.values(), *layout.where):
            if isinstance(column.column, str) and column.column not in header:
                raise SourceError(
                    f"{path}:{number}: there is no column {column.column!r}; the columns are "
                    + ", ".join(map(repr, names[:LISTED]))
                )
    width = 0 if any(at.rest for at in layout.columns.values()) else len(header)
    for number, row in cells:
        place = f"{path}:{number}"
        if width and len(row) != width:
            raise SourceError(f"{place}: {len(row)} columns; the header has {width}")
        if all(_fits(row, each, header, place) for each in layout.where):
            yield Row(
                place,
                {
                    role: _values(row, role, at, header, place)
                    for role, at in layout.columns.items()
                },
            )


def _cells(path: Path, layout: Layout) -> Iterator[tuple[int, list[str]]]:
    lines = (
        (number, line)
        for number, line in numbered_lines(path)
        if layout.comment is None or not line.startswith(layout.comment)
    )
    if layout.quoted:
        yield from _unquoted(path, lines, layout.separator)
        return
    for number, line in lines:
        if not line:
            raise SourceError(f"{path}:{number}: an empty line")
        row = line.split(layout.separator)
        if layout.quoted is None:
            for index, cell in enumerate(row, 1):
                if cell.startswith('"') and _QUOTED.fullmatch(cell):
                    raise SourceError(
                        f"{path}:{number}: column {index} is in quotes: {cell[:40]}. Set quoted: "
                        "true to take them away, or quoted: false to keep them"
                    )
        yield number, row


def _unquoted(
    path: Path, lines: Iterator[tuple[int, str]], separator: str
) -> Iterator[tuple[int, list[str]]]:
    """The cells of lines as RFC 4180 has them; a row has the number of its last line."""
    number = 0

    def fed() -> Iterator[str]:
        nonlocal number
        for at, line in lines:
            number = at
            yield line + "\n"

    reader = csv.reader(fed(), delimiter=separator, strict=True)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise SourceError(f"{path}:{number}: the quotes are not right: {error}") from None
        if not row:
            raise SourceError(f"{path}:{number}: an empty line")
        yield number, row


def _index(column: int | str, header: Mapping[str, int]) -> int:
    return header[column] if isinstance(column, str) else column - 1


def _cell(row: Sequence[str], column: int | str, header: Mapping[str, int], place: str) -> str:
    index = _index(column, header)
    if index >= len(row):
        found = "1 column" if len(row) == 1 else f"{len(row)} columns"
        raise SourceError(
            f"{place}: {found}, and no column {column}. Is the separator of the table another?"
        )
    return row[index]


def _fits(row: Sequence[str], at: Column, header: Mapping[str, int], place: str) -> bool:
    cell = _cell(row, at.column, header, place)
    return at.pattern is None or _match(at.pattern, cell, place) is not None


def _values(
    row: Sequence[str], role: str, at: Column, header: Mapping[str, int], place: str
) -> tuple[str, ...]:
    """The values of a role; parents and members may be none, all else has one at least."""
    first = _cell(row, at.column, header, place)
    cells = row[_index(at.column, header) :] if at.rest else [first]
    parts = [part for cell in cells for part in (cell.split(at.split) if at.split else [cell])]
    found = [part.strip() for part in parts]
    if at.pattern is not None:
        found = [_taken(at.pattern, part, place) for part in found if part]
    values = tuple(part for part in found if part)
    if role == "path" and len(values) < len(parts):
        raise SourceError(f"{place}: a step of the path is empty: {first!r}")
    if not values and role not in ("parents", "members"):
        raise SourceError(f"{place}: column {at.column}, the {role.replace('_', ' ')}, is empty")
    return values[::-1] if at.root_first else values


def _taken(pattern: str, text: str, place: str) -> str:
    match = _match(pattern, text, place)
    if match is None:
        raise SourceError(
            f"{place}: {text[:200]!r} does not fit the pattern {pattern}. Mend the pattern, or "
            "leave such rows out with where"
        )
    taken: str | None = match[1] if match.re.groups else match[0]
    return (taken or "").strip()


def _match(pattern: str, text: str, place: str) -> regex.Match[str] | None:
    try:
        return regex.compile(pattern).fullmatch(text, timeout=SECONDS_FOR_A_NAME)
    except TimeoutError:
        raise SourceError(
            f"{place}: the pattern {pattern} takes too long on {text[:200]!r}: write it without "
            "repetitions inside one another"
        ) from None
