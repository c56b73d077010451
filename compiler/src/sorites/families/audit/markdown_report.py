"""The audit as Markdown: what a maintainer can be sent in an issue."""

from __future__ import annotations

from collections import Counter

from sorites.families.audit.audit import Audit
from sorites.families.audit.faults import FaultKind
from sorites.families.audit.shortcuts import ALLOWED
from sorites.licences import name_of
from sorites.release.describe.markdown import code, escape, table
from sorites.specfile.model import Spec

__all__ = ["agreement_table", "cues_table", "faults_by_kind", "markdown_report"]


def markdown_report(spec: Spec, found: Audit) -> str:
    """The whole audit: figures, then every fault, then cues."""
    parts = [
        f"# Audit of {escape(spec.title)}",
        _sources(spec),
        f"{len(found.rows):,} rows, of which {found.read:,} were read, "
        f"{escape(found.plan.reader.describes)}. Labels are judged against what was read: whether "
        "a formula says what its sentence says is not asked.",
        agreement_table(found),
        "## Faults",
        faults_by_kind(found),
    ]
    for kind in FaultKind:
        faults = found.of(kind)
        if not faults:
            continue
        rows = [
            [
                code(f"{fault.split}/{fault.id}"),
                escape(fault.message),
                escape(fault.evidence),
            ]
            for fault in faults
        ]
        parts += [
            f"### {kind.value.capitalize()} ({len(faults):,})",
            table(["row", "what is wrong", "what shows it"], rows),
        ]
    if found.cues:
        parts += ["## Cues to the given labels", cues_table(found)]
    return "\n\n".join(parts) + "\n"


def _sources(spec: Spec) -> str:
    rows = [
        [code(pin.id), escape(pin.version), escape(pin.attribution), escape(name_of(pin.license))]
        for pin in spec.sources.values()
    ]
    return table(["source", "version", "attribution", "licence"], rows)


def agreement_table(found: Audit) -> str:
    """How given labels stand to proved ones, under each reading of all."""
    rows = []
    for each in found.agreements:
        rows.append(
            [f"{each.universal}: agree", "", "", f"{each.agree:,}"],
        )
        rows += [
            [f"{each.universal}: differ", escape(given), escape(proved), f"{number:,}"]
            for (given, proved), number in sorted(each.transitions.items())
        ]
    return table(["reading of all", "labelled", "proved", "rows"], rows, right=[3])


def faults_by_kind(found: Audit) -> str:
    """How many faults there are of each kind."""
    counts = Counter(fault.kind for fault in found.faults)
    if not counts:
        return "None was found."
    rows = [[kind.value, f"{counts[kind]:,}"] for kind in FaultKind if counts[kind]]
    return table(["fault", "rows"], rows, right=[1])


def cues_table(found: Audit) -> str:
    """How far each reader of a part of the argument tells a label from the others."""
    rows = [
        [
            escape(cue.sees),
            escape(cue.label),
            f"{cue.accuracy:.3f}",
            f"{cue.share:.3f}",
            "yes" if cue.beyond else "",
        ]
        for cue in found.cues
    ]
    told = table(
        ["a reader of", "tells", "accuracy", "more frequent answer", "a cue"], rows, right=[2, 3]
    )
    return (
        "Readers that see a part of an argument, trained on four fifths of the stories and tried "
        "on the rest. A cue is an accuracy above that of the more frequent answer and "
        f"{ALLOWED:.2f}, by more than chance (exact tests, Holm, 0.01).\n\n{told}"
    )
