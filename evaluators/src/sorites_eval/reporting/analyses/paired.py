"""Many paired tests under one correction."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sorites_eval.contract.analyses.names import RUN_DIMENSIONS
from sorites_eval.contract.analyses.paired_tests import Family, PairedTests
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Scalar
from sorites_eval.reporting.analyses.found import Found, Key, Line
from sorites_eval.reporting.analyses.measures import COUNTS
from sorites_eval.reporting.analyses.samples import Evidence, Sample, samples
from sorites_eval.scoring.statistics import adjust, wilcoxon

__all__ = ["paired_tests"]

Group = tuple[str, Key]
"""A measure in a group of items; each gives one value of a run."""

POOLED = "all measures"


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Two lists of paired values, and what they are of."""

    key: Mapping[str, Scalar]
    first: Sequence[float]
    second: Sequence[float]


def paired_tests(
    analysis: Analysis, design: PairedTests, evidence: Evidence, _: Release
) -> list[Found]:
    """How many tests of each family are significant, and every test with its adjusted p."""
    chosen = samples(analysis, evidence)
    compared = [
        comparison
        for name, family in design.families.items()
        for comparison in _comparisons(name, family, _values(design, family, chosen))
    ]
    tests = [wilcoxon(comparison.first, comparison.second) for comparison in compared]
    adjusted = adjust([test.p for test in tests])
    lines = [
        Line(
            comparison.key,
            {
                "n": test.n,
                "median difference": _median(comparison),
                "rank-biserial r": test.effect,
                "p": test.p,
                "p adjusted": p,
                "significant": p is not None and p < design.level,
            },
        )
        for comparison, test, p in zip(compared, tests, adjusted, strict=True)
    ]
    families = [_counted(name, lines) for name in design.families]
    notes = (
        f"Wilcoxon's signed-rank test of {design.metric} over the groups of "
        f"{' × '.join(design.unit)}. Benjamini–Yekutieli over all {len(lines):,} tests of all "
        f"families; level {design.level:g}. Where all pairs are equal there is no test.",
    )
    title, source = analysis.title, analysis.source
    rows = ("family", *RUN_DIMENSIONS, "measure", "first", "second")
    values = ("n", "median difference", "rank-biserial r", "p", "p adjusted", "significant")
    counts = ("tests", "significant", "first higher", "second higher")
    whole = Found(analysis.name, title, source, ("family",), (), counts, tuple(families), notes)
    every = f"{title}: every test"
    return [
        whole,
        Found(f"{analysis.name}-tests", every, source, rows, (), values, tuple(lines), notes),
    ]


def _counted(family: str, lines: Sequence[Line]) -> Line:
    own = [line for line in lines if line.key["family"] == family]
    signs = [line.values["rank-biserial r"] for line in own if line.values["significant"]]
    higher = sum(isinstance(sign, float) and sign > 0 for sign in signs)
    counts = {"tests": len(own), "significant": len(signs), "first higher": higher}
    return Line({"family": family}, {**counts, "second higher": len(signs) - higher})


def _median(comparison: _Comparison) -> float:
    pairs = zip(comparison.first, comparison.second, strict=True)
    return statistics.median(a - b for a, b in pairs)


def _values(
    design: PairedTests, family: Family, chosen: Sequence[Sample]
) -> dict[Key, dict[Group, float]]:
    """The values of each model, setting and task, averaged over runs that are alike in these."""
    settings = dict.fromkeys(s.facets["setting"] for s in chosen if not s.everywhere)
    found: dict[Key, dict[Group, list[float]]] = {}
    for sample in chosen:
        model, setting, task = (sample.facets[dimension] for dimension in RUN_DIMENSIONS)
        if sample.everywhere and family.between == "setting":
            continue
        places = ([*settings] or [""]) if sample.everywhere else [setting]
        for key, measures in sample.measured(design.unit, (design.metric,)).items():
            for name, value in measures.items():
                if value is not None and name not in COUNTS:
                    for place in places:
                        of_run = found.setdefault((model, place, task), {})
                        of_run.setdefault((name, key), []).append(float(value))
    return {
        run: {group: statistics.fmean(values) for group, values in groups.items()}
        for run, groups in found.items()
    }


def _comparisons(
    name: str, family: Family, values: Mapping[Key, Mapping[Group, float]]
) -> Iterator[_Comparison]:
    at = RUN_DIMENSIONS.index(family.between)
    alike: dict[Key, list[Key]] = {}
    for run in values:
        alike.setdefault((*run[:at], None, *run[at + 1 :]), []).append(run)
    for rest, several in alike.items():
        for one, other in _pairs(family, several, at):
            told = {"first": one[at], "second": other[at]}
            key = {"family": name, **dict(zip(RUN_DIMENSIONS, rest, strict=True)), **told}
            both = [group for group in values[one] if group in values[other]]
            names = dict.fromkeys(measure for measure, _ in both)
            for measure in _measures(family, [*names]):
                groups = [group for group in both if measure in (POOLED, group[0])]
                first, second = ([values[run][g] for g in groups] for run in (one, other))
                yield _Comparison({**key, "measure": measure}, first, second)


def _pairs(family: Family, runs: Sequence[Key], at: int) -> Iterator[tuple[Key, Key]]:
    if family.levels is None:
        yield from combinations(runs, 2)
        return
    by_level = {run[at]: run for run in runs}
    if all(level in by_level for level in family.levels):
        yield by_level[family.levels[0]], by_level[family.levels[1]]


def _measures(family: Family, names: Sequence[str]) -> list[str]:
    each = [] if family.measures == "pooled" else [*names]
    return each + ([POOLED] if family.measures != "each" else [])
