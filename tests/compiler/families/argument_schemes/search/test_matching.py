from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest

from sorites.families.argument_schemes.plan import Scheme
from sorites.families.argument_schemes.search.matching import Match, matches, symmetries
from sorites.logic.formulas import Formula, parse
from sorites.logic.types import TypeProver
from tests.compiler.logic import enumeration

WITH_A_DISTRACTOR = {
    ("generalized modus ponens", "negation"),
    ("generalized modus ponens", "de morgan"),
    ("generalized modus tollens", "negation"),
    ("generalized contraposition", "base"),
    ("generalized contraposition", "negation"),
    ("generalized contraposition", "complex predicates"),
    ("generalized contraposition", "de morgan"),
    ("hypothetical syllogism 1", "negation"),
}

NO_SHARED_BINDING = {
    ("generalized modus ponens", "base"),
    ("generalized modus tollens", "base"),
    ("generalized modus tollens", "complex predicates"),
    ("generalized modus tollens", "de morgan"),
    ("hypothetical syllogism 1", "base"),
    ("hypothetical syllogism 1", "de morgan"),
}
"""Schemes with a match of their own, whose premises no classes make true beside the scheme's."""


@pytest.fixture(scope="module")
def found(schemes: Mapping[tuple[str, str], Scheme]) -> dict[tuple[str, str], list[Match]]:
    return {key: matches(scheme, TypeProver(), Random(5)) for key, scheme in schemes.items()}


def uses(premises: tuple[Formula, ...]) -> Counter[str]:
    return Counter(
        name
        for premise in premises
        for name in (*premise.symbols.predicates, *premise.symbols.individuals)
    )


def test_every_scheme_has_a_match_and_eight_need_a_distractor(
    found: Mapping[tuple[str, str], list[Match]],
) -> None:
    assert all(found.values())
    assert {key for key, kept in found.items() if kept[0].extra} == WITH_A_DISTRACTOR
    unshared = {key for key, kept in found.items() if not any(match.shared for match in kept)}
    assert unshared == NO_SHARED_BINDING


def test_a_match_has_the_forms_and_counts_of_its_scheme_and_proves_nothing(
    found: Mapping[tuple[str, str], list[Match]], schemes: Mapping[tuple[str, str], Scheme]
) -> None:
    for key, kept in found.items():
        conclusion = schemes[key].conclusion
        for match in kept:
            own = (*schemes[key].premises, *match.extra)
            assert [p.shape for p in match.premises] == [p.shape for p in own]
            assert uses(match.premises) == uses(own)
            shown = [premise.text for premise in match.premises]
            assert enumeration.satisfiable([*shown, conclusion.text])
            assert enumeration.satisfiable([*shown, f"-{conclusion}"])
            if match.extra:
                texts = [premise.text for premise in own]
                assert enumeration.entails(texts, conclusion.text)
                for left_out in schemes[key].premises:
                    others = [text for text in texts if text != left_out.text]
                    assert not enumeration.entails(others, conclusion.text)


def test_matches_of_a_chain_are_those_found_by_hand(
    found: Mapping[tuple[str, str], list[Match]],
) -> None:
    # From F, G, H in a chain: both lie in G, or G in both. (Turned round as a whole, F would be H.)
    said = {
        frozenset(premise.text for premise in match.premises)
        for match in found["hypothetical syllogism 1", "base"]
    }
    assert said == {
        frozenset({"all x.(F(x) -> G(x))", "all x.(H(x) -> G(x))"}),
        frozenset({"all x.(G(x) -> F(x))", "all x.(G(x) -> H(x))"}),
    }


def test_symmetries_leave_what_is_said_as_it_is() -> None:
    premises = [parse("all x.(F(x) -> -G(x))"), parse("exists x.(H(x) & F(x))")]
    assert symmetries(premises, parse("exists x.(H(x) & -G(x))")) == [
        {"F": "F", "G": "G", "H": "H"}
    ]
    either = [parse("all x.(F(x) -> (G(x) | H(x)))")]
    assert len(symmetries(either, parse("all x.((F(x) & -G(x)) -> H(x))"))) == 2
