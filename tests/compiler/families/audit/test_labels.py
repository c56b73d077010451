"""A label is wrong where what is proved is not what it means, also where no label means that."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import pytest

from sorites.families.audit.faults import FaultKind
from tests.compiler.families.audit.specs import audited, write_spec

ARGUMENTS = {
    "entailed": (["all x.(Cat(x) -> Animal(x))", "Cat(tom)"], "Animal(tom)"),
    "undetermined": (["all x.(Cat(x) -> Animal(x))", "Animal(tom)"], "Cat(tom)"),
    "contradicted": (["all x.(Cat(x) -> -Dog(x))", "Cat(tom)"], "Dog(tom)"),
    "inconsistent": (["Cat(tom)", "-Cat(tom)"], "Dog(tom)"),
}
VERDICTS = (*ARGUMENTS,)


@pytest.mark.parametrize("named", [c for n in (2, 3, 4) for c in combinations(VERDICTS, n)])
def test_every_label_of_every_scheme_of_labels(named: tuple[str, ...], tmp_path: Path) -> None:
    rows = [
        {
            "id": f"{verdict}, labelled {label}",
            "premises": premises,
            "conclusion": conclusion,
            "label": label,
        }
        for verdict, (premises, conclusion) in ARGUMENTS.items()
        for label in named
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    spec = write_spec(
        tmp_path,
        {"test": path},
        reading={"notation": "nltk"},
        labels={verdict: verdict for verdict in named},
    )
    found = audited(spec, {"test": path})
    wrong = {fault.id for fault in found.of(FaultKind.WRONG_LABEL)}
    assert wrong == {
        f"{verdict}, labelled {label}"
        for verdict in VERDICTS
        for label in named
        # Premises that cannot all be true are a fault of their own, unless a label says so.
        if verdict != label and (verdict != "inconsistent" or "inconsistent" in named)
    }
    (agreement,) = found.agreements
    assert agreement.differ == len(wrong)
    assert agreement.agree == len(named)
