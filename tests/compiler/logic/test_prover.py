from __future__ import annotations

import re
from functools import cache
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.logic.prover import Answer, Verdict
from tests.compiler.logic import enumeration
from tests.compiler.logic.enumeration import (
    TypeModel,
    all_models,
    models_of,
    read,
    true_in,
    verdict_of,
)
from tests.compiler.logic.families import three, two_with_individuals
from tests.compiler.logic.texts import TextProver

OVER_THREE = all_models("FGH")
EVERYTHING = (1 << len(OVER_THREE)) - 1
FORMULAS = three()
MODELS = {formula: models_of(formula, OVER_THREE) for formula in FORMULAS}


def test_the_enumeration_lists_every_set_of_types() -> None:
    assert len(OVER_THREE) == 2 ** (2**3) - 1
    assert len(all_models("FG", "ab")) == 80
    assert len(FORMULAS) == 192


def test_the_two_independent_oracles_agree() -> None:
    for first, second in product(FORMULAS[::5], FORMULAS[1::7]):
        possible = MODELS[first] & MODELS[second] != 0
        assert enumeration.satisfiable([first, second]) is possible, (first, second)


def test_every_pair_over_three_predicates_has_the_verdict_of_all_models() -> None:
    prover = TextProver()
    # Up to renaming, every pair begins with a formula that names F before G before H.
    first = [formula for formula in FORMULAS if _is_in_order(formula)]
    assert len(first) == 56
    for premise, conclusion in product(first, FORMULAS):
        expected = verdict_of([MODELS[premise]], MODELS[conclusion], EVERYTHING)
        assert prover.verdict([premise], conclusion).value == expected, (premise, conclusion)
    proved = prover.checks
    # The others are equal to one of those up to renaming, so no solver is asked again.
    for premise, conclusion in product(FORMULAS[::5], FORMULAS[::7]):
        expected = verdict_of([MODELS[premise]], MODELS[conclusion], EVERYTHING)
        assert prover.verdict([premise], conclusion).value == expected, (premise, conclusion)
    assert prover.checks <= 2 * proved


def _is_in_order(formula: str) -> bool:
    names = list(dict.fromkeys(re.findall("[FGH]", formula)))
    return names == list("FGH")[: len(names)]


def test_every_pair_has_the_verdict_of_all_inhabited_models_with_existential_import() -> None:
    prover = TextProver(existential_import=True)
    for premise, conclusion in product(FORMULAS[::5], FORMULAS[1::5]):
        # Import concerns the predicates that occur, so the models are over those alone.
        names = tuple(sorted(set(re.findall("[FGH]", premise + conclusion))))
        masks = [_inhabited(formula, names) for formula in (premise, conclusion)]
        expected = verdict_of(masks[:1], masks[1], (1 << len(INHABITED[names])) - 1)
        assert prover.verdict([premise], conclusion).value == expected, (premise, conclusion)


@cache
def _inhabited(formula: str, names: tuple[str, ...]) -> int:
    return models_of(formula, INHABITED[names])


INHABITED = {
    tuple(names): all_models(names, inhabited=True)
    for size in (1, 2, 3)
    for names in combinations("FGH", size)
}


def test_every_pair_with_named_individuals_has_the_verdict_of_all_models() -> None:
    prover = TextProver()
    models = all_models("FG", "ab")
    formulas = two_with_individuals()
    masks = {formula: models_of(formula, models) for formula in formulas}
    everything = (1 << len(models)) - 1
    for premise, conclusion in product(formulas, repeat=2):
        expected = verdict_of([masks[premise]], masks[conclusion], everything)
        assert prover.verdict([premise], conclusion).value == expected, (premise, conclusion)


MOODS = {
    "A": "all x.({0}(x) -> {1}(x))",
    "E": "all x.({0}(x) -> -{1}(x))",
    "I": "exists x.({0}(x) & {1}(x))",
    "O": "exists x.({0}(x) & -{1}(x))",
}
FIGURES = {1: ("MP", "SM"), 2: ("PM", "SM"), 3: ("MP", "MS"), 4: ("PM", "MS")}
UNCONDITIONAL = {
    "AAA-1", "EAE-1", "AII-1", "EIO-1", "EAE-2", "AEE-2", "EIO-2", "AOO-2",
    "IAI-3", "AII-3", "OAO-3", "EIO-3", "AEE-4", "IAI-4", "EIO-4",
}  # fmt: skip
WITH_IMPORT = {
    "AAI-1", "EAO-1", "EAO-2", "AEO-2", "AAI-3", "EAO-3", "AAI-4", "AEO-4", "EAO-4",
}  # fmt: skip


