"""Pairs of sentences with the label that people gave them: SICK, SNLI, MED and their like.

Which columns hold what, and what the labels are called, is told by the spec.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sorites.characters import find_hidden, fold, name_of
from sorites.errors import SourceError
from sorites.sources.sentence_pairs.table_formats import TableLayout, read_rows

__all__ = ["DEFAULT_LABELS", "PairColumns", "PairLabel", "PairTable", "SentencePair", "read_pairs"]

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

    @property
    def said(self) -> tuple[str, str]:
        """The two sentences as a reader tells them from others: in whatever letters."""
        return fold(self.premise), fold(self.hypothesis)


@dataclass(frozen=True, slots=True)
class PairColumns:
    """What the columns of a table are called.

    Rows are numbered from 1 where ``id`` is None; ``split`` is None for a table of one split.
    """

    id: str | None = "id"
    premise: str = "premise"
    hypothesis: str = "hypothesis"
    label: str = "label"
    split: str | None = None


DEFAULT_LABELS: Mapping[str, PairLabel | None] = {label.value: label for label in PairLabel}


@dataclass(frozen=True, slots=True)
class PairTable:
    """How a table of pairs is written, and what its columns and labels are called.

    ``labels`` are in small letters; a row whose label stands for None is left out. Two labels of
    one pair are refused, unless ``conflicts`` lets them be.
    """

    layout: TableLayout = field(default_factory=TableLayout)
    columns: PairColumns = field(default_factory=PairColumns)
    labels: Mapping[str, PairLabel | None] = field(default_factory=lambda: DEFAULT_LABELS)
    conflicts: bool = False


def read_pairs(
    path: Path, table: PairTable, *, split: str | None = None
) -> tuple[SentencePair, ...]:
    """The pairs of a table, in its order; of one split only, where it has splits.

    Raises SourceError, with the line, for whatever ``read_rows`` refuses, an empty sentence or
    id, an id that stands twice, an unknown label, a hidden character, two labels of one pair of
    sentences, and a split without pairs.
    """
    columns = table.columns
    named = (columns.id, columns.premise, columns.hypothesis, columns.label, columns.split)
    wanted = [column for column in named if column is not None]
    pairs: dict[str, SentencePair] = {}
    splits: dict[str, None] = {}
    first: dict[tuple[str, str], tuple[PairLabel, str]] = {}
    for number, (where, cells) in enumerate(read_rows(path, table.layout, wanted), 1):
        label = _label(cells[columns.label], table.labels, where)
        if label is None:
            continue
        pair = SentencePair(
            _filled(cells[columns.id].strip(), columns.id, where) if columns.id else str(number),
            _sentence(cells[columns.premise], columns.premise, where),
            _sentence(cells[columns.hypothesis], columns.hypothesis, where),
            label,
        )
        if pair.id in pairs:
            raise SourceError(f"{where}: the pair {pair.id} stands twice")
        if columns.split is not None:
            splits[cells[columns.split]] = None
            if split is not None and cells[columns.split] != split:
                continue
        if not table.conflicts:
            _refuse_conflict(pair, first, where)
        pairs[pair.id] = pair
    if not pairs:
        there = f"; its splits are {', '.join(splits)}" if splits else ""
        of_split = f" of the split {split}" if split and columns.split else ""
        raise SourceError(f"{path.name}: no pairs{of_split}{there}")
    return tuple(pairs.values())


def _refuse_conflict(
    pair: SentencePair, first: dict[tuple[str, str], tuple[PairLabel, str]], where: str
) -> None:
    label, before = first.setdefault(pair.said, (pair.label, where))
    if label is not pair.label:
        raise SourceError(
            f"{where}: the label is {pair.label.value}, and the same two sentences are labelled "
            f"{label.value} in {before}. Correct one of them, or write conflicts: drop, which "
            "leaves such pairs out"
        )


def _label(text: str, labels: Mapping[str, PairLabel | None], where: str) -> PairLabel | None:
    try:
        return labels[text.strip().lower()]
    except KeyError:
        known = ", ".join(labels)
        raise SourceError(
            f"{where}: unknown label '{text.strip()[:100]}'; known: {known[:500]}"
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
