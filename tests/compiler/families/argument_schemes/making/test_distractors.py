"""Where the decision over types and the prover disagree, there is no release."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorites.engines.serial import Serial
from sorites.errors import SoritesError
from sorites.families.argument_schemes.making.schemes import build_items
from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.search.world import build_world
from sorites.logic.prover import Answer, Prover, Verdict
from sorites.pipeline import check_spec
from sorites.progress import Silent
from tests.small_spec import SCHEMES, small_spec


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("only_minimal_set", Answer.NO),
        ("redundant", (0,)),
        ("verdict", Verdict.UNKNOWN),
    ],
)
def test_one_answer_otherwise_is_enough(
    question: str, answer: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question alone is answered otherwise than the decision over types answers it."""
    spec = check_spec(small_spec(tmp_path, schemes=SCHEMES[:1]))
    plan, _ = read_plan(spec)
    files = {name: pin.file for name, pin in spec.sources.items() if pin.file is not None}
    world = build_world(plan.ontology.read(files))
    monkeypatch.setattr(Prover, question, lambda *_: answer)
    with pytest.raises(SoritesError, match="the decision over types and the prover disagree"):
        build_items(plan, world, engine=Serial(), progress=Silent())
