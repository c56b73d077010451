"""The figures of two published data sets, where their files are at hand."""

from __future__ import annotations

from pathlib import Path

from sorites.families.audit.audit import run_audit
from sorites.families.audit.build import plan_of
from sorites.families.audit.faults import FaultKind
from sorites.pipeline import check_spec
from sorites.progress import Silent


def test_folio(root: Path, shared_data: Path) -> None:
    plan = plan_of(check_spec(root / "specs" / "audits" / "folio.yaml"))
    file = shared_data / "audit" / "folio-validation.jsonl"
    found = run_audit(plan, {"folio": file}, Silent())
    assert (len(found.rows), found.read) == (204, 199)
    (agreement,) = found.agreements
    assert agreement.agree == 191
    assert dict(agreement.transitions) == {
        ("False", "Uncertain"): 4,
        ("True", "Uncertain"): 3,
        ("Uncertain", "False"): 1,
    }
    unread = {fault.id: fault.message for fault in found.of(FaultKind.UNREAD)}
    assert [*unread] == ["3", "88", "109", "110", "111"]
    assert unread["3"] == "conclusion: at character 84: ) closes no bracket"
    assert all(fault.evidence for fault in found.of(FaultKind.WRONG_LABEL))
    assert found.of(FaultKind.WRONG_LABEL)[2].evidence == (
        "From premises 3, 5 and 6 the negation of the conclusion follows."
    )


def test_reasoning_gym_under_both_readings(root: Path, shared_data: Path) -> None:
    plan = plan_of(check_spec(root / "specs" / "audits" / "reasoning-gym-syllogism.yaml"))
    file = shared_data / "audit" / "reasoning-gym-syllogism.jsonl"
    found = run_audit(plan, {"syllogisms": file}, Silent())
    assert (len(found.rows), found.read) == (2_000, 2_000)
    modern, existential = found.agreements
    assert (modern.universal, dict(modern.transitions)) == ("modern", {("Yes", "No"): 590})
    assert (existential.universal, dict(existential.transitions)) == (
        "existential",
        {("Yes", "No"): 255},
    )
    # Whatever is wrong where all says that there is some is wrong where it does not.
    both = [f for f in found.of(FaultKind.WRONG_LABEL) if len(f.universals) == 2]
    assert len(found.faults) == 590
    assert len(both) == 255
