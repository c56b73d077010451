"""How often there was each kind of reply, or each answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.values import Node, optional

__all__ = ["CATEGORIES", "Distribution", "read_distribution"]

CATEGORIES = ("responses", "answers", "outcomes")
"""What can be counted: kinds of text as the papers tell them apart, labels, how replies ended."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """Shares of categories, a bar for each combination of ``bars``, a drawing for each panel."""

    of: str
    bars: tuple[str, ...]
    panels: tuple[str, ...] = ()


def read_distribution(fields: Mapping[str, Node], names: Names) -> Distribution:
    """Its fields are ``of``, ``bars`` and ``panels``."""
    found = Distribution(
        fields["of"].one_of(CATEGORIES),
        names.dimensions(fields["bars"]),
        optional(fields, "panels", names.dimensions) or (),
    )
    if set(found.bars) & set(found.panels):
        raise fields["panels"].fail("a dimension can be only one of bars and panels.")
    return found
