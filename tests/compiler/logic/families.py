"""Systematic families of formulas over up to three unary predicates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product


def literals(over: Sequence[str]) -> list[str]:
    """Each predicate, asserted and denied, of x."""
    return [f"{sign}{name}(x)" for name in over for sign in ("", "-")]


def categorical(over: Sequence[str]) -> list[str]:
    """all x.(L1 -> L2) and exists x.(L1 & L2) for literals of two predicates."""
    pairs = [
        (first, second)
        for first, second in product(literals(over), repeat=2)
        if first[-4] != second[-4]
    ]
    return [f"all x.({first} -> {second})" for first, second in pairs] + [
        f"exists x.({first} & {second})" for first, second in pairs
    ]


def compound(over: Sequence[str]) -> Iterator[str]:
    """The same with a conjunction or a disjunction of two literals in place of one."""
    for name in over:
        one, other = [rest for rest in over if rest != name]
        for literal, first, second, joint in product(
            literals([name]), literals([one]), literals([other]), "&|"
        ):
            pair = f"({first} {joint} {second})"
            yield f"all x.({literal} -> {pair})"
            yield f"all x.({pair} -> {literal})"
            yield (
                f"exists x.({literal} & {first} & {second})"
                if joint == "&"
                else f"exists x.({literal} & {pair})"
            )


def three() -> list[str]:
    """192 formulas over F, G and H."""
    return list(dict.fromkeys([*categorical("FGH"), *compound("FGH")]))


def two_with_individuals() -> list[str]:
    """Formulas over F and G with the named individuals a and b."""
    ground = [f"{sign}{name}({who})" for name in "FG" for who in "ab" for sign in ("", "-")]
    joined = [f"({first} {joint} {second})" for first, second, joint in (
        ("F(a)", "G(a)", "&"), ("-F(a)", "-G(a)", "|"), ("F(a)", "F(b)", "->"),
        ("F(a)", "-G(b)", "|"), ("F(b)", "G(a)", "<->"), ("-F(b)", "G(b)", "&"),
    )]  # fmt: skip
    mixed = ["(F(a) & exists x.(G(x) & -F(x)))", "(all x.(F(x) -> G(x)) | -G(a))"]
    simple = ["all x.F(x)", "exists x.-G(x)", "-all x.(F(x) -> G(x))", "--G(a)"]
    return [*categorical("FG"), *ground, *joined, *mixed, *simple]
