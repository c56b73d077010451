"""Schemes that the prover gives up on are told of, and not taken for valid or invalid."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sorites.families.argument_schemes.plan import read_plan
from sorites.families.argument_schemes.scheme_problems import scheme_problems
from sorites.pipeline import check_spec
from tests.small_spec import small_spec

ONE = [("generalized modus ponens", "base")]


def test_a_limit_that_is_met_is_a_problem_of_its_own(tmp_path: Path) -> None:
    spec = check_spec(small_spec(tmp_path, schemes=ONE))
    plan, problems = read_plan(spec)
    assert not problems
    assert not scheme_problems(plan, spec.document)
    told = scheme_problems(replace(plan, resource_limit=1), spec.document)
    assert [(each.path, each.message, each.hint) for each in told] == [
        (
            "schemes[0].conclusion",
            "the prover met its limit and cannot say whether the conclusion follows",
            "raise logic.resource_limit or simplify the scheme",
        )
    ]
