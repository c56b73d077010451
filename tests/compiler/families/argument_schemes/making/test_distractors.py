"""What distractors speak of; where the decision over types and the prover disagree, no release."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random

import pytest

from sorites.engines.serial import Serial
from sorites.errors import SoritesError
from sorites.families.argument_schemes.making.distractors import Distractors
from sorites.families.argument_schemes.making.pairs import build_arguments
from sorites.families.argument_schemes.making.schemes import build_items
from sorites.families.argument_schemes.making.statements import LocalPools, Pool
from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.search.sampling import Spaces
from sorites.families.argument_schemes.search.world import build_world
from sorites.logic.prover import Answer, Prover, Verdict
from sorites.logic.types import TypeProver
from sorites.pipeline import check_spec
from sorites.progress import Silent
from tests.small_spec import SCHEMES, small_spec

TOLLENS = ("generalized modus tollens", "base")
"""A scheme whose second premise may be said of its individual and another class."""


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


def test_a_distractor_that_is_sought_for_an_argument_speaks_of_one_of_its_names(
    tmp_path: Path,
) -> None:
    """With no statements to fall back on, each must be about what the argument is about."""
    spec = check_spec(small_spec(tmp_path, schemes=[*SCHEMES[:1], TOLLENS]))
    plan, _ = read_plan(spec)
    files = {name: pin.file for name, pin in spec.sources.items() if pin.file is not None}
    spaces = Spaces(build_world(plan.ontology.read(files)), trivial=plan.trivial_premises)
    scheme = next(scheme for scheme in plan.schemes if scheme.key == TOLLENS)
    made = build_arguments(plan, scheme, spaces, TypeProver())
    nothing = Pool((), (), {})
    distractors = Distractors(nothing, spaces, Prover(), LocalPools(spaces, plan.seed), 8)
    shared: dict[str, int] = {"predicates": 0, "individuals": 0}
    for pair, seed in product(made.pairs, range(8)):
        count = len(pair.extra) + 1 - len(pair.extra) % 2
        drawn = distractors.draw(pair, count, Random(seed))
        if drawn is None:
            continue
        own = pair.entailed.premises
        for formula in drawn.formulas[len(pair.extra) :]:
            common = {
                kind: {*getattr(formula.symbols, kind)}
                & {name for premise in own for name in getattr(premise.symbols, kind)}
                for kind in shared
            }
            assert any(common.values()), (formula, own)
            for kind, names in common.items():
                shared[kind] += bool(names)
    assert min(shared.values()) > 0, shared
