"""Refutations and models: each argument has one or the other, as Z3 says."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sorites.logic.certificates.clauses import NotInFragment, ground
from sorites.logic.certificates.search import solve
from sorites.logic.certificates.shown import Refuter, model_of
from sorites.logic.formulas import Formula, negation, parse
from sorites.logic.prover import Answer, Prover
from sorites.release.certificates import check

BODIES = st.recursive(
    st.sampled_from(["F(x)", "G(x)", "H(x)"]),
    lambda parts: st.one_of(
        parts.map("-{}".format),
        st.tuples(parts, st.sampled_from(["&", "|", "->", "<->"]), parts).map(
            lambda chosen: f"({' '.join(chosen)})"
        ),
    ),
    max_leaves=4,
)


def _said_of(body: str, about: str) -> str:
    return body.replace("(x)", f"({about})")


FORMULAS = st.one_of(
    BODIES.map("all x.{}".format),
    BODIES.map("exists x.{}".format),
    st.tuples(BODIES, st.sampled_from("ab")).map(lambda chosen: _said_of(*chosen)),
    st.tuples(BODIES, BODIES).map(lambda two: f"(all x.{two[0]} <-> exists x.{two[1]})"),
).map(parse)


@settings(max_examples=300, deadline=None)
@given(st.lists(FORMULAS, min_size=1, max_size=4), FORMULAS, st.booleans())
def test_every_argument_has_a_refutation_or_a_model_that_check_accepts(
    premises: list[Formula], conclusion: Formula, imports: bool
) -> None:
    entails = Prover(existential_import=imports).entails(premises, conclusion)
    model = model_of(premises, conclusion, conclusion_is=False, existential_import=imports)
    refuted = Refuter(existential_import=imports).refute(premises, negation(conclusion))
    assert (entails is Answer.YES) == (model is None) == (refuted is not None)
    if refuted is None:
        assert model is not None
        texts = [formula.text for formula in premises]
        told = check.imported([*texts, conclusion.text]) if imports else []
        assert all(check.true_in(model, text) for text in (*texts, *told))
        assert not check.true_in(model, conclusion.text)
    else:
        shared, names = refuted
        told = check.imported(shared.formulas) if imports else []
        check.refute((*shared.formulas, *told), shared.steps)
        said = {check.renamed(formula.text, names) for formula in (*premises, negation(conclusion))}
        assert {*shared.formulas} <= said


def test_arguments_that_differ_in_names_alone_share_a_refutation() -> None:
    refuter = Refuter()
    one = refuter.refute([parse("all x.(F(x) -> G(x))"), parse("F(a)")], parse("-G(a)"))
    other = refuter.refute([parse("K(b)"), parse("all x.(K(x) -> F(x))")], parse("-F(b)"))
    assert one is not None
    assert other is not None
    assert one[0] is other[0]
    assert one[1] == {"G": "P1", "a": "a1", "F": "P2"}
    assert other[1] == {"F": "P1", "b": "a1", "K": "P2"}


def test_nobody_is_in_no_model() -> None:
    assert model_of([], parse("all x.F(x)"), conclusion_is=True) == "1: F(1)"
    assert model_of([], parse("exists x.F(x)"), conclusion_is=False) == "1:"


def test_an_existential_below_a_universal_is_refused() -> None:
    with pytest.raises(NotInFragment, match="an existential stands below a universal"):
        ground([parse("all x.(F(x) -> exists y.G(y))")])


def test_a_formula_of_too_many_clauses_is_refused() -> None:
    pairs = " | ".join(f"(F{n}(a) & G{n}(a))" for n in range(15))
    with pytest.raises(NotInFragment, match="more than 20,000 clauses"):
        ground([parse(pairs)])


def test_a_refutation_that_needs_a_choice_has_steps() -> None:
    found = solve([(1, 2), (1, -2), (-1, 2), (-1, -2)])
    assert found == ((-1,), ())
    assert solve([(1, 2), (-1,)]) == {2}
    assert solve([()]) == ((),)
    assert solve([]) == frozenset()
