"""Premises that look like a scheme's and prove nothing: what an entailed argument is paired with.

A match has premises of the same forms as the scheme's, the same conclusion, and connects them
otherwise: each name occurs as often among the premises as in the scheme, and the conclusion stays
open. Whoever looks at the forms and counts the names cannot tell the two apart. Nothing here knows
a scheme: all ways to connect are gone through.

A scheme whose premises may be turned round has no match of its own. There the name that is
missing comes from a distractor, which the match then counts among its premises.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from random import Random

from sorites.families.argument_schemes.plan import Scheme
from sorites.families.argument_schemes.search.conditions import (
    Condition,
    ConditionsError,
    conditions,
)
from sorites.logic.formulas import Formula, parse, rename
from sorites.logic.prover import Answer, Prover, Verdict
from sorites.logic.types import judge, meaning

__all__ = ["INDIVIDUALS", "MAX_MATCHES", "PREDICATES", "Match", "matches", "symmetries"]

PREDICATES = tuple("FGHIJKLMNOPQRSTUVWABCDE") + tuple(f"P{index}" for index in range(1, 40))
INDIVIDUALS = tuple("abcdfghijk") + tuple(f"a{index}" for index in range(1, 40))
"""Symbols as NLTK reads them: e is an event, x, y and z are bound."""

MAX_MATCHES = 12
"""Matches of one scheme that are kept, of those that one binding can serve and of the others."""

MAX_EXTRAS_TRIED = 6
"""Distractors for which matches are looked for, more only where none of them has any."""

MAX_LOOKED_AT = 400
"""Matches of one scheme that are looked at, in a random order, until so many are kept."""


@dataclass(frozen=True, slots=True)
class Match:
    """Premises of an undetermined argument, in the order of the forms of the entailed one's.

    ``extra`` are distractors that the entailed argument then needs, so that both show the same
    forms; ``shared`` says whether classes can be such that all premises of both are true.
    """

    extra: tuple[Formula, ...]
    premises: tuple[Formula, ...]
    shared: bool


def matches(
    scheme: Scheme,
    prover: Prover,
    random: Random,
    *,
    trivial: bool = False,
    least_distractors: int = 0,
    most: int = MAX_MATCHES,
) -> list[Match]:
    """Matches of a scheme that classes could make true, those with a shared binding first.

    Those without a distractor if there are any and they are wanted; else those with one, which
    brings as few new names as possible. At most so many of either kind are kept.
    """
    found = [] if least_distractors else _kept(scheme, [()], prover, random, trivial, most)
    added = 0
    slots = max(len(_slots(premise)) for premise in scheme.premises)
    while not found and added < slots:
        added += 1
        extras = [(extra,) for extra in _extras(scheme, added, prover, trivial)]
        random.shuffle(extras)
        first = len(extras) if least_distractors else MAX_EXTRAS_TRIED
        found = _kept(scheme, extras[:first], prover, random, trivial, most)
        found = found or _kept(scheme, extras[first:], prover, random, trivial, most)
    return found


def symmetries(premises: Sequence[Formula], conclusion: Formula) -> list[dict[str, str]]:
    """The ways to exchange symbols that change nothing of what an argument says.

    The identity is the first. Individuals keep their names.
    """
    names = _names(premises)[0]
    said = {meaning(premise, names) for premise in premises}
    concluded = meaning(conclusion, names)
    found = []
    for order in permutations(names):
        exchange = dict(zip(names, order, strict=True))
        if meaning(rename(conclusion, exchange), names) != concluded:
            continue
        if {meaning(rename(premise, exchange), names) for premise in premises} == said:
            found.append(exchange)
    return found


def _kept(
    scheme: Scheme,
    extras: Sequence[tuple[Formula, ...]],
    prover: Prover,
    random: Random,
    trivial: bool,
    most: int,
) -> list[Match]:
    shared: list[Match] = []
    apart: list[Match] = []
    for extra in extras:
        own = (*scheme.premises, *extra)
        candidates = list(_open(own, scheme.conclusion, prover))
        random.shuffle(candidates)
        for premises in candidates[:MAX_LOOKED_AT]:
            if len(shared) >= most:
                return [*shared, *apart]
            if _bindable([own, premises], scheme.conclusion, prover, trivial):
                shared.append(Match(extra, premises, shared=True))
            elif len(apart) < most and _bindable([premises], scheme.conclusion, prover, trivial):
                apart.append(Match(extra, premises, shared=False))
    return [*shared, *apart]


def _extras(scheme: Scheme, added: int, prover: Prover, trivial: bool) -> Iterator[Formula]:
    """Distractors of the scheme's own forms with so many new names, which change no proof."""
    predicates, individuals = _names(scheme.premises)
    new_predicates = [name for name in PREDICATES if name not in predicates]
    new_individuals = [name for name in INDIVIDUALS if name not in individuals]
    gold = frozenset(range(len(scheme.premises)))
    shown_before: set[tuple[object, ...]] = set()
    for form in dict.fromkeys(premise.shape for premise in scheme.premises):
        template = parse(form)
        for classes in permutations(
            [*predicates, *new_predicates[:added]], len(template.symbols.predicates)
        ):
            for named in permutations(
                [*individuals, *new_individuals[:added]], len(template.symbols.individuals)
            ):
                taken = [name for name in classes if name not in predicates]
                others = [name for name in named if name not in individuals]
                # New names in the order of their first use: other orders say the same.
                if taken != new_predicates[: len(taken)]:
                    continue
                if others != new_individuals[: len(others)] or len(taken) + len(others) != added:
                    continue
                extra = _filled(template, (*classes, *named))
                shown = [*scheme.premises, extra]
                said = meaning(extra, [*predicates, *new_predicates[:added]])
                if extra in scheme.premises or said in shown_before:
                    continue
                shown_before.add(said)
                found = judge(
                    shown, scheme.conclusion, existential_import=prover.existential_import
                )
                if found is None or found.verdict is not Verdict.ENTAILED or found.needed != gold:
                    continue
                if _bindable([shown], scheme.conclusion, prover, trivial):
                    yield extra


