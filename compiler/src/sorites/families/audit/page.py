"""The audit as one HTML page that needs nothing else, for a person to be sent."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template

from sorites.characters import find_hidden
from sorites.families.audit.audit import Audit
from sorites.families.audit.faults import Fault, FaultKind
from sorites.families.audit.judging import JudgedRow, numbers
from sorites.families.audit.shortcuts import ALLOWED
from sorites.licences import licence_url, name_of
from sorites.printable import printable
from sorites.specfile.model import Spec

__all__ = ["page"]

_EXPLAINED = {
    FaultKind.WRONG_LABEL: "What follows from the premises is not what the label says.",
    FaultKind.CONFLICT: "The same premises, in any order, and the same conclusion, labelled twice.",
    FaultKind.CONTRADICTORY: "From premises that cannot all be true, everything follows.",
    FaultKind.UNKNOWN_LABEL: "The label is none of those that the spec explains.",
    FaultKind.UNREAD: "A text that has no reading. Nothing was repaired.",
    FaultKind.UNDECIDED: "Neither proved nor refuted within the limit.",
    FaultKind.LEAK: "An argument that stands in two splits.",
    FaultKind.DUPLICATE: "An argument that stands twice in a split with one label.",
    FaultKind.TWO_ARITIES: "The name is read as two different predicates or functions.",
    FaultKind.REDUNDANT: "A premise that says nothing beyond the other premises.",
}


@dataclass(frozen=True, slots=True)
class _Line:
    """A premise or the conclusion as the page shows it."""

    mark: str
    text: str
    formula: str
    needed: bool
    troubled: bool


@dataclass(frozen=True, slots=True)
class _Shown:
    """A fault with the row it is of."""

    fault: Fault
    lines: tuple[_Line, ...]
    denied: bool


def page(spec: Spec, found: Audit) -> str:
    """The page: figures, every fault with its row, cues. All text of others is escaped."""
    rows = {(judged.row.split, judged.row.id): judged for judged in found.rows}
    kinds = Counter(fault.kind for fault in found.faults)
    groups = [
        (
            kind,
            _EXPLAINED[kind],
            [_shown(fault, rows[fault.split, fault.id]) for fault in found.of(kind)],
        )
        for kind in FaultKind
        if kinds[kind]
    ]
    sources = [
        (pin, name_of(pin.license), licence_url(pin.license)) for pin in spec.sources.values()
    ]
    return _template().render(
        spec=spec,
        found=found,
        groups=groups,
        sources=sources,
        faulty=len({(fault.split, fault.id) for fault in found.faults}),
        allowed=ALLOWED,
    )


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_visible,
    )
    text = files("sorites.families.audit").joinpath("page.html").read_text(encoding="utf-8")
    return environment.from_string(text)


def _visible(value: object) -> object:
    """Text whose characters that hide or reorder others are shown by their numbers."""
    if isinstance(value, str) and find_hidden(value, allowed="\n\t") is not None:
        return printable(value, allowed="\n\t")
    return value


def _shown(fault: Fault, judged: JudgedRow) -> _Shown:
    row, read = judged.row, judged.read
    raw = (*row.premises, row.conclusion)
    words = row.words if len(row.words) == len(raw) else raw
    needed: set[int] = set()
    if judged.judgements and fault.kind in (FaultKind.WRONG_LABEL, FaultKind.CONTRADICTORY):
        needed = {*numbers(next(iter(judged.judgements.values())).needed)}
    if fault.kind is FaultKind.REDUNDANT:
        needed = {*numbers(judged.redundant)}
    troubled = {trouble.place for trouble in judged.troubles}
    lines = []
    for number, (text, formula) in enumerate(zip(words, raw, strict=True), 1):
        last = number == len(raw)
        shown = formula if read is None else read.texts[number - 1]
        lines.append(
            _Line(
                "⊢" if last else str(number),
                text,
                shown if shown != text else "",
                number in needed and not last,
                ("conclusion" if last else f"premise {number}") in troubled,
            )
        )
    return _Shown(fault, tuple(lines), row.denied)
