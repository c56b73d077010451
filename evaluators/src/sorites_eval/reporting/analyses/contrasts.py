"""Two levels of a dimension set against each other, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from sorites_eval.contract.analyses.contrast import Contrast
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import label_key
from sorites_eval.reporting.analyses.cells import averaged, cells
from sorites_eval.reporting.analyses.found import DEVIATION, Found, Key, Line, Value
from sorites_eval.reporting.analyses.measures import COUNTS
from sorites_eval.reporting.analyses.samples import Evidence, samples
from sorites_eval.reporting.analyses.tables import minus
from sorites_eval.scoring.statistics import wilcoxon

__all__ = ["contrast"]


def contrast(analysis: Analysis, design: Contrast, evidence: Evidence, _: Release) -> list[Found]:
    """The values at both levels for each line, and a paired test over the lines of each panel."""
    chosen = samples(analysis, evidence)
    dimensions = (*design.panels, *design.lines)
    pairs: dict[Key, list[dict[str, Value] | None]] = {}
    wanted = [label_key(level) for level in design.levels]
    every = (*dimensions, design.between)
    for key, several in cells(chosen, every, design.metrics).items():
        if label_key(key[-1]) in wanted:
            sides = pairs.setdefault(key[:-1], [None, None])
            sides[wanted.index(label_key(key[-1]))] = averaged(several)
    first, second = map(str, design.levels)
    lines: list[Line] = []
    panels: dict[Key, list[tuple[float, float]]] = {}
    for key, sides in pairs.items():
        names = dict.fromkeys(name for side in sides if side for name in side)
        for metric in names:
            if metric in COUNTS or metric.endswith(DEVIATION):
                continue
            before, after = (side.get(metric) if side else None for side in sides)
            at = {**dict(zip(dimensions, key, strict=True)), "measure": metric}
            difference = minus(after, before)
            lines.append(Line(at, {first: before, second: after, "difference": difference}))
            if isinstance(before, int | float) and isinstance(after, int | float):
                panel = (*key[: len(design.panels)], metric)
                panels.setdefault(panel, []).append((float(before), float(after)))
    title, source = analysis.title, analysis.source
    rows = (*dimensions, "measure")
    tests = [_test(design, panel, values) for panel, values in panels.items()]
    note = f"difference: {second} minus {first}."
    values = (first, second, "difference")
    return [
        Found(analysis.name, title, source, rows, (), values, tuple(lines), (note,)),
        Found(
            f"{analysis.name}-tests",
            f"{title}: paired tests over the lines",
            source,
            (*design.panels, "measure"),
            (),
            ("mean difference", "rank-biserial r", "p", "n"),
            tuple(tests),
            ("Wilcoxon's signed-rank test over the lines of each panel, not corrected.",),
        ),
    ]


def _test(design: Contrast, panel: Key, pairs: Sequence[tuple[float, float]]) -> Line:
    before, after = [a for a, _ in pairs], [b for _, b in pairs]
    test = wilcoxon(after, before)
    mean = sum(b - a for a, b in pairs) / len(pairs)
    key = dict(zip((*design.panels, "measure"), panel, strict=True))
    return Line(
        key, {"mean difference": mean, "rank-biserial r": test.effect, "p": test.p, "n": len(pairs)}
    )
