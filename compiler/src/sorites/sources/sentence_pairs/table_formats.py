"""Tables as text: TSV, CSV, JSON Lines and Parquet, row by row, as the cells of named columns."""

from __future__ import annotations

import csv
import difflib
import enum
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from sorites.canonical import Json
from sorites.errors import SourceError
from sorites.sources.sentence_pairs.parquet_rows import parquet_names, parquet_rows

__all__ = [
    "MAX_LINE",
    "Row",
    "TableFormat",
    "TableLayout",
    "Values",
    "column_names",
    "read_rows",
    "read_table",
    "read_values",
]

MAX_LINE = 100_000
"""Characters in a row; a pair of sentences with its notes and parses has a few thousand."""

_QUOTED = re.compile(r'"(?:[^"]|"")*"')

Row: TypeAlias = tuple[str, Mapping[str, str]]
"""Where a row stands (``pairs.tsv:7``), and its cells by column."""

Values: TypeAlias = tuple[str, Mapping[str, Json]]
"""Where a row stands, and the values of its columns as the file has them."""


class TableFormat(enum.Enum):
    """How a table is written."""

    TSV = "tsv"
    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


@dataclass(frozen=True, slots=True)
class TableLayout:
    """A format; ``delimiter`` is of CSV alone. ``keep_quotes`` lets a cell of TSV be quoted.

    ``max_line`` is the most characters of a row.
    """

    format: TableFormat = TableFormat.TSV
    delimiter: str = ","
    keep_quotes: bool = False
    max_line: int = MAX_LINE


def read_rows(path: Path, layout: TableLayout, wanted: Sequence[str]) -> Iterator[Row]:
    """The rows of a table as the cells of the columns wanted; null and missing cells are empty.

    TSV knows no quotation: a sentence holds its quotation marks as they are. A cell that is
    quoted as in CSV is refused there, for its marks would stay in the sentence. CSV is that of
    RFC 4180, with a header. JSON Lines holds one object a line, its values text or numbers.

    Raises SourceError, with the line or row, for what cannot be read so, for a column that is
    missing, and for a row of more than ``MAX_LINE`` characters.
    """
    for where, values in read_values(path, layout, wanted):
        yield where, {name: _cell(value, name, where) for name, value in values.items()}


def read_values(path: Path, layout: TableLayout, wanted: Sequence[str]) -> Iterator[Values]:
    """The rows of a table as the values of the columns wanted, lists and mappings too.

    Cells of TSV and CSV are text. Raises SourceError as ``read_rows``.
    """
    match layout.format:
        case TableFormat.TSV:
            for number, cells in read_table(path, wanted, layout.max_line):
                where = f"{path.name}:{number}"
                if not layout.keep_quotes:
                    _refuse_quoted(cells, where)
                yield where, cells
        case TableFormat.CSV:
            yield from _csv(path, layout, wanted)
        case TableFormat.JSONL:
            yield from _jsonl(path, layout, wanted)
        case TableFormat.PARQUET:
            yield from _parquet(path, layout, wanted)


def column_names(path: Path, layout: TableLayout) -> Sequence[str]:
    """The names of a table's columns; of JSON Lines those of the first line.

    Raises SourceError as ``read_rows``.
    """
    match layout.format:
        case TableFormat.TSV:
            return _text(path).split("\n")[0].rstrip("\r").split("\t")
        case TableFormat.CSV:
            text = io.StringIO(_text(path), newline="")
            return next(csv.reader(text, delimiter=layout.delimiter), [])
        case TableFormat.JSONL:
            for _, found in _objects(path, layout):
                return [*found]
            return []
    return parquet_names(path)


