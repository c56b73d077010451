"""Everything wrong with the sections of a spec of this kind that its schema cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from sorites.errors import Problem
from sorites.families.veridicality.plan import read_plan
from sorites.specfile.model import Spec

__all__ = ["check"]


def check(spec: Spec) -> list[Problem]:
    """Every problem of the sections of this kind, each with its position; reads no source."""
    problems: list[Problem] = []
    data = cast("dict[str, Any]", spec.document.data)

    def report(path: tuple[str | int, ...], message: str, hint: str) -> None:
        problems.append(spec.document.problem(path, message, hint))

    read_plan(data, report)
    for path, source in _named_sources(data):
        if source not in spec.sources:
            known = ", ".join(spec.sources)
            report(path, f"there is no source {source}", f"the sources are: {known}")
    return problems


def _named_sources(data: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for section in ("naturalistic", "human"):
        if section in data:
            yield (section, "source"), data[section]["source"]
