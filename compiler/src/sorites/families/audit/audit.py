"""An audit as a whole: rows, verdicts, faults and cues; and what audit.json says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites.canonical import Json
from sorites.families.audit.faults import Fault, FaultKind, find_faults
from sorites.families.audit.judging import Judge, JudgedRow
from sorites.families.audit.plan import AuditPlan, Universal
from sorites.families.audit.rows import source_rows
from sorites.families.audit.shortcuts import Cue, cues_json, find_cues
from sorites.logic.prover import Verdict
from sorites.progress import Progress

__all__ = ["Agreement", "Audit", "audit_json", "run_audit"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How the given labels stand to the proved ones under a reading of all."""

    universal: Universal
    agree: int
    differ: int
    transitions: Mapping[tuple[str, str], int]
    verdicts: Mapping[Verdict, int]


@dataclass(frozen=True, slots=True)
class Audit:
    """What was found in somebody else's rows."""

    plan: AuditPlan
    rows: tuple[JudgedRow, ...]
    faults: tuple[Fault, ...]
    cues: tuple[Cue, ...]
    agreements: tuple[Agreement, ...]
    questions: int

    @property
    def read(self) -> int:
        """How many rows have a reading."""
        return sum(judged.read is not None for judged in self.rows)

    def of(self, kind: FaultKind) -> list[Fault]:
        """The faults of a kind."""
        return [fault for fault in self.faults if fault.kind is kind]


def run_audit(plan: AuditPlan, files: Mapping[str, Path], progress: Progress) -> Audit:
    """Read, prove and compare every row. Raises SourceError for what is no table as told."""
    given = [*source_rows(plan, files)]
    advance = progress.stage("Proving", len(given))
    judge = Judge(plan)
    rows = []
    for row in given:
        rows.append(judge.row(row))
        advance(1)
    return Audit(
        plan,
        tuple(rows),
        tuple(find_faults(plan, judge, rows)),
        tuple(find_cues(rows)),
        tuple(_agreement(plan, rows, universal) for universal in plan.universals),
        sum(prover.questions for prover in judge.provers.values()),
    )


def _agreement(plan: AuditPlan, rows: Sequence[JudgedRow], universal: Universal) -> Agreement:
    agree, transitions = 0, Counter[tuple[str, str]]()
    verdicts: Counter[Verdict] = Counter()
    for judged in rows:
        if judged.read is None:
            continue
        verdicts[judged.judgements[universal].verdict] += 1
        label = judged.label(plan, universal)
        if label is None or judged.row.label not in plan.labels:
            continue
        if label == judged.row.label:
            agree += 1
        else:
            transitions[judged.row.label, label] += 1
    return Agreement(universal, agree, sum(transitions.values()), transitions, verdicts)


def audit_json(found: Audit) -> dict[str, Json]:
    """The family's entries of audit.json."""
    kinds = Counter(fault.kind for fault in found.faults)
    checks = Counter(
        judged.judgements[found.plan.universals[0]].check.value
        for judged in found.rows
        if judged.read is not None
    )
    return {
        "rows": len(found.rows),
        "read": found.read,
        "readings": {
            each.universal: {
                "agree": each.agree,
                "differ": each.differ,
                "labelled as, proved as": {
                    f"{given}, {proved}": number
                    for (given, proved), number in sorted(each.transitions.items())
                },
                "verdicts": {verdict.value: each.verdicts.get(verdict, 0) for verdict in Verdict},
            }
            for each in found.agreements
        },
        "faults": {kind.value: kinds.get(kind, 0) for kind in FaultKind},
        "faults, one by one": [
            {
                "kind": fault.kind.value,
                "split": fault.split,
                "id": fault.id,
                "message": fault.message,
                "evidence": fault.evidence,
                "key": fault.key,
            }
            for fault in found.faults
        ],
        "checked by": dict(sorted(checks.items())),
        "cues": cues_json(found.cues),
        "prover": {"questions": found.questions},
    }
