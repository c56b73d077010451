"""Gold premises of a row: enough, and each of them needed, by types as by the prover."""

from __future__ import annotations

from itertools import chain, combinations

import pytest

from sorites.families.argument_schemes.reprove import _only_minimal
from sorites.logic.deciding import decide
from sorites.logic.formulas import parse
from sorites.logic.prover import Prover
from tests.compiler.logic.texts import parsed

ARGUMENTS = [
    (["all x.(F(x) -> G(x))", "F(a)", "H(a)"], "G(a)", (0, 1)),
    (["H(a)", "F(a)", "all x.(F(x) -> G(x))", "all x.(G(x) -> H(x))"], "G(a)", (1, 2)),
    # Two ways to the conclusion: there is no only set.
    (["all x.(F(x) -> G(x))", "F(a)", "all x.(H(x) -> G(x))", "H(a)"], "G(a)", None),
    (["F(a)", "H(a)"], "G(a)", None),
]


@pytest.mark.parametrize(("premises", "conclusion", "only"), ARGUMENTS)
def test_of_all_sets_of_premises_one_is_gold_at_most(
    premises: list[str], conclusion: str, only: tuple[int, ...] | None, prover: Prover
) -> None:
    formulas, last = parsed(premises), parse(conclusion)
    needed = decide(prover, formulas, last).needed
    numbers = range(len(premises))
    sets = [*chain.from_iterable(combinations(numbers, size) for size in range(len(premises) + 1))]
    for proved in (True, False):
        found = [
            gold
            for gold in sets
            if _only_minimal(formulas, gold, last, needed, prover, proved=proved)
        ]
        assert found == ([] if only is None else [only])
