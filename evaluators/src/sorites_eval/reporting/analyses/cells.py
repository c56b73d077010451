"""Metrics by dimensions: computed in each sample, then averaged over the samples of a cell."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from sorites_eval.contract.analyses.names import RUN_DIMENSIONS
from sorites_eval.contract.tasks import Scalar
from sorites_eval.reporting.analyses.found import DEVIATION, TOTAL, Key, Value
from sorites_eval.reporting.analyses.measures import COUNTS, Measures
from sorites_eval.reporting.analyses.samples import Sample

__all__ = ["averaged", "cells", "in_order"]


def cells(
    samples: Sequence[Sample],
    dimensions: Sequence[str],
    metrics: Sequence[str],
    totals: Sequence[str] = (),
) -> dict[Key, list[Measures]]:
    """For each combination of values of the dimensions the measures in each sample, in order.

    With ``totals`` there are further keys, in which each of these dimensions has the value
    ``TOTAL``: for its columns the items of all values are taken together, and the samples of all
    values count as samples of one cell.
    """
    together = [None if dimension in totals else dimension for dimension in dimensions]
    found: dict[Key, list[Measures]] = {}
    for sample in samples:
        for asked in (dimensions, together) if totals else (dimensions,):
            for key, measures in sample.measured(asked, metrics).items():
                found.setdefault(key, []).append(measures)
    return {key: found[key] for key in in_order(found, dimensions, samples)}


def averaged(several: Sequence[Measures]) -> dict[str, Value]:
    """The mean of each measure over samples, and, of two or more, its standard deviation.

    Samples in which a measure is undefined do not count for it.
    """
    found: dict[str, Value] = {}
    for name in dict.fromkeys(name for measures in several for name in measures):
        values = [value for measures in several if (value := measures.get(name)) is not None]
        if len(set(values)) == 1 and isinstance(values[0], int):
            found[name] = values[0]
        else:
            found[name] = statistics.fmean(values) if values else None
        if len(values) > 1 and name not in COUNTS:
            found[name + DEVIATION] = statistics.stdev(values)
    return found


def in_order(
    keys: Iterable[Key], dimensions: Sequence[str], samples: Sequence[Sample]
) -> list[Key]:
    """Keys sorted: runs as they were given, values of columns by size, totals last.

    Settings without examples stand before those with some, as papers have them.
    """
    given = {
        dimension: list(dict.fromkeys(sample.facets[dimension] for sample in samples))
        for dimension in RUN_DIMENSIONS
    }
    given["setting"].sort(key=lambda setting: not str(setting).startswith("zero-shot"))

    def rank(key: Key) -> list[tuple[int, float, str]]:
        return [
            _rank(value, given.get(dimension))
            for value, dimension in zip(key, dimensions, strict=True)
        ]

    return sorted(dict.fromkeys(keys), key=rank)


def _rank(value: Scalar, given: Sequence[Scalar] | None) -> tuple[int, float, str]:
    if value == TOTAL:
        return 3, 0.0, ""
    if given is not None and value in given:
        return 0, given.index(value), ""
    if isinstance(value, int | float):
        return 0, value, ""
    return (2, 0.0, "") if value is None else (1, 0.0, value)