def read_table(
    path: Path, wanted: Sequence[str], max_line: int = MAX_LINE
) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The lines of a TSV table, each with its number, as the cells of the columns wanted.

    Lines end in LF or CRLF; empty lines are passed over. Raises SourceError as ``read_rows``.
    """
    lines = _text(path).split("\n")
    header = lines[0].rstrip("\r").split("\t")
    places = _places(header, wanted, f"{path.name}:1")
    for number, line in enumerate(lines[1:], 2):
        content = line.removesuffix("\r")
        if not content.strip():
            continue
        _refuse_long(len(content), f"{path.name}:{number}", max_line)
        cells = content.split("\t")
        _refuse_ragged(cells, header, f"{path.name}:{number}")
        yield number, {column: cells[place] for column, place in places.items()}


def _csv(path: Path, layout: TableLayout, wanted: Sequence[str]) -> Iterator[Row]:
    text = io.StringIO(_text(path), newline="")
    reader = csv.reader(text, delimiter=layout.delimiter, strict=True)
    header: list[str] | None = None
    places: Mapping[str, int] = {}
    try:
        for cells in reader:
            where = f"{path.name}:{reader.line_num}"
            if header is None:
                header, places = cells, _places(cells, wanted, where)
                continue
            if not any(cell.strip() for cell in cells):
                continue
            _refuse_long(sum(map(len, cells)), where, layout.max_line)
            _refuse_ragged(cells, header, where)
            yield where, {column: cells[place] for column, place in places.items()}
    except csv.Error as error:
        raise SourceError(f"{path.name}:{reader.line_num}: not CSV: {error}") from None


def _jsonl(path: Path, layout: TableLayout, wanted: Sequence[str]) -> Iterator[Values]:
    for where, found in _objects(path, layout):
        _places([*found], wanted, where)
        yield where, {column: found[column] for column in wanted}


def _objects(path: Path, layout: TableLayout) -> Iterator[Values]:
    for number, line in enumerate(_text(path).split("\n"), 1):
        where = f"{path.name}:{number}"
        if not line.strip():
            continue
        _refuse_long(len(line), where, layout.max_line)
        try:
            found = json.loads(line)
        except (ValueError, RecursionError):
            raise SourceError(f"{where}: not JSON") from None
        if not isinstance(found, dict):
            raise SourceError(f'{where}: a line holds one object, such as {{"premise": …}}')
        yield where, found


def _parquet(path: Path, layout: TableLayout, wanted: Sequence[str]) -> Iterator[Values]:
    _places(parquet_names(path), wanted, path.name)
    for number, row in enumerate(parquet_rows(path, wanted), 1):
        where = f"{path.name}: row {number}"
        length = sum(len(value) for value in row.values() if isinstance(value, str | list))
        _refuse_long(length, where, layout.max_line)
        yield where, {name: row[name] for name in wanted}


def _cell(value: object, column: str, where: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise SourceError(f"{where}: {column} is neither text nor a number")


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path.name}: not UTF-8 (byte {error.start + 1})") from None


def _places(header: Sequence[str], wanted: Sequence[str], where: str) -> Mapping[str, int]:
    for column in wanted:
        if header.count(column) > 1:
            raise SourceError(f"{where}: two columns are called {column}")
        if column not in header:
            close = difflib.get_close_matches(column, header, n=1)
            there = f"did you mean {close[0]}?" if close else f"its columns: {', '.join(header)}"
            raise SourceError(f"{where}: no column {column}; {there[:500]}")
    return {column: header.index(column) for column in wanted}


def _refuse_long(length: int, where: str, most: int) -> None:
    if length > most:
        raise SourceError(f"{where}: {length:,} characters; at most {most:,} are read")


def _refuse_ragged(cells: Sequence[str], header: Sequence[str], where: str) -> None:
    if len(cells) != len(header):
        raise SourceError(f"{where}: {len(cells)} cells, where the header has {len(header)}")


def _refuse_quoted(cells: Mapping[str, str], where: str) -> None:
    for column, cell in cells.items():
        if _QUOTED.fullmatch(cell.strip()):
            raise SourceError(
                f"{where}: {column} stands in quotation marks, which would stay in the sentence: "
                "if they only enclose the cell, write format: csv and delimiter: tab; if they are "
                "the sentence's own, quotes: keep"
            )
