"""Rows of a table for the accuracy on what trained models were chosen by."""

from __future__ import annotations

from collections.abc import Sequence

from sorites_eval.contract.analyses.names import RUN_DIMENSIONS
from sorites_eval.contract.analyses.table import Table
from sorites_eval.reporting.analyses.cells import averaged
from sorites_eval.reporting.analyses.found import Key, Line
from sorites_eval.reporting.analyses.measures import Measures
from sorites_eval.reporting.analyses.samples import Sample, Scored

__all__ = ["VALIDATION", "validated"]

VALIDATION = "validation"
"""The value of a column in a row about the rows that a model was chosen by."""


def validated(design: Table, chosen: Sequence[Sample]) -> tuple[list[Line], tuple[str, ...]]:
    """Lines with the validation accuracies of trained models, for a table that asks for them.

    Rows to validate with may lack some of the columns of the table's rows, as parts of an
    inference lack the label of the other part. All that have the same columns are one line.
    """
    columns = [dimension for dimension in design.rows if dimension not in RUN_DIMENSIONS]
    if not design.validation or "accuracy" not in design.metrics:
        return [], ()
    dimensions = (*design.rows, *design.columns)
    found: dict[Key, list[Measures]] = {}
    for sample in chosen:
        if not isinstance(sample, Scored):
            continue
        parts: dict[Key, list[tuple[float, float]]] = {}
        for row in sample.validated(dimensions):
            there = {c: VALIDATION if row.values[c] is not None else None for c in columns}
            key = tuple(sample.facets.get(d, there.get(d)) for d in dimensions)
            n, accuracy = row.measures["n"], row.measures["accuracy"]
            parts.setdefault(key, []).append((float(n or 0), float(accuracy or 0)))
        for key, several in parts.items():
            total = sum(n for n, _ in several)
            if total:
                share = sum(n * accuracy for n, accuracy in several) / total
                found.setdefault(key, []).append({"n": round(total), "accuracy": share})
    lines = [
        Line(dict(zip(dimensions, key, strict=True)), averaged(several))
        for key, several in found.items()
    ]
    note = "validation: accuracy on the rows with these columns that a model was chosen by."
    return lines, (note,) if lines else ()
