"""How a spec describes a table of classes: its cells, and what each of its columns holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import regex

from sorites.canonical import Json
from sorites.sources.ontologies.names import pattern_fault
from sorites.sources.ontologies.ontology_format import Place, Section

__all__ = ["ROLES", "Column", "Layout", "layout_faults", "read_layouts"]

ROLES = ("class", "name", "parents", "path", "members", "member_name")
"""What a column can hold; the JSON Schema says what each of them means."""

SEPARATORS: Mapping[str, str] = {"tab": "\t", "comma": ",", "semicolon": ";", "bar": "|"}


@dataclass(frozen=True, slots=True)
class Column:
    """Where values stand: a column by its number, from 1, or by its name in the header.

    ``pattern`` must match a whole value, whose first group, if it has one, is what is taken.
    ``split`` is the text between values of one cell. With ``rest``, every column from this one
    to the end of the line holds values. ``root_first`` is for paths that start at the root.
    """

    column: int | str
    pattern: str | None = None
    split: str | None = None
    rest: bool = False
    root_first: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """One table, or several of one form: the ids of their sources, and how to read them.

    ``quoted`` cells follow RFC 4180; None means that a cell in quotes is an error. Lines that
    start with ``comment`` and rows of which a cell does not fit the pattern of a column of
    ``where`` are passed over.
    """

    files: tuple[str, ...]
    columns: Mapping[str, Column]
    separator: str = "\t"
    header: bool = False
    quoted: bool | None = None
    comment: str | None = None
    where: tuple[Column, ...] = ()


def read_layouts(section: Section) -> tuple[Layout, ...]:
    """The tables of a section that fits its JSON Schema, in its order."""
    return tuple(_layout(table) for table in _tables(section))


def layout_faults(section: Section) -> Iterator[tuple[Place, str]]:
    """What is wrong with the tables of a section beyond the JSON Schema, each with its place."""
    holds_members = False
    for position, layout in enumerate(read_layouts(section)):
        place: Place = ("tables", position)
        holds_members |= "members" in layout.columns
        if not layout.columns.keys() & {"class", "name", "path"}:
            yield (*place, "columns"), "no column tells the class: name class, name or path"
        if "member_name" in layout.columns:
            member = layout.columns.get("members")
            if member is None or member.rest or member.split is not None:
                yield (
                    (*place, "columns", "member_name"),
                    "a name of a member needs a column members with one member a row",
                )
        used: list[tuple[Place, Column]] = [
            (("columns", role), column) for role, column in layout.columns.items()
        ]
        used += [(("where", index), each) for index, each in enumerate(layout.where)]
        for field, column in used:
            if isinstance(column.column, str) and not layout.header:
                yield (
                    (*place, *field),
                    f"a column by the name {column.column!r} needs header: true",
                )
            if column.pattern is not None and (fault := pattern_fault(column.pattern)) is not None:
                yield (*place, *field), fault
            elif column.pattern is not None and regex.compile(column.pattern).groups > 1:
                yield (*place, *field), "a pattern has at most one group; write (?:…) for others"
        if layout.quoted and layout.comment is not None and '"' in layout.comment:
            yield (*place, "comment"), "a comment cannot start with a quote where cells have them"
    leaves = section.get("members") == "subclasses"
    if holds_members and leaves:
        yield ("members",), "a column holds members already"
    if not holds_members and not leaves:
        yield (
            ("tables",),
            "no column holds members: name one, or set members: subclasses to take the classes "
            "with nothing below them",
        )


def _tables(section: Section) -> Sequence[Mapping[str, Json]]:
    return cast("Sequence[Mapping[str, Json]]", section["tables"])


def _layout(table: Mapping[str, Json]) -> Layout:
    columns = cast("Mapping[str, Json]", table["columns"])
    where = cast("Sequence[Mapping[str, Json]]", table.get("where", ()))
    comment = table.get("comment")
    return Layout(
        tuple(str(name) for name in cast("Sequence[Json]", table["files"])),
        {role: _column(columns[role]) for role in ROLES if role in columns},
        SEPARATORS[str(table.get("separator", "tab"))],
        bool(table.get("header", False)),
        cast("bool | None", table.get("quoted")),
        None if comment is None else str(comment),
        tuple(Column(cast("int | str", each["column"]), str(each["pattern"])) for each in where),
    )


def _column(value: Json) -> Column:
    if not isinstance(value, Mapping):
        return Column(cast("int | str", value))
    pattern, split = value.get("pattern"), value.get("split")
    return Column(
        cast("int | str", value["column"]),
        None if pattern is None else str(pattern),
        None if split is None else str(split),
        bool(value.get("rest", False)),
        bool(value.get("root_first", False)),
    )
