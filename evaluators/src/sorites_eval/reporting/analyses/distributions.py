"""How often there was each kind of reply, or each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sorites_eval.contract.analyses.distribution import Distribution
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.release import Release
from sorites_eval.reporting.analyses.cells import averaged, in_order
from sorites_eval.reporting.analyses.found import DEVIATION, Found, Key, Line
from sorites_eval.reporting.analyses.samples import Answers, Evidence, answers
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import NO_ANSWER, UNMATCHED, Prediction
from sorites_eval.scoring.responses import Response
from sorites_eval.scoring.scores import Number

__all__ = ["distribution"]


def distribution(
    analysis: Analysis, design: Distribution, evidence: Evidence, _: Release
) -> list[Found]:
    """The share of each category for each bar; runs that wrote no text have no kinds of text."""
    chosen = answers(analysis, evidence)
    notes: list[str] = []
    if design.of == "responses":
        scored = [s for s in chosen if any(p.response is None for p in s.predictions)]
        chosen = [s for s in chosen if s not in scored]
        if scored:
            names = "; ".join(" · ".join(map(str, s.facets.values())) for s in scored)
            notes.append(
                f"Left out, since labels were scored and no text was written: {names}. Run them "
                "with --decode."
            )
    dimensions = (*design.panels, *design.bars)
    shares: dict[Key, list[Mapping[str, Number]]] = {}
    categories = _categories(design, chosen)
    for sample in chosen:
        for key, predictions in sample.grouped(dimensions).items():
            counts = Counter(_category(design, p) for p in predictions)
            found = {name: counts[name] / len(predictions) for name in categories}
            shares.setdefault(key, []).append({**found, "n": len(predictions)})
    lines = []
    for key in in_order(shares, dimensions, chosen):
        means = averaged(shares[key])
        values = {name: v for name, v in means.items() if not name.endswith(DEVIATION)}
        lines.append(Line(dict(zip(dimensions, key, strict=True)), values))
    measures = (*categories, "n")
    title, source = analysis.title, analysis.source
    return [
        Found(analysis.name, title, source, dimensions, (), measures, tuple(lines), tuple(notes))
    ]


def _categories(design: Distribution, chosen: Sequence[Answers]) -> tuple[str, ...]:
    """The categories in their order; of answers those that occur and the labels."""
    if design.of == "responses":
        return tuple(map(str, Response))
    if design.of == "outcomes":
        return tuple(map(str, Outcome))
    labels = dict.fromkeys(text for sample in chosen for text in sample.task.answer.labels)
    occurring = {_category(design, p) for sample in chosen for p in sample.predictions}
    return (*labels, *(name for name in (NO_ANSWER, UNMATCHED) if name in occurring))


def _category(design: Distribution, prediction: Prediction) -> str:
    if design.of == "responses":
        return str(prediction.response)
    if design.of == "outcomes":
        return str(prediction.outcome)
    if prediction.label is not None:
        return prediction.label
    return UNMATCHED if prediction.unmatched else NO_ANSWER
