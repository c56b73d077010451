"""Pairs of sentences with the label that people gave them: SICK, and tables of the same make.

A file is a table with a header, its columns parted by tabs. No character is a quotation: a
sentence holds its quotation marks as they are, as in SICK (Marelli et al. 2014).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites.characters import find_hidden, name_of
from sorites.errors import SourceError
from sorites.names import closest

__all__ = [
    "FORMATS",
    "PairColumns",
    "PairLabel",
    "SentencePair",
    "read_pairs",
    "read_table",
]

MAX_LINE = 20_000
"""Characters in a line; a pair of sentences with its notes has under a thousand."""

_SPACES = re.compile(r"\s+")


class PairLabel(enum.Enum):
    """How the second sentence stands to the first."""

    ENTAILMENT = "entailment"
    NEUTRAL = "neutral"
    CONTRADICTION = "contradiction"


@dataclass(frozen=True, slots=True)
class SentencePair:
    """A premise, a hypothesis and their label; spaces are single, a final full stop is gone."""

    id: str
    premise: str
    hypothesis: str
    label: PairLabel


@dataclass(frozen=True, slots=True)
class PairColumns:
    """What the columns of a table are called; ``split`` is None where it has no such column."""

    id: str
    premise: str
    hypothesis: str
    label: str
    split: str | None


FORMATS: Mapping[str, PairColumns] = {
    "sick": PairColumns(
        "pair_ID", "sentence_A", "sentence_B", "entailment_label", split="SemEval_set"
    ),
    "tsv": PairColumns("id", "premise", "hypothesis", "label", split=None),
}
"""Format of a source to the columns that it has."""


def read_pairs(path: Path, form: str, *, split: str | None = None) -> tuple[SentencePair, ...]:
    """The pairs of a table, in its order; of one split only, where the format has splits.

    ``form`` is a key of ``FORMATS``. Raises SourceError, with the line, for: a file that is not
    UTF-8, a missing column, a line with fewer or more cells than the header, an empty sentence
    or id, an id that stands twice, an unknown label, a hidden character, a split without pairs.
    """
    columns = FORMATS[form]
    wanted = [columns.id, columns.premise, columns.hypothesis, columns.label]
    if columns.split is not None:
        wanted.append(columns.split)
    pairs: dict[str, SentencePair] = {}
    splits: dict[str, None] = {}
    for line, cells in read_table(path, wanted):
        where = f"{path.name}:{line}"
        pair = SentencePair(
            _filled(cells[columns.id].strip(), columns.id, where),
            _sentence(cells[columns.premise], columns.premise, where),
            _sentence(cells[columns.hypothesis], columns.hypothesis, where),
            _label(cells[columns.label], where),
        )
        if pair.id in pairs:
            raise SourceError(f"{where}: the pair {pair.id} stands twice")
        if columns.split is not None:
            splits[cells[columns.split]] = None
            if split is not None and cells[columns.split] != split:
                continue
        pairs[pair.id] = pair
    if not pairs:
        there = f"; its splits are {', '.join(splits)}" if splits else ""
        of_split = f" of the split {split}" if split and columns.split else ""
        raise SourceError(f"{path.name}: no pairs{of_split}{there}")
    return tuple(pairs.values())


def read_table(path: Path, wanted: Sequence[str]) -> Iterator[tuple[int, Mapping[str, str]]]:
    """The lines of a table, each with its number, as the cells of the columns wanted.

    Lines end in LF or CRLF; empty lines are passed over. Raises SourceError as ``read_pairs``
    does.
    """
    try:
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path.name}: not UTF-8 (byte {error.start + 1})") from None
    header = lines[0].rstrip("\r").split("\t")
    places = {}
    for column in wanted:
        if column not in header:
            meant = closest(column, header)
            there = f"did you mean {meant}?" if meant else f"its columns: {', '.join(header)}"
            raise SourceError(f"{path.name}:1: no column {column}; {there[:500]}")
        places[column] = header.index(column)
    for number, line in enumerate(lines[1:], 2):
        content = line.removesuffix("\r")
        if not content.strip():
            continue
        if len(content) > MAX_LINE:
            raise SourceError(
                f"{path.name}:{number}: {len(content):,} characters; at most {MAX_LINE:,} are read"
            )
        cells = content.split("\t")
        if len(cells) != len(header):
            raise SourceError(
                f"{path.name}:{number}: {len(cells)} cells, where the header has {len(header)}"
            )
        yield number, {column: cells[place] for column, place in places.items()}


def _label(text: str, where: str) -> PairLabel:
    try:
        return PairLabel(text.strip().lower())
    except ValueError:
        known = ", ".join(label.value for label in PairLabel)
        raise SourceError(
            f"{where}: unknown label '{text.strip()[:100]}'; known: {known}"
        ) from None


def _sentence(text: str, column: str, where: str) -> str:
    sentence = _SPACES.sub(" ", text).strip().removesuffix(".").rstrip()
    _filled(sentence, column, where)
    hidden = find_hidden(sentence)
    if hidden is not None:
        raise SourceError(f"{where}: {column} has the character {name_of(sentence[hidden])}")
    return sentence


def _filled(text: str, column: str, where: str) -> str:
    if not text:
        raise SourceError(f"{where}: {column} is empty")
    return text
