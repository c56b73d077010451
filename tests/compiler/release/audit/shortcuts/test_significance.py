from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from sorites.release.audit.shortcuts.significance import above, below, rejected


@pytest.mark.parametrize("units", [1, 7, 40])
@pytest.mark.parametrize("bound", ["1/2", "11/20"])
def test_probabilities_are_those_of_the_binomial(units: int, bound: str) -> None:
    chance = Fraction(bound)
    terms = [comb(units, k) * chance**k * (1 - chance) ** (units - k) for k in range(units + 1)]
    for won in range(units + 1):
        assert above(won, units, float(chance)) == pytest.approx(float(sum(terms[won:])))
        assert below(won, units, float(chance)) == pytest.approx(float(sum(terms[: won + 1])))


def test_half_a_unit_is_never_counted_in_favour_of_a_finding() -> None:
    assert above(7.5, 10, 0.5) == above(7, 10, 0.5)
    assert below(2.5, 10, 0.5) == below(3, 10, 0.5)


def test_holm_stops_at_the_first_that_is_not_rejected() -> None:
    # 0.004 ≤ 0.01 / 2 is reached; 0.009 ≤ 0.01 / 2 is not, and so neither is what follows.
    assert rejected([0.009, 0.0001, 0.9], 0.01) == [1]
    assert rejected([0.009, 0.0001], 0.01) == [0, 1]
    assert rejected([], 0.01) == []