def _open(
    own: Sequence[Formula], conclusion: Formula, prover: Prover
) -> Iterator[tuple[Formula, ...]]:
    """Other ways to connect premises of the same forms that leave the conclusion open."""
    names = _names(own)[0]
    seen: set[frozenset[tuple[object, ...]]] = set()
    for premises in _wirings(own):
        said = frozenset(meaning(premise, names) for premise in premises)
        # Two premises that say the same are one premise too many, and so is the conclusion.
        if len(said) < len(premises) or meaning(conclusion, names) in said or said in seen:
            continue
        seen.add(said)
        found = judge(premises, conclusion, existential_import=prover.existential_import)
        if found is not None and found.verdict is Verdict.UNDETERMINED:
            yield premises


def _wirings(own: Sequence[Formula]) -> Iterator[tuple[Formula, ...]]:
    """All ways to fill the forms of premises with their own names, each used as often.

    Of fillings of one form that say the same the first alone.
    """
    predicates, individuals = _names(own)
    left = Counter(name for premise in own for name in _slots(premise))
    fillings = {
        shape: _fillings(parse(shape), predicates, individuals)
        for shape in dict.fromkeys(premise.shape for premise in own)
    }
    chosen: list[Formula] = []

    def fill(position: int) -> Iterator[tuple[Formula, ...]]:
        if position == len(own):
            yield tuple(chosen)
            return
        for formula, slots in fillings[own[position].shape]:
            if all(left[name] for name in slots):
                left.subtract(slots)
                chosen.append(formula)
                yield from fill(position + 1)
                chosen.pop()
                left.update(slots)

    return fill(0)


def _fillings(
    template: Formula, predicates: Sequence[str], individuals: Sequence[str]
) -> list[tuple[Formula, tuple[str, ...]]]:
    """Each way to fill a form that says something else, with the names that it uses."""
    found: dict[tuple[object, ...], tuple[Formula, tuple[str, ...]]] = {}
    for classes in permutations(predicates, len(template.symbols.predicates)):
        for named in permutations(individuals, len(template.symbols.individuals)):
            names = (*classes, *named)
            formula = _filled(template, names)
            found.setdefault(meaning(formula, predicates), (formula, names))
    return [*found.values()]


def _bindable(
    arguments: Sequence[Sequence[Formula]], conclusion: Formula, prover: Prover, trivial: bool
) -> bool:
    """Whether classes could make all premises of arguments true, and their conclusion.

    Different classes, and no premise trivially within its own argument.
    """
    try:
        wanted = [conditions(premises, prover, trivial=trivial) for premises in arguments]
    except ConditionsError:
        return False
    together = wanted[0]
    for more in wanted[1:]:
        together = together.joined(more)
    demands = [parse(_somebody(condition)) for condition in together.conditions if condition.wanted]
    demands += [
        parse(f"exists x.-({one}(x) <-> {other}(x))")
        for one, other in combinations(together.predicates, 2)
        if frozenset((one, other)) not in together.same
    ]
    shown = dict.fromkeys(premise for premises in arguments for premise in premises)
    return prover.satisfiable([*shown, conclusion, *demands]) is Answer.YES


def _somebody(condition: Condition) -> str:
    if condition.body is not None:
        return f"exists x.({condition.body})"
    literals = " & ".join(f"{'' if said else '-'}{name}(x)" for name, said in condition.literals)
    return f"exists x.({literals})"


def _filled(template: Formula, names: Sequence[str]) -> Formula:
    return rename(template, dict(zip(_slots(template), names, strict=True)))


def _slots(premise: Formula) -> tuple[str, ...]:
    return (*premise.symbols.predicates, *premise.symbols.individuals)


def _names(premises: Sequence[Formula]) -> tuple[list[str], list[str]]:
    """The predicates and the individuals of premises, each once."""
    predicates: dict[str, None] = {}
    individuals: dict[str, None] = {}
    for premise in premises:
        predicates |= dict.fromkeys(premise.symbols.predicates)
        individuals |= dict.fromkeys(premise.symbols.individuals)
    return list(predicates), list(individuals)
