"""What a family hands to the release: tables, what was audited, and what the card should say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from sorites.canonical import Json

__all__ = ["CardSection", "Column", "Content", "Split", "SplitName", "schema_of"]

SplitName = tuple[str, str]
"""A split by the name of its config and its own."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a split: its Arrow type and one sentence on what it holds."""

    name: str
    type: pa.DataType
    description: str


@dataclass(frozen=True, slots=True)
class Split:
    """A split of a config: ``data/CONFIG/NAME-…parquet``, rows in their final order."""

    config: str
    name: str
    description: str
    columns: tuple[Column, ...]
    table: pa.Table

    @property
    def key(self) -> SplitName:
        """The split by its names."""
        return self.config, self.name

    @property
    def names(self) -> frozenset[str]:
        """The names of its columns."""
        return frozenset(column.name for column in self.columns)


@dataclass(frozen=True, slots=True)
class CardSection:
    """A section of the dataset card: a heading and Markdown that the family wrote."""

    heading: str
    markdown: str


@dataclass(frozen=True, slots=True)
class Content:
    """All that a family makes of a spec.

    ``audit`` becomes audit.json; ``counts`` (rows by label and the like) and ``shortfalls``
    (what was asked for and could not be had, a sentence each) go into the manifest;
    ``made``, ``proofs`` and ``rejected`` are Markdown for the card: how the data were made,
    what was proved, what was left out and why. ``files`` are further text files of the release by
    name; ``changes`` is Markdown for its CHANGELOG: what was changed of the sources.
    ``certificates`` is what release.json tells check.py, where there are certificates.
    """

    splits: tuple[Split, ...]
    audit: Mapping[str, Json]
    counts: Mapping[str, Json]
    shortfalls: tuple[str, ...] = ()
    sections: tuple[CardSection, ...] = ()
    proofs: str = ""
    rejected: str = ""
    made: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    changes: str = ""
    certificates: Mapping[str, Json] = field(default_factory=dict)


def schema_of(columns: Sequence[Column]) -> pa.Schema:
    """The Arrow schema of columns, without metadata."""
    return pa.schema([pa.field(column.name, column.type) for column in columns])
