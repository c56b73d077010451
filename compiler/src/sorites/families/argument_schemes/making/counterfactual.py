"""Arguments whose premises are not all true, so that what is true and what follows come apart.

Both of a pair speak of the same classes. Half of the pairs have a conclusion that is true in the
ontology and half one that is false; with the argument that holds and the one that does not, the
four cells of the table are equally full. In each argument some premise is false, and in both of a
pair equally many are where that can be had: neither the truth of the conclusion nor that of the
premises tells whether it follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

from sorites.families.argument_schemes.making.arguments import REWIRED, Argument, Pair, key_of
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.bindings import (
    Binding,
    BindingSearch,
    Usage,
    draw_weight,
)
from sorites.families.argument_schemes.search.conditions import Conditions, conditions
from sorites.families.argument_schemes.search.matching import Match
from sorites.families.argument_schemes.search.sampling import Spaces
from sorites.families.argument_schemes.search.world import Space, World
from sorites.logic.formulas import Formula, contradictory
from sorites.logic.prover import Answer, Prover, Verdict
from sorites.logic.truth import Model, is_true
from sorites.seeds import random_for

__all__ = ["counterfactual_pairs", "model_of"]

TRIES = 60
"""Pairs in a row that may fail before no more are looked for."""

STEPS = 30
"""Partial bindings that may be visited for what the conclusion and false premises speak of."""

LOOKED_AT = 6
"""Bindings that are looked at for one pair, for one with as many true premises in both."""


def counterfactual_pairs(
    plan: ArgumentPlan,
    scheme: Scheme,
    matches: Sequence[Match],
    factual: Sequence[Pair],
    spaces: Spaces,
    prover: Prover,
    *,
    true: bool,
) -> Iterator[Pair]:
    """Pairs without end whose conclusions are all true, or all false; none where none is found.

    Domains are those of the factual pairs, whose bindings are not used again.
    """
    domains = list(dict.fromkeys(pair.entailed.binding.domain for pair in factual))
    if not matches or not domains:
        return
    random = random_for(plan.seed, "counterfactual", str(true), *scheme.key)
    maker = _Maker(scheme, spaces, prover, random)
    seen = {pair.key for pair in factual}
    missed = 0
    while missed < TRIES:
        match = matches[random.randrange(len(matches))]
        binding = maker.binding(match, domains, true=true)
        key = "" if binding is None else key_of(scheme, binding, spaces, "counterfactual")
        if binding is None or key in seen:
            missed += 1
            continue
        seen.add(key)
        missed = 0
        maker.usage.count(binding)
        said = scheme.conclusion
        entailed = Argument(scheme.premises, said, False, binding, Verdict.ENTAILED)
        other = Argument(match.premises, said, False, binding, Verdict.UNDETERMINED, REWIRED)
        yield Pair(scheme, key, entailed, other, match.extra)


def model_of(binding: Binding, world: World) -> Model:
    """The ontology as a model of what is said of a binding's classes and individuals."""
    universe = world.universe if binding.domain is None else world.members[binding.domain]
    return Model(
        universe,
        {symbol: world.members[index] & universe for symbol, index in binding.classes.items()},
        {symbol: 1 << index for symbol, index in binding.individuals.items()},
    )


class _Maker:
    """Draws classes for a pair's symbols."""

    def __init__(
        self,
        scheme: Scheme,
        spaces: Spaces,
        prover: Prover,
        random: Random,
    ) -> None:
        self.scheme = scheme
        self.spaces = spaces
        self.random = random
        self.usage = Usage()
        self._prover = prover
        self._wanted: dict[tuple[Match, bool], list[Conditions]] = {}
        self._searches: dict[tuple[int, int | None], BindingSearch] = {}

    def binding(self, match: Match, domains: Sequence[int | None], *, true: bool) -> Binding | None:
        """Classes under which the conclusion is as wanted, and some premise of each is false."""
        own = (*self.scheme.premises, *match.extra)
        ways = self._ways(match, true)
        kept: Binding | None = None
        for _ in range(LOOKED_AT if ways else 0):
            space = self.spaces.space(self.random.choice(domains))
            wanted = self.random.choice(ways)
            said = self._search(wanted, space).draw(self.random, self.usage, steps=STEPS)
            if said is None and len(ways) > 1:
                # What is hard to meet once is left alone.
                ways.remove(wanted)
            whole = None if said is None else self._filled(said, own, space)
            if whole is None:
                continue
            model = model_of(whole, self.spaces.world)
            holds = sum(is_true(premise, model) for premise in own)
            others = sum(is_true(premise, model) for premise in match.premises)
            if holds == others:
                return whole
            kept = kept or whole
        return kept

    def _ways(self, match: Match, true: bool) -> list[Conditions]:
        """What must be so for the conclusion to be as wanted, for each choice of false premises."""
        found = self._wanted.get((match, true))
        if found is None:
            conclusion = self.scheme.conclusion
            said = conclusion if true else contradictory(conclusion)
            found = []
            for one, other in product((*self.scheme.premises, *match.extra), match.premises):
                demands = [said, contradictory(one), contradictory(other)]
                if self._prover.satisfiable(demands) is Answer.YES:
                    found.append(conditions(demands, self._prover, trivial=True))
            self._wanted[match, true] = found
        return found

    def _search(self, wanted: Conditions, space: Space) -> BindingSearch:
        search = self._searches.get((id(wanted), space.domain))
        if search is None:
            search = BindingSearch(space, wanted)
            self._searches[id(wanted), space.domain] = search
        return search

    def _filled(self, said: Binding, premises: Sequence[Formula], space: Space) -> Binding | None:
        """Any classes and individuals for what the conclusion does not speak of."""
        classes, individuals = dict(said.classes), dict(said.individuals)
        for premise in premises:
            for name in premise.symbols.predicates:
                if name not in classes:
                    index = self._some_class(classes, space)
                    if index is None:
                        return None
                    classes[name] = index
            for name in premise.symbols.individuals:
                if name not in individuals:
                    free = [
                        index
                        for index in range(len(self.spaces.world.individuals))
                        if space.nameable >> index & 1 and index not in individuals.values()
                    ]
                    if not free:
                        return None
                    individuals[name] = self.random.choice(free)
        return Binding(classes, individuals, space.domain)

    def _some_class(self, taken: Mapping[str, int], space: Space) -> int | None:
        barred = {space.row_of[index] for index in taken.values()}
        rows = [row for row in range(len(space)) if row not in barred]
        if not rows:
            return None
        used = self.usage.classes
        chosen = self.random.choices(
            rows, [draw_weight(sum(used[index] for index in space.names[row])) for row in rows]
        )[0]
        return self.random.choice(space.names[chosen])
