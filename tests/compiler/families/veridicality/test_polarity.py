"""The algebra against worlds that are enumerated, for every stack of up to three verbs."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from sorites.families.veridicality.polarity import (
    Environment,
    Level,
    Polarity,
    Sign,
    commitment_of,
    innermost_polarity,
)

LEVELS = [Level(*of) for of in product(Sign, Sign, Environment)]

# Worlds say of each of up to three reports (a verb with its subject) whether it is the case here,
# is not, or is not made here at all, and of S whether it is true.
HERE, NOT, ELSEWHERE = True, False, None
Value = bool | None


@cache
def holds(sign: Sign, complement: Value) -> bool:
    """Whether a verb that says so of its complement is compatible with a world's value for it."""
    # A verb that says nothing reports on other worlds: its complement need not be made in this.
    return sign is Sign.OPEN or complement is (sign is Sign.TRUE)


@cache
def reported(environment: Environment, value: Value) -> frozenset[Value]:
    """The values of the clause, with its environment, around a report of this value."""
    if value is ELSEWHERE or environment is Environment.POSITIVE:
        return frozenset({value})
    if environment in (Environment.NEGATED, Environment.QUANTIFIED):
        return frozenset({not value})
    # A question, a condition or a possibility is put forward whatever is the case.
    return frozenset({HERE, NOT})


@cache
def allowed(level: Level, report: Value, below: frozenset[Value]) -> bool:
    """Whether the verb's meaning admits a world with this report and one of these clauses below."""
    if report is ELSEWHERE:
        return True
    sign = level.positive if report else level.negative
    return any(holds(sign, value) for value in below)


def by_worlds(levels: tuple[Level, ...]) -> Sign:
    """What holds of S in every world in which the outermost clause is put forward."""
    of_s = set()
    for reports in product((HERE, NOT, ELSEWHERE), repeat=len(levels)):
        if HERE not in reported(levels[0].environment, reports[0]):
            continue
        for s in (True, False):
            clauses = [
                reported(level.environment, value)
                for level, value in zip(levels[1:], reports[1:], strict=True)
            ]
            clauses.append(frozenset({s}))
            if all(map(allowed, levels, reports, clauses)):
                of_s.add(s)
    return {(True,): Sign.TRUE, (False,): Sign.FALSE}.get(tuple(of_s), Sign.OPEN)


@pytest.mark.parametrize("depth", [1, 2])
def test_every_stack_commits_to_what_every_world_holds(depth: int) -> None:
    for levels in product(LEVELS, repeat=depth):
        assert commitment_of(levels) is by_worlds(levels), levels


def test_every_stack_of_three_commits_to_what_every_world_holds() -> None:
    # Worlds are enumerated once for each pair of inner levels and value of their clause, so that
    # all 54 ** 3 stacks are compared in seconds.
    inner = {}
    for pair in product(LEVELS, repeat=2):
        for value in (HERE, NOT):
            found = set()
            for first, second in product((HERE, NOT, ELSEWHERE), repeat=2):
                if value not in reported(pair[0].environment, first):
                    continue
                clause = reported(pair[1].environment, second)
                for s in (True, False):
                    if allowed(pair[0], first, clause) and allowed(pair[1], second, frozenset({s})):
                        found.add(s)
            inner[pair, value] = found
    compared = 0
    for outer in LEVELS:
        for pair in product(LEVELS, repeat=2):
            of_s: set[bool] = set()
            for report in (HERE, NOT):
                if HERE not in reported(outer.environment, report):
                    continue
                sign = outer.positive if report else outer.negative
                for value in (HERE, NOT):
                    if holds(sign, value):
                        of_s |= inner[pair, value]
                if holds(sign, ELSEWHERE):
                    of_s |= {True, False}
            expected = {(True,): Sign.TRUE, (False,): Sign.FALSE}.get(tuple(of_s), Sign.OPEN)
            assert commitment_of((outer, *pair)) is expected, (outer, pair)
            compared += 1
    assert compared == 54**3


def test_the_two_ways_to_enumerate_agree_on_three() -> None:
    for levels in product(LEVELS[::5], repeat=3):
        assert commitment_of(levels) is by_worlds(levels), levels


FORGOT_TO = (Sign.FALSE, Sign.TRUE)
KNOW = (Sign.TRUE, Sign.TRUE)
HOPE = (Sign.OPEN, Sign.OPEN)
MANAGE = (Sign.TRUE, Sign.FALSE)


@pytest.mark.parametrize(
    ("stack", "polarity", "expected"),
    [
        ([(*KNOW, "positive"), (*FORGOT_TO, "positive")], "positive", "-"),
        ([(*KNOW, "negated"), (*FORGOT_TO, "negated")], "negative", "+"),
        ([(*KNOW, "question")], "unknown", "+"),
        ([(*MANAGE, "modal")], "unknown", "o"),
        ([(*MANAGE, "quantified")], "negative", "-"),
        ([(*MANAGE, "conditional"), (*KNOW, "positive")], "unknown", "+"),
        ([(*HOPE, "positive"), (*KNOW, "positive")], "none", "o"),
    ],
)
def test_examples(stack: list[tuple[Sign, Sign, str]], polarity: str, expected: str) -> None:
    levels = [Level(one, other, Environment(where)) for one, other, where in stack]
    assert innermost_polarity(levels) is Polarity(polarity)
    assert commitment_of(levels) is Sign(expected)
