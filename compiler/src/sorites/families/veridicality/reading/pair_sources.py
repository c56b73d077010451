"""How a spec tells what a source of sentence pairs looks like: its format, columns and labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from sorites.sources.sentence_pairs.pairs import (
    DEFAULT_LABELS,
    PairColumns,
    PairLabel,
    PairTable,
)
from sorites.sources.sentence_pairs.table_formats import TableFormat, TableLayout

__all__ = ["DELIMITERS", "LEFT_OUT", "read_pair_table", "table_problems"]

LEFT_OUT = "left_out"
"""The key below which a spec lists labels of pairs that are not to be used."""

_SICK = PairColumns("pair_ID", "sentence_A", "sentence_B", "entailment_label", split="SemEval_set")
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t"}


def read_pair_table(section: Mapping[str, Any]) -> PairTable:
    """The table that a section of a spec describes, which the schema has accepted.

    ``format: sick`` is short for a TSV table with the columns of SICK (Marelli et al. 2014).
    Where columns are named and ``id`` is none of them, rows are numbered.
    """
    sick = section["format"] == "sick"
    named = section.get("columns")
    if named is not None:
        columns = PairColumns(**{"id": None, **named})
    else:
        columns = _SICK if sick else PairColumns()
    return PairTable(
        TableLayout(
            TableFormat.TSV if sick else TableFormat(section["format"]),
            DELIMITERS[section.get("delimiter", "comma")],
            keep_quotes=section.get("quotes") == "keep",
        ),
        columns,
        _labels(section.get("labels")),
        conflicts=section.get("conflicts") == "drop",
    )


def table_problems(section: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with how a section describes its source: the key, the fault and a hint."""
    seen: dict[str, str] = {}
    for meaning, names in section.get("labels", {}).items():
        for name in names:
            folded = str(name).strip().lower()
            if folded in seen:
                yield "labels", f"the label {name} stands for both {seen[folded]} and {meaning}", ""
            seen.setdefault(folded, meaning)
    form = section["format"]
    if "delimiter" in section and form != "csv":
        yield "delimiter", f"a delimiter is of csv, and the format is {form}", "leave it out"
    if "quotes" in section and form not in ("tsv", "sick"):
        yield "quotes", f"quotes are kept in tsv alone, and the format is {form}", "leave it out"
    if "split" in section and read_pair_table(section).columns.split is None:
        hint = "add columns: {split: …}, with the column that names it"
        yield "split", "the source has no column of splits", hint


def _labels(named: Mapping[str, Any] | None) -> Mapping[str, PairLabel | None]:
    if named is None:
        return DEFAULT_LABELS
    return {
        str(name).strip().lower(): None if meaning == LEFT_OUT else PairLabel(meaning)
        for meaning, names in named.items()
        for name in names
    }
