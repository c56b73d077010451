"""Whether the sentences of rows can be read back, each in one way: before anybody else tries."""

from __future__ import annotations

import pyarrow as pa

from sorites.errors import SoritesError
from sorites.families.argument_schemes.read_rows import RowReader
from sorites.logic.formulas import parse

__all__ = ["refuse_unreadable"]

_COLUMNS = [
    "premises",
    "conclusion",
    "premise_formulas",
    "conclusion_formula",
    "bindings",
    "assumptions",
    "domain",
    "wording",
    "polarity",
]

_ARGUMENT = ("argument", "verdict", "polarity", "names")
"""What items share that differ in nothing but the number of distractors."""


def refuse_unreadable(reader: RowReader, table: pa.Table) -> None:
    """Raise SoritesError for names that make a sentence readable in two ways, or in none.

    Of the items of an argument those with the most distractors are read: they hold the sentences
    and the names of all others.
    """
    for row in _fullest(table).select(_COLUMNS).to_pylist():
        formulas = [*row["premise_formulas"], row["conclusion_formula"]]
        predicates = {name for text in formulas for name in parse(text).symbols.predicates}
        said = reader.read(row, predicates)
        if said.faults:
            raise SoritesError(
                f"a sentence cannot be read back: {said.faults[0]}. Let the spec clean the"
                " names or leave them out: ontology.class_names, ontology.individual_names"
            )


def _fullest(table: pa.Table) -> pa.Table:
    """The rows with the most distractors of each argument, under each kind of names."""
    keys = [*zip(*(table[name].to_pylist() for name in _ARGUMENT), strict=True)]
    levels = table["distractors"].to_pylist()
    most: dict[tuple[object, ...], int] = {}
    for key, level in zip(keys, levels, strict=True):
        most[key] = max(level, most.get(key, 0))
    fullest = [most[key] == level for key, level in zip(keys, levels, strict=True)]
    return table.filter(pa.array(fullest, type=pa.bool_()))
