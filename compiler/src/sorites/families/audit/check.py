"""Everything wrong with the sections of a spec of this kind that its schema cannot see."""

from __future__ import annotations

from typing import Any, cast

from sorites.errors import Problem
from sorites.families.audit.plan import read_plan
from sorites.names import did_you_mean
from sorites.specfile.model import Spec

__all__ = ["check"]


def check(spec: Spec) -> list[Problem]:
    """Every problem of the sections of this kind, each with its position; reads no source."""
    problems: list[Problem] = []
    data = cast("dict[str, Any]", spec.document.data)

    def report(path: tuple[str | int, ...], message: str, hint: str) -> None:
        problems.append(spec.document.problem(path, message, hint))

    read_plan(data, report)
    for split, source in data["data"]["splits"].items():
        if source not in spec.sources:
            report(
                ("data", "splits", split),
                f"there is no source {source}",
                did_you_mean(source, spec.sources),
            )
    return problems
