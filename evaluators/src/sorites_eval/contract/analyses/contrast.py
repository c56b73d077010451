"""Two levels of a dimension set against each other, line by line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.tasks import Scalar
from sorites_eval.contract.values import Node, optional

__all__ = ["Contrast", "read_contrast"]


@dataclass(frozen=True, slots=True)
class Contrast:
    """Metrics at two levels of the dimension ``between``.

    Each combination of values of ``lines`` is a line from the first level to the second; each of
    ``panels`` has a drawing and a test of its own.
    """

    between: str
    levels: tuple[Scalar, Scalar]
    lines: tuple[str, ...]
    metrics: tuple[str, ...]
    panels: tuple[str, ...] = ()


def read_contrast(fields: Mapping[str, Node], names: Names) -> Contrast:
    """Its fields are ``between``, ``levels``, ``lines``, ``metrics`` and ``panels``."""
    between = names.dimension(fields["between"])
    found = Contrast(
        between,
        names.levels(between, fields["levels"]),
        names.dimensions(fields["lines"]),
        names.metrics(fields["metrics"]),
        optional(fields, "panels", names.dimensions) or (),
    )
    if not found.lines:
        raise fields["lines"].fail("expected at least one dimension.")
    if between in (*found.lines, *found.panels) or set(found.lines) & set(found.panels):
        raise fields["lines"].fail("a dimension can be only one of between, lines and panels.")
    return found
