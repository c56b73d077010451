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

    metric: str
    curves: tuple[str, ...]
    lines: tuple[str, ...] = ()


def read_curve(fields: Mapping[str, Node], names: Names) -> LearningCurve:
    """Its fields are ``metric``, ``lines``, and ``curves``, all that there are if not given."""
    given = optional(fields, "curves", lambda node: each(node.items(), names.curve))
    curves = names.curves() if given is None else given
    if given is not None and (not given or len(set(given)) < len(given)):
        raise fields["curves"].fail("expected at least one curve, and each once.")
    if not curves:
        raise fields["metric"].fail("no task has a curve.")
    lines = optional(fields, "lines", names.column_list) or ()
    return LearningCurve(names.metric(fields["metric"]), curves, lines)
