from __future__ import annotations

import re
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.logic.formulas import Formula, parse
from sorites.logic.prover import Answer, Prover, Verdict
from sorites.logic.types import Judgement, TypeProver, judge, meaning
from tests.compiler.logic import enumeration
from tests.compiler.logic.enumeration import all_models, models_of, verdict_of
from tests.compiler.logic.families import three, two_with_individuals

OVER_THREE = all_models("FGH")
EVERYTHING = (1 << len(OVER_THREE)) - 1
FORMULAS = three()
MODELS = {formula: models_of(formula, OVER_THREE) for formula in FORMULAS}
MORE = ["F(a)", "-G(b)", "(F(a) | G(b))", "-(F(a) & -H(a))", "(H(a) <-> all x.(F(x) -> G(x)))",
        "(exists x.(F(x) & G(x)) -> all x.-H(x))", "all x.(F(x) <-> G(x))"]  # fmt: skip


def asked(premises: list[str], conclusion: str, **options: bool) -> Judgement | None:
    return judge([parse(text) for text in premises], parse(conclusion), **options)


def test_every_pair_over_three_predicates_has_the_verdict_of_all_models() -> None:
    for premise, conclusion in product(FORMULAS, FORMULAS[::3]):
        expected = verdict_of([MODELS[premise]], MODELS[conclusion], EVERYTHING)
        found = asked([premise], conclusion)
        assert found is not None
        assert found.verdict.value == expected, (premise, conclusion)


@cache
def inhabited(formula: str, names: tuple[str, ...]) -> int:
    return models_of(formula, INHABITED[names])


INHABITED = {
    tuple(names): all_models(names, inhabited=True)
    for size in (1, 2, 3)
    for names in combinations("FGH", size)
}


def test_every_pair_has_the_verdict_of_all_inhabited_models_with_existential_import() -> None:
    for premise, conclusion in product(FORMULAS[::3], FORMULAS[1::4]):
        # Import concerns the predicates that occur, so the models are over those alone.
        names = tuple(sorted(set(re.findall("[FGH]", premise + conclusion))))
        masks = [inhabited(formula, names) for formula in (premise, conclusion)]
        expected = verdict_of(masks[:1], masks[1], (1 << len(INHABITED[names])) - 1)
        found = asked([premise], conclusion, existential_import=True)
        assert found is not None
        assert found.verdict.value == expected, (premise, conclusion)


def test_named_individuals_are_decided_as_all_models_say() -> None:
    models = all_models("FG", "ab")
    formulas = two_with_individuals()
    masks = {formula: models_of(formula, models) for formula in formulas}
    for first, second, conclusion in product(formulas, formulas[::4], formulas[::3]):
        expected = verdict_of(
            [masks[first], masks[second]], masks[conclusion], (1 << len(models)) - 1
        )
        found = asked([first, second], conclusion)
        assert found is not None
        assert found.verdict.value == expected, (first, second, conclusion)


names = st.permutations("FGHIJK").map(lambda chosen: chosen[:3])


@st.composite
def renamed(draw: st.DrawFn) -> str:
    """A formula of a family over three of six predicates."""
    text = draw(st.sampled_from([*FORMULAS, *MORE]))
    chosen = dict(zip("FGH", draw(names), strict=True))
    return re.sub("[FGH]", lambda found: chosen[found[0]], text)


@given(st.lists(renamed(), min_size=1, max_size=5), renamed(), st.booleans())
@settings(max_examples=400, deadline=None, derandomize=True)
def test_verdicts_and_needed_premises_are_those_of_the_solver(
    premises: list[str], conclusion: str, existential_import: bool
) -> None:
    found = asked(premises, conclusion, existential_import=existential_import)
    assert found is not None
    read = [parse(text) for text in premises]
    prover = Prover(existential_import=existential_import)
    assert found.verdict is prover.verdict(read, parse(conclusion))
    if found.verdict is Verdict.ENTAILED:
        for left_out in range(len(read)):
            others = [*read[:left_out], *read[left_out + 1 :]]
            still = prover.entails(others, parse(conclusion)) is Answer.YES
            assert (left_out in found.needed) is not still
    else:
        assert found.needed == frozenset()


@given(st.lists(st.sampled_from(FORMULAS), min_size=1, max_size=4), st.sampled_from(FORMULAS))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_the_prover_over_types_answers_as_brute_force(premises: list[str], other: str) -> None:
    prover = TypeProver()
    read = [parse(text) for text in premises]
    yes = {True: Answer.YES, False: Answer.NO}
    assert prover.satisfiable(read) is yes[enumeration.satisfiable(premises)]
    assert prover.entails(read, parse(other)) is yes[enumeration.entails(premises, other)]
    assert prover.checks == 0
    assert prover.decided == 2


@pytest.mark.parametrize(
    "text",
    ["all x.exists y.(F(x) & G(y))", "all x.(F(x) -> G(a))", "all x.R(x,x)", "R(a,b)"],
)
def test_what_types_cannot_decide_is_left_to_the_solver(text: str) -> None:
    formula = parse(text)
    assert judge([formula], formula) is None
    prover = TypeProver()
    assert prover.entails([formula], formula) is Answer.YES
    assert (prover.checks, prover.decided) == (1, 0)


def chain(length: int) -> list[Formula]:
    return [parse(f"all x.(P{step}(x) -> P{step + 1}(x))") for step in range(length)]


def test_a_question_of_too_many_shared_predicates_is_left_to_the_solver() -> None:
    assert judge(chain(15), parse("all x.(P0(x) -> P15(x))")) == Judgement(
        Verdict.ENTAILED, frozenset(range(15))
    )
    long, conclusion = chain(16), parse("all x.(P0(x) -> P16(x))")
    assert judge(long, conclusion) is None
    assert TypeProver().verdict(long, conclusion) is Verdict.ENTAILED


def test_predicates_that_stand_in_one_formula_alone_cost_nothing() -> None:
    own = [parse("all x.(F(x) -> G(x))"), parse("F(a)")]
    others = [parse(f"all x.((P{at}(x) & Q{at}(x)) -> (F(x) | R{at}(x)))") for at in range(40)]
    assert judge([*own, *others], parse("G(a)")) == Judgement(Verdict.ENTAILED, frozenset({0, 1}))


def test_existential_import_holds_for_a_predicate_that_is_projected_away() -> None:
    # Every F outside G: with somebody in F, somebody is outside G.
    premise, conclusion = parse("all x.(F(x) -> -G(x))"), parse("exists x.-G(x)")
    assert judge([premise], conclusion) == Judgement(Verdict.UNDETERMINED)
    assert judge([premise], conclusion, existential_import=True) == Judgement(
        Verdict.ENTAILED, frozenset({0})
    )


def test_meanings_are_equal_exactly_where_formulas_are_equivalent() -> None:
    texts = [*FORMULAS[::3], "F(a)", "--F(a)", "(F(a) & G(a))", "-(-F(a) | -G(a))", "F(b)"]
    read = [parse(text) for text in texts]
    prover = TypeProver()
    for first, second in combinations(read, 2):
        both = (
            prover.entails([first], second) is Answer.YES
            and prover.entails([second], first) is Answer.YES
        )
        assert (meaning(first, "FGH") == meaning(second, "FGH")) is both, (first, second)
    mixed = parse("(F(a) | exists x.G(x))")
    assert meaning(mixed, "FG") == (mixed.text,)
