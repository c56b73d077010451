"""How a metric goes with a number, in each run."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.analyses.trend import Trend
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Scalar
from sorites_eval.reporting.analyses.cells import averaged, cells, in_order
from sorites_eval.reporting.analyses.found import TOTAL, Found, Key, Line
from sorites_eval.reporting.analyses.samples import Evidence, samples
from sorites_eval.scoring.statistics import spearman

__all__ = ["Series", "series", "spread", "trend"]

_RUN = ("task", "setting", "model")


@dataclass(frozen=True, slots=True)
class Series:
    """The points of one run: at each level the value in each group that is pooled."""

    run: Mapping[str, Scalar]
    within: Key
    points: tuple[tuple[float, float], ...]


def series(analysis: Analysis, design: Trend, evidence: Evidence) -> list[Series]:
    """The points for each run and each combination of values of ``within``, in order.

    Runs that are alike are averaged point by point.
    """
    chosen = samples(analysis, evidence)
    dimensions = (*_RUN, *design.within, *design.pooled, design.x)
    place = len(_RUN) + len(design.within)
    points: dict[Key, list[tuple[float, float]]] = {}
    for key, several in cells(chosen, dimensions, (design.metric,)).items():
        value, level = averaged(several).get(design.metric), key[-1]
        if isinstance(value, int | float) and isinstance(level, int | float):
            points.setdefault(key[:place], []).append((float(level), float(value)))
    ordered = in_order(points, dimensions[:place], chosen)
    return [
        Series(
            dict(zip(_RUN, key[: len(_RUN)], strict=True)),
            key[len(_RUN) :],
            tuple(sorted(points[key])),
        )
        for key in ordered
    ]


def trend(analysis: Analysis, design: Trend, evidence: Evidence, _: Release) -> list[Found]:
    """Spearman's correlation in each run, within each group and over all groups."""
    lines: list[Line] = []
    together: dict[tuple[Scalar, ...], list[tuple[float, float]]] = {}
    found = series(analysis, design, evidence)
    for one in found:
        lines.append(_line(design, one.run, one.within, one.points))
        together.setdefault(tuple(one.run.values()), []).extend(one.points)
    if design.within:
        for run, points in together.items():
            of_run = dict(zip(_RUN, run, strict=True))
            lines.append(_line(design, of_run, (TOTAL,) * len(design.within), points))
    title, source = analysis.title, analysis.source
    rows = ("task", "setting", *design.within)
    measures = ("rho", "p", "p approximate", "n")
    pooled = f" in each {' × '.join(design.pooled)}" if design.pooled else ""
    notes = (
        f"Spearman's rho of {design.metric} with {design.x}{pooled}; n is the number of points.",
        "p is exact for up to eight points; p approximate is by Student's t, as it is often "
        "printed.",
    )
    return [Found(analysis.name, title, source, rows, ("model",), measures, tuple(lines), notes)]


def _line(
    design: Trend,
    run: Mapping[str, Scalar],
    within: Key,
    points: Sequence[tuple[float, float]],
) -> Line:
    levels, values = [level for level, _ in points], [value for _, value in points]
    test = spearman(levels, values)
    key = {**run, **dict(zip(design.within, within, strict=True))}
    approximate = _approximate(test.effect, len(points))
    return Line(
        key, {"rho": test.effect, "p": test.p, "p approximate": approximate, "n": len(points)}
    )


def _approximate(rho: float | None, n: int) -> float | None:
    """Student's t with n - 2 degrees of freedom."""
    from scipy import stats

    if rho is None or n < 3:
        return None
    if abs(rho) >= 1:
        return 0.0
    t = rho * ((n - 2) / (1 - rho**2)) ** 0.5
    return float(2 * stats.t.sf(abs(t), n - 2))


def spread(points: Sequence[tuple[float, float]]) -> list[tuple[float, float, float, float]]:
    """For each level its mean, its least and its greatest value."""
    levels = sorted({level for level, _ in points})
    found = []
    for level in levels:
        values = [value for at, value in points if at == level]
        found.append((level, statistics.fmean(values), min(values), max(values)))
    return found
