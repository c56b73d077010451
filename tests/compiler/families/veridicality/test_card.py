"""What the card says of the constructions and of the verbs of a release."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from sorites.families.veridicality.card import made
from sorites.families.veridicality.clauses.stacks import Construction
from sorites.families.veridicality.plan import Plan, no_problem, read_plan
from tests.compiler.families.veridicality.conftest import Sample

Chosen = Callable[[Construction], bool]


@pytest.fixture
def plan(environments: Sample) -> Plan:
    """A plan with verbs in every environment, one to three above a pair, active and passive."""
    found = read_plan(environments.document, no_problem)
    assert found is not None
    return found


def around(plan: Plan, chosen: Chosen) -> str:
    """The paragraph on constructions, where the pairs stand in those that are chosen."""
    assert plan.synthetic is not None
    synthetic = replace(plan.synthetic, constructions=tuple(filter(chosen, plan.constructions)))
    card = made(replace(plan, synthetic=synthetic, control=None, naturalistic=None))
    return next((part for part in card.split("\n\n") if " constructions: " in part), "")


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (
            lambda each: each.depth == 1,
            "in 11 constructions: active and passive clauses with one verb, whose main clause is "
            "positive, negated, question, conditional, modal, quantified.",
        ),
        (
            lambda each: each.depth == 1 and not each.passive,
            "in 6 constructions: active clauses with one verb, whose main clause is positive, "
            "negated, question, conditional, modal, quantified.",
        ),
        (
            lambda each: each.depth <= 2 and not each.passive and each.environment == "negated",
            "in 2 constructions: active clauses with up to 2 verbs, whose main clause is negated.",
        ),
        (
            lambda each: each.environment in ("positive", "modal"),
            "in 8 constructions: active and passive clauses with up to 3 verbs, whose main clause "
            "is positive, modal.",
        ),
    ],
)
def test_constructions_are_told_by_voice_depth_and_environment(
    plan: Plan, chosen: Chosen, said: str
) -> None:
    assert around(plan, chosen).startswith(f"The same pairs stand {said} Half of the verbs ")


def test_of_the_usual_construction_alone_nothing_is_told(plan: Plan) -> None:
    assert around(plan, lambda each: each == Construction()) == ""


def test_verbs_and_main_clauses_are_counted(plan: Plan) -> None:
    assert (
        f"There are {len(plan.verbs)} verbs, {1 + len(plan.further_frames)} main clauses and two "
        "tenses; " in made(plan)
    )
