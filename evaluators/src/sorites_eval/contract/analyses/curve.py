"""How trained models fare as rows are added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.values import Node, each, optional

__all__ = ["LearningCurve", "read_curve"]


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """A metric over the steps of ``curves``, a line for each combination of values of ``lines``.

    Each curve and model has a drawing of its own, side by side.
    """

    curves: tuple[str, ...]
    metric: str
    lines: tuple[str, ...] = ()


def read_curve(fields: Mapping[str, Node], names: Names) -> LearningCurve:
    """Its fields are ``curves``, ``metric`` and ``lines``."""
    curves = each(fields["curves"].items(), names.curve)
    if not curves or len(set(curves)) < len(curves):
        raise fields["curves"].fail("expected at least one curve, and each once.")
    lines = optional(fields, "lines", names.column_list) or ()
    return LearningCurve(curves, names.metric(fields["metric"]), lines)
