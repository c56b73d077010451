"""A metric over two dimensions."""

from __future__ import annotations

from sorites_eval.contract.analyses.heat import Heat
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.release import Release
from sorites_eval.reporting.analyses.found import Found
from sorites_eval.reporting.analyses.samples import Evidence, samples
from sorites_eval.reporting.analyses.tables import filled, measured_lines, names_of

__all__ = ["heat"]


def heat(analysis: Analysis, design: Heat, evidence: Evidence, _: Release) -> list[Found]:
    """The metric for each row and column of each panel."""
    rows = (*design.panels, design.rows)
    chosen = samples(analysis, evidence)
    lines = measured_lines(chosen, (*rows, design.columns), (design.metric,))
    named = names_of(lines)
    title, source = analysis.title, analysis.source
    return [
        Found(analysis.name, title, source, rows, (design.columns,), named, filled(lines, named))
    ]
