from __future__ import annotations

from collections.abc import Mapping

import pytest

from sorites.families.argument_schemes.plan import Scheme
from sorites.families.argument_schemes.search.conditions import (
    Condition,
    ConditionsError,
    conditions,
    nontrivial_subclauses,
)
from sorites.logic.prover import Prover
from tests.compiler.families.argument_schemes.brute_force import forbidden, prime_clauses, read
from tests.compiler.logic.texts import parsed, texts


def test_a_universal_must_hold_and_no_part_of_it(prover: Prover) -> None:
    found = conditions(parsed(["all x.(F(x) -> G(x))"]), prover)
    assert found.predicates == ("F", "G")
    assert {(condition.literals, condition.wanted) for condition in found.conditions} == {
        # Nobody in F is outside G; somebody is in F, and somebody outside G.
        ((("F", True), ("G", False)), False),
        ((("F", True),), True),
        ((("G", False),), True),
        ((("F", True), ("G", True)), True),
        ((("F", False), ("G", False)), True),
    }


def test_the_idle_disjunct_of_a_disjunctive_syllogism_is_allowed(prover: Prover) -> None:
    premises = parsed(["all x.(F(x) -> (G(x) | H(x)))", "all x.(F(x) -> -G(x))"])
    kept = nontrivial_subclauses(
        frozenset({("F", False), ("G", True), ("H", True)}), premises, prover
    )
    # That no F is a G, and that every F is an H, follow; that every F is a G must not hold.
    assert frozenset({("F", False), ("H", True)}) not in kept
    assert frozenset({("F", False), ("G", True)}) in kept
    assert frozenset({("F", False)}) in kept


def test_what_must_not_hold_is_what_a_truth_table_says(
    schemes: Mapping[tuple[str, str], Scheme], prover: Prover
) -> None:
    for scheme in schemes.values():
        expected = {
            frozenset((name, not sign) for name, sign in clause)
            for clause in forbidden(texts(scheme.premises))
        }
        found = conditions(scheme.premises, prover, conclusion=scheme.conclusion).conditions
        demanded = {frozenset(entry.literals) for entry in found if entry.wanted}
        assert expected <= demanded, scheme
        clauses = {
            frozenset((name, not sign) for name, sign in clause)
            for text in texts(scheme.premises)
            if read(text).operator == "all"
            for clause in prime_clauses(read(text).parts[0])
        }
        assert clauses <= {frozenset(entry.literals) for entry in found if not entry.wanted}


def test_what_is_true_of_everybody_is_no_condition(prover: Prover) -> None:
    """Of the clauses of this premise one says that everybody is in F or outside it."""
    found = conditions(parsed(["all x.((F(x) & G(x)) | (-F(x) & H(x)))"]), prover)
    refused = {frozenset(entry.literals) for entry in found.conditions if not entry.wanted}
    assert refused == {
        frozenset({("F", False), ("H", False)}),
        frozenset({("G", False), ("F", True)}),
        frozenset({("G", False), ("H", False)}),
    }
    for entry in found.conditions:
        assert len({name for name, _ in entry.literals}) == len(entry.literals)


def test_a_trivial_premise_is_allowed_where_the_spec_allows_it(prover: Prover) -> None:
    found = conditions(parsed(["all x.(F(x) -> G(x))"]), prover, trivial=True)
    assert found.conditions == (Condition((("F", True), ("G", False)), wanted=False),)


@pytest.mark.parametrize(
    ("premise", "reason"),
    [
        ("all x y.(F(x) -> G(y))", "is neither of the form all x.(…) nor exists x.(…)"),
        ("all x.(F(x) -> exists y.G(y))", "is neither of the form all x.(…) nor exists x.(…)"),
        ("-all x.F(x)", "is neither of the form all x.(…) nor exists x.(…)"),
        ("(F(a) & G(b))", "speaks of more than one named individual"),
        ("all x.(F(x) -> G(a))", "or of one and of everything at once"),
    ],
)
def test_premises_that_no_search_serves(premise: str, reason: str, prover: Prover) -> None:
    with pytest.raises(ConditionsError) as caught:
        conditions(parsed([premise]), prover)
    assert reason in str(caught.value)
    assert premise in str(caught.value)


def test_a_premise_of_too_many_clauses_is_refused(prover: Prover) -> None:
    pairs = " | ".join(f"(P{index}(x) & Q{index}(x))" for index in range(7))
    with pytest.raises(ConditionsError, match="falls into more than 64 clauses"):
        conditions(parsed([f"all x.({pairs})"]), prover, trivial=True)
