"""How each kind of analysis is computed and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from sorites_eval.contract.analyses.contrast import Contrast
from sorites_eval.contract.analyses.curve import LearningCurve
from sorites_eval.contract.analyses.distribution import Distribution
from sorites_eval.contract.analyses.heat import Heat
from sorites_eval.contract.analyses.paired_tests import PairedTests
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.analyses.reference import Beside
from sorites_eval.contract.analyses.table import Table
from sorites_eval.contract.analyses.trend import Trend
from sorites_eval.contract.release import Release
from sorites_eval.reporting.analyses.contrasts import contrast
from sorites_eval.reporting.analyses.curves import curve
from sorites_eval.reporting.analyses.distributions import distribution
from sorites_eval.reporting.analyses.found import Found
from sorites_eval.reporting.analyses.heats import heat
from sorites_eval.reporting.analyses.paired import paired_tests
from sorites_eval.reporting.analyses.samples import Evidence
from sorites_eval.reporting.analyses.tables import beside, table
from sorites_eval.reporting.analyses.trends import trend

if TYPE_CHECKING:
    from sorites_eval.reporting.drawing import Drawn

__all__ = ["COMPUTATIONS", "Computation"]

D = TypeVar("D", Table, Trend, Contrast, Distribution, Heat, PairedTests, LearningCurve, Beside)

Draw = Callable[[Analysis, D, Evidence, Sequence[Found]], "Iterator[Drawn]"]


@dataclass(frozen=True, slots=True)
class Computation(Generic[D]):
    """What computes the tables of a kind; ``drawn`` gives what draws its figures, if it has any.

    That is a function of no arguments, so that matplotlib is imported only for a figure.
    """

    design: type[D]
    compute: Callable[[Analysis, D, Evidence, Release], list[Found]]
    drawn: Callable[[], Draw[D]] | None = None

    def found(self, analysis: Analysis, evidence: Evidence, release: Release) -> list[Found]:
        """The tables of an analysis of this kind."""
        design = analysis.design
        assert isinstance(design, self.design)
        return self.compute(analysis, design, evidence, release)

    def figures(
        self, analysis: Analysis, evidence: Evidence, found: Sequence[Found]
    ) -> Iterator[Drawn]:
        """The figures of an analysis of this kind, given its tables."""
        design = analysis.design
        assert isinstance(design, self.design)
        if self.drawn is not None and any(one.lines for one in found):
            yield from self.drawn()(analysis, design, evidence, found)


def _trend() -> Draw[Trend]:
    from sorites_eval.reporting.analyses.figures.lines import draw_trend

    return draw_trend


def _contrast() -> Draw[Contrast]:
    from sorites_eval.reporting.analyses.figures.levels import draw_contrast

    return draw_contrast


def _distribution() -> Draw[Distribution]:
    from sorites_eval.reporting.analyses.figures.shares import draw_distribution

    return draw_distribution


def _heat() -> Draw[Heat]:
    from sorites_eval.reporting.analyses.figures.grids import draw_heat

    return draw_heat


def _curve() -> Draw[LearningCurve]:
    from sorites_eval.reporting.analyses.figures.lines import draw_curve

    return draw_curve


AnyComputation = (
    Computation[Table]
    | Computation[Trend]
    | Computation[Contrast]
    | Computation[Distribution]
    | Computation[Heat]
    | Computation[PairedTests]
    | Computation[LearningCurve]
    | Computation[Beside]
)

COMPUTATIONS: Mapping[str, AnyComputation] = {
    "table": Computation(Table, table),
    "trend": Computation(Trend, trend, _trend),
    "contrast": Computation(Contrast, contrast, _contrast),
    "distribution": Computation(Distribution, distribution, _distribution),
    "heat": Computation(Heat, heat, _heat),
    "paired-tests": Computation(PairedTests, paired_tests),
    "curve": Computation(LearningCurve, curve, _curve),
    "reference": Computation(Beside, beside),
}
"""For every kind of the contract its computation."""
