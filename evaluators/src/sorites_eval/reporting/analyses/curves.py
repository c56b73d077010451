"""How trained models fare as rows are added to what they are trained on."""

from __future__ import annotations

from sorites_eval.contract.analyses.curve import LearningCurve
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.release import Release
from sorites_eval.reporting.analyses.cells import averaged, in_order
from sorites_eval.reporting.analyses.found import TOTAL, Found, Key, Line
from sorites_eval.reporting.analyses.measures import Measures
from sorites_eval.reporting.analyses.samples import Evidence, Scored, scored
from sorites_eval.reporting.analyses.tables import filled, names_of

__all__ = ["curve"]


def curve(analysis: Analysis, design: LearningCurve, evidence: Evidence, _: Release) -> list[Found]:
    """The metric at each step of each curve, for each line and for all items."""
    found: dict[Key, list[Measures]] = {}
    chosen: list[Scored] = []
    for told in evidence.trained:
        if told.task not in analysis.tasks or told.curve not in design.curves:
            continue
        sample = scored(analysis, told)
        chosen.append(sample)
        at: Key = (told.curve, told.model, told.step)
        measured = sample.measured(design.lines, (design.metric,))
        if design.lines:
            whole = sample.measured((), (design.metric,))
            measured |= {(TOTAL,) * len(design.lines): measures for measures in whole.values()}
        for key, measures in measured.items():
            found.setdefault((*at, *key), []).append(measures)
    dimensions = ("curve", "model", "step", *design.lines)
    keys = in_order(found, dimensions, chosen)
    keys.sort(key=lambda key: design.curves.index(str(key[0])))
    lines = [Line(dict(zip(dimensions, key, strict=True)), averaged(found[key])) for key in keys]
    named = names_of(lines)
    return [
        Found(
            name=analysis.name,
            title=analysis.title,
            source=analysis.source,
            rows=("curve", "model", "step"),
            columns=design.lines,
            measures=named,
            lines=filled(lines, named),
            notes=("Step 0 is the base set alone.",),
        )
    ]