@pytest.mark.parametrize(
    ("existential_import", "valid"),
    [(False, UNCONDITIONAL), (True, UNCONDITIONAL | WITH_IMPORT)],
    ids=["15 without existential import", "24 with it"],
)
def test_aristotles_256_forms(existential_import: bool, valid: set[str]) -> None:
    prover = TextProver(existential_import=existential_import)
    found = {
        f"{major}{minor}{conclusion}-{figure}"
        for major, minor, conclusion in product(MOODS, repeat=3)
        for figure, (first, second) in FIGURES.items()
        if prover.entails(
            [MOODS[major].format(*first), MOODS[minor].format(*second)],
            MOODS[conclusion].format("S", "P"),
        )
        is Answer.YES
    }
    assert found == valid
    assert len(valid) == (24 if existential_import else 15)


PROVER = TextProver()
"""Shared by the properties below, as one is by the rows of a release."""

arguments = st.tuples(
    st.lists(st.sampled_from(FORMULAS), min_size=1, max_size=5), st.sampled_from(FORMULAS)
)


def _entail(premises: list[str], conclusion: str) -> bool:
    left = EVERYTHING
    for premise in premises:
        left &= MODELS[premise]
    return left & ~MODELS[conclusion] == 0


@given(arguments)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_redundant_premises_are_those_that_nothing_depends_on(
    argument: tuple[list[str], str],
) -> None:
    premises, conclusion = argument
    expected = [
        position
        for position in range(len(premises))
        if _entail(premises[:position] + premises[position + 1 :], conclusion)
    ]
    assert PROVER.redundant(premises, conclusion) == expected


@given(arguments)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_the_only_minimal_set_is_that_of_all_subsets(argument: tuple[list[str], str]) -> None:
    premises, conclusion = argument
    sufficient = [
        set(chosen)
        for size in range(len(premises) + 1)
        for chosen in combinations(range(len(premises)), size)
        if _entail([premises[index] for index in chosen], conclusion)
    ]
    minimal = [entry for entry in sufficient if not any(other < entry for other in sufficient)]
    for size in range(len(premises) + 1):
        for gold in combinations(range(len(premises)), size):
            expected = Answer.YES if minimal == [set(gold)] else Answer.NO
            assert PROVER.only_minimal_set(premises, gold, conclusion) is expected


def test_a_second_way_to_the_conclusion_means_no_only_minimal_set() -> None:
    premises = [
        "all x.(F(x) -> G(x))", "all x.(G(x) -> H(x))",
        "all x.(F(x) -> I(x))", "all x.(I(x) -> H(x))",
    ]  # fmt: skip
    prover = TextProver()
    assert prover.only_minimal_set(premises[:3], [0, 1], "all x.(F(x) -> H(x))") is Answer.YES
    assert prover.only_minimal_set(premises, [0, 1], "all x.(F(x) -> H(x))") is Answer.NO
    assert prover.only_minimal_set(premises, [2, 3], "all x.(F(x) -> H(x))") is Answer.NO
    assert prover.only_minimal_set(premises, [0, 1, 2, 3], "all x.(F(x) -> H(x))") is Answer.NO


def test_inconsistent_premises_are_no_label() -> None:
    premises = ["F(a)", "-F(a)"]
    assert TextProver().verdict(premises, "G(a)") is Verdict.INCONSISTENT


HARD = (
    [
        "all x.(F(x) -> (G(x) | H(x)))", "all x.(G(x) -> J(x))", "all x.(H(x) -> J(x))",
        "exists x.(F(x) & -K(x))", "all x.(-(K(x) | J(x)) -> F(x))",
    ],
    "all x.(F(x) -> J(x))",
)  # fmt: skip


