from __future__ import annotations

import json
from pathlib import Path

import pytest

from sorites.families.audit.faults import FaultKind
from sorites.logic.notations.known import NOTATIONS
from tests.compiler.families.audit.planted import planted
from tests.compiler.families.audit.specs import audited, write_spec


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("notation", NOTATIONS)
def test_every_planted_fault_is_found_and_no_other(
    tmp_path: Path, notation: str, seed: int
) -> None:
    made = planted(notation, seed)
    files = made.write(tmp_path)
    found = audited(write_spec(tmp_path, files, reading={"notation": notation}), files)
    kinds = {kind for kind, _, _ in made.expected}
    assert kinds == {*FaultKind} - {
        FaultKind.DUPLICATE,
        FaultKind.UNKNOWN_LABEL,
        FaultKind.UNDECIDED,
    }
    assert {(fault.kind, fault.split, fault.id) for fault in found.faults} == made.expected
    assert len(found.faults) == len(made.expected)
    assert len(found.rows) == sum(map(len, made.rows.values())) == 39


def test_the_kinds_that_are_left(tmp_path: Path) -> None:
    """A duplicate, a label that is none, and an argument that the prover gives up on."""
    file = tmp_path / "rows.jsonl"
    endless = [
        "∀x ∃y R(x,y)",
        "∀x ∀y ∀z (R(x,y) ∧ R(y,z) → R(x,z))",
        "∀x ¬R(x,x)",
    ]
    rows = [
        {"id": "1", "premises": ["F(a)"], "conclusion": "F(a)", "label": "entailment"},
        {"id": "2", "premises": ["F(a)"], "conclusion": "F(a)", "label": "entailment"},
        {"id": "3", "premises": ["F(b)"], "conclusion": "F(b)", "label": "Entailment"},
        {"id": "4", "premises": endless, "conclusion": "F(a)", "label": "neutral"},
        {"id": "5", "premises": ["F(c)"], "conclusion": "G(c)", "label": None},
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    files = {"train": file}
    found = audited(write_spec(tmp_path, files, reading={"notation": "folio"}), files)
    assert [(fault.kind, fault.id, fault.message) for fault in found.faults] == [
        (FaultKind.DUPLICATE, "2", "train/1 is the same argument"),
        (
            FaultKind.UNKNOWN_LABEL,
            "3",
            "the label Entailment is none of entailment, neutral, contradiction",
        ),
        (FaultKind.UNDECIDED, "4", "the prover met its limit"),
        (FaultKind.UNKNOWN_LABEL, "5", "it has no label"),
    ]


def test_a_premise_that_is_not_needed_is_told_by_its_place(tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    needed, spare = ["F(a)", "∀x (F(x) → G(x))"], "G(a)"
    orders = [[spare, *needed], [needed[0], spare, needed[1]], [*needed, spare]]
    rows = [
        {"id": str(place), "premises": premises, "conclusion": f"H(a{place})", "label": "neutral"}
        for place, premises in enumerate(orders, 1)
    ]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    files = {"train": file}
    found = audited(write_spec(tmp_path, files, reading={"notation": "folio"}), files)
    assert [(fault.id, fault.message) for fault in found.faults] == [
        (str(place), f"premise {place} follows from the others") for place in (1, 2, 3)
    ]
