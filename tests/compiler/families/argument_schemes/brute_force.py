"""What is true of the members of classes, and what is trivially so, by going through them all."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, permutations, product

from tests.compiler.logic import enumeration
from tests.compiler.logic.enumeration import Formula

Members = frozenset[str]
Clause = frozenset[tuple[str, bool]]

read = cache(enumeration.read)


def is_true(
    formula: Formula,
    classes: Mapping[str, Collection[str]],
    named: Mapping[str, str],
    domain: Collection[str],
) -> bool:
    """Truth in a domain; quantifiers do not nest."""
    match formula.operator, formula.parts:
        case "all", (body,):
            return all(_holds(body, classes, one) for one in domain)
        case "exists", (body,):
            return any(_holds(body, classes, one) for one in domain)
        case "-", (part,):
            return not is_true(part, classes, named, domain)
        case "|", parts:
            return any(is_true(part, classes, named, domain) for part in parts)
    return named[formula.argument] in classes[formula.operator]


def _holds(body: Formula, classes: Mapping[str, Collection[str]], one: str) -> bool:
    return enumeration.holds(body, _Facts(classes, one))


class _Facts(dict[str, bool]):
    def __init__(self, classes: Mapping[str, Collection[str]], one: str) -> None:
        super().__init__((name, one in members) for name, members in classes.items())


@cache
def prime_clauses(body: Formula) -> list[Clause]:
    """The shortest disjunctions of literals that a formula without quantifiers implies."""
    names = sorted(enumeration.predicates(body))
    rows = [dict(zip(names, row, strict=True)) for row in product((False, True), repeat=len(names))]
    true_rows = [row for row in rows if enumeration.holds(body, row)]
    found: list[Clause] = []
    for size in range(1, len(names) + 1):
        for chosen in combinations(names, size):
            for signs in product((False, True), repeat=size):
                clause = frozenset(zip(chosen, signs, strict=True))
                if any(shorter < clause for shorter in found):
                    continue
                if all(any(row[name] == sign for name, sign in clause) for row in true_rows):
                    found.append(clause)
    return found


@cache
def forbidden(premises: tuple[str, ...]) -> list[Clause]:
    """Parts of the premises' clauses that must not be true by themselves: unless they follow."""
    parts = []
    for premise in premises:
        formula = read(premise)
        if formula.operator != "all":
            continue
        for clause in prime_clauses(formula.parts[0]):
            for size in range(1, len(clause)):
                for literals in combinations(sorted(clause), size):
                    text = " | ".join(f"{'' if sign else '-'}{name}(x)" for name, sign in literals)
                    text = f"({text})" if size > 1 else text
                    if not enumeration.entails(premises, f"all x.{text}"):
                        parts.append(frozenset(literals))
    return parts


def is_trivial(
    premises: tuple[str, ...], classes: Mapping[str, Collection[str]], domain: Collection[str]
) -> bool:
    """Whether a universal premise is true for less than what it says."""
    return any(
        all(any((one in classes[name]) == sign for name, sign in clause) for one in domain)
        for clause in forbidden(premises)
    )


def bindings(
    premises: tuple[str, ...], usable: Mapping[str, Members], domain: Members
) -> Iterator[dict[str, Members]]:
    """Every assignment of distinct sets of members under which the premises are true, none
    trivially, with somebody to be each named individual."""
    names = sorted(set().union(*(enumeration.predicates(read(text)) for text in premises)))
    rows = {members & domain for members in usable.values()} - {frozenset(), domain}
    for chosen in permutations(sorted(rows, key=sorted), len(names)):
        classes = dict(zip(names, chosen, strict=True))
        if witnesses(premises, classes, domain) and not is_trivial(premises, classes, domain):
            yield classes


def witnesses(
    premises: Sequence[str], classes: Mapping[str, Members], domain: Members
) -> list[dict[str, str]]:
    """Who the named individuals can be, different ones, so that all premises are true."""
    formulas = [read(text) for text in premises]
    names = sorted(set().union(*map(enumeration.individuals, formulas)))
    return [
        named
        for chosen in permutations(sorted(domain), len(names))
        for named in [dict(zip(names, chosen, strict=True))]
        if all(is_true(formula, classes, named, domain) for formula in formulas)
    ]