def test_at_its_limit_the_prover_knows_nothing() -> None:
    premises, conclusion = HARD
    prover = TextProver(resource_limit=1)
    assert prover.satisfiable(premises) is Answer.UNKNOWN
    assert prover.entails(premises, conclusion) is Answer.UNKNOWN
    assert prover.verdict(premises, conclusion) is Verdict.UNKNOWN
    assert prover.redundant(premises, conclusion) == [0, 1, 2, 3, 4]
    assert prover.only_minimal_set(premises, [0, 1, 2], conclusion) is Answer.UNKNOWN
    assert prover.counter_model(premises, "all x.(J(x) -> F(x))") is None


def test_under_any_limit_an_answer_is_right_or_unknown() -> None:
    premises, conclusion = HARD
    questions = [
        [*premises, f"-({conclusion})"],
        [*premises, conclusion],
        *([premise, f"-({conclusion})"] for premise in premises),
    ]
    right = [TextProver().satisfiable(question) for question in questions]
    assert {Answer.YES, Answer.NO} <= {*right}
    seen = set()
    for limit in [*range(1, 400, 13), *range(400, 6_000, 350)]:
        prover = TextProver(resource_limit=limit)
        for question, expected in zip(questions, right, strict=True):
            answer = prover.satisfiable(question)
            seen.add(answer)
            assert answer in (expected, Answer.UNKNOWN), (limit, question)
    assert seen == {*Answer}


def test_what_a_limit_leaves_unknown_is_the_same_each_time() -> None:
    def answers(limit: int) -> list[Answer]:
        prover = TextProver(resource_limit=limit)
        return [
            prover.entails([first, second], third)
            for first, second, third in zip(
                FORMULAS[::6], FORMULAS[50::3], FORMULAS[100::2], strict=False
            )
        ]

    for limit in (50, 150, 400, 1_000):
        assert answers(limit) == answers(limit)


def _read_words(words: str) -> TypeModel:
    """A counter-model in words, read back."""
    kinds: set[frozenset[str]] = set()
    named: dict[str, frozenset[str]] = {}
    for clause in words.split("; "):
        label, facts = clause.split(" is ", 1)
        stated = re.split(r", | and ", facts)
        assert len({fact.removeprefix("not ") for fact in stated}) == len(stated)
        kind = frozenset(fact for fact in stated if not fact.startswith("not "))
        kinds.add(kind)
        for name in label.split(" = "):
            if not name.startswith("individual "):
                named[name] = kind
    return TypeModel(frozenset(kinds), named)


def test_a_counter_model_makes_the_premises_true_and_the_conclusion_false() -> None:
    refuted = 0
    for first, second, third in zip(FORMULAS[::3], FORMULAS[60:], reversed(FORMULAS), strict=False):
        words = PROVER.counter_model([first, second], third)
        entailed = _entail([first, second], third)
        assert (words is None) is entailed, (first, second, third)
        if words is not None:
            model = _read_words(words)
            refuted += 1
            assert true_in(read(first), model), words
            assert true_in(read(second), model), words
            assert not true_in(read(third), model), words
    assert refuted > 20


def test_a_counter_model_calls_individuals_by_their_names() -> None:
    premises = ["all x.(F(x) -> G(x))", "G(a)", "-G(b)", "exists x.(F(x) & H(x))"]
    words = TextProver().counter_model(premises, "F(a)")
    assert words is not None
    model = _read_words(words)
    assert model.named.keys() == {"a", "b"}
    assert all(true_in(read(premise), model) for premise in premises)
    assert not true_in(read("F(a)"), model)


def test_a_counter_model_says_which_names_are_of_one_individual() -> None:
    words = TextProver().counter_model(["(F(a) <-> F(b))"], "F(a)")
    assert words is not None
    assert _read_words(words).named["a"] == frozenset()
    assert re.fullmatch(
        r"(a = b|b = a) is not F|a is not F; b is not F|b is not F; a is not F", words
    )


def test_the_published_negated_modus_tollens_has_a_counter_model() -> None:
    prover = TextProver()
    premises = ["all x.(F(x) -> G(x))", "G(a)"]
    assert prover.verdict(premises, "-F(a)") is Verdict.UNDETERMINED
    assert prover.counter_model(premises, "-F(a)") == "a is F and G"
