"""The rows of a source as they stand there: premises, conclusion, label, words, other columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites.canonical import Json, json_line
from sorites.errors import SourceError
from sorites.families.audit.plan import AuditPlan
from sorites.sources.sentence_pairs.table_formats import read_values

__all__ = ["SourceRow", "source_rows"]


@dataclass(frozen=True, slots=True)
class SourceRow:
    """An argument as the source has it.

    ``where`` is its place in the file. ``denied``: the label is about the negation of the
    conclusion. ``words`` are the sentences that formulas stand for, the conclusion last; empty
    where there are none. ``kept`` are further columns, as text.
    """

    split: str
    id: str
    where: str
    premises: tuple[str, ...]
    conclusion: str
    label: str
    denied: bool = False
    words: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()


def source_rows(plan: AuditPlan, files: Mapping[str, Path]) -> Iterator[SourceRow]:
    """The rows of every split, in the order of the spec and of the files.

    Raises SourceError, with the line, for what cannot be read as the spec says, and for an id
    that stands twice in a split.
    """
    columns = plan.columns
    for split, source in plan.splits.items():
        ids: set[str] = set()
        file = files[source]
        values = read_values(file, plan.layout, columns.wanted)
        for number, (place, found) in enumerate(values, 1):
            # A file may lie in the cache under another name; what is reported must not differ.
            where = source + place.removeprefix(file.name)
            identity = _text(found[columns.id]) if columns.id else str(number)
            if identity in ids:
                raise SourceError(f"{where}: the id {identity[:100]} stands twice")
            ids.add(identity)
            words: tuple[str, ...] = ()
            if columns.words_conclusion is not None:
                in_words = _premises(
                    found, columns.words_premises, columns.words_in_one, columns.separator, where
                )
                words = (*in_words, _text(found[columns.words_conclusion]))
            denied = columns.denied is not None and (
                _text(found[columns.denied]) in columns.denials
            )
            yield SourceRow(
                split,
                identity,
                where,
                _premises(
                    found, columns.premises, columns.premises_in_one, columns.separator, where
                ),
                _text(found[columns.conclusion]),
                _text(found[columns.label]).strip(),
                denied,
                words,
                tuple(_text(found[name]) for name in columns.keep),
            )
        if not ids:
            raise SourceError(f"{source}: no rows")


def _premises(
    found: Mapping[str, Json], names: Sequence[str], in_one: bool, separator: str, where: str
) -> tuple[str, ...]:
    if not in_one:
        return tuple(text for text in (_text(found[name]) for name in names) if text.strip())
    value = found[names[0]]
    if isinstance(value, str) and value.lstrip().startswith("["):
        # A list that a table of text has written as JSON.
        try:
            value = json.loads(value)
        except ValueError:
            value = str(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        if not all(isinstance(each, str) for each in value):
            raise SourceError(f"{where}: {names[0]} is no list of texts")
        return tuple(str(each) for each in value)
    return tuple(text for text in _text(value).split(separator) if text.strip())


def _text(value: Json) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json_line(value)
