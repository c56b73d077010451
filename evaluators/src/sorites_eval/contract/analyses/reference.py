"""Answers of people, or of another data set, beside those of models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.values import Node, each, optional

__all__ = ["Beside", "read_beside"]


@dataclass(frozen=True, slots=True)
class Beside:
    """Metrics of runs and of references on the rows that all of them answered.

    References stand among the models, under their own names. ``totals`` are as in a table.
    """

    references: tuple[str, ...]
    rows: tuple[str, ...]
    metrics: tuple[str, ...]
    totals: tuple[str, ...] = ()


def read_beside(fields: Mapping[str, Node], names: Names) -> Beside:
    """Its fields are ``references``, ``rows``, ``metrics`` and ``totals``."""
    references = each(fields["references"].items(), names.reference)
    if not references or len(set(references)) < len(references):
        raise fields["references"].fail("expected at least one reference, and each once.")
    rows = names.dimensions(fields["rows"])
    totals = optional(fields, "totals", names.dimensions) or ()
    if lost := [dimension for dimension in totals if dimension not in rows]:
        raise fields["totals"].fail(f'"{lost[0]}" is no dimension of the rows.')
    return Beside(references, rows, names.metrics(fields["metrics"]), totals)
