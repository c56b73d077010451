"""Everything wrong with the sections of a spec of this kind that its schema cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from sorites.errors import Problem
from sorites.families.veridicality.plan import read_plan
from sorites.specfile.model import Spec

__all__ = ["check"]

_CONDITIONS = ("nc", "sa", "nd")


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
    for name, pin in spec.sources.items():
        lost = [c for c in _conditions(pin.license) if c not in _conditions(spec.license)]
        if lost:
            report(
                ("license",),
                f"{spec.license} is laxer than {pin.license}, the licence of the source {name}",
                f"the licence of the release must have {' and '.join(lost)} too",
            )
    return problems


def _named_sources(data: dict[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for section in ("naturalistic", "human"):
        if section in data:
            yield (section, "source"), data[section]["source"]


def _conditions(licence: str) -> list[str]:
    """The conditions of a Creative Commons licence that its adaptations must keep."""
    parts = licence.split("-")
    return [c for c in _CONDITIONS if c in parts] if parts[0] == "cc" else []
