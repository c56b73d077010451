"""Pairs for a scheme: bindings of its own, and a match for each.

Where one binding can serve both of a pair, both share it; else the two have the classes of the
conclusion in common; else each is bound on its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence

from sorites.families.argument_schemes.making.arguments import (
    REWIRED,
    Argument,
    Pair,
    Scarcity,
    SchemeArguments,
    denial_of,
    key_of,
)
from sorites.families.argument_schemes.making.demands import Demands
from sorites.families.argument_schemes.making.partners import Partners, distractor_choices
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.evening import (
    even_out,
    largest_share,
    named_otherwise,
)
from sorites.families.argument_schemes.search.matching import (
    MAX_MATCHES,
    Match,
    matches,
    symmetries,
)
from sorites.families.argument_schemes.search.sampling import (
    LARGEST_SHARE,
    Identity,
    Sample,
    sample_bindings,
)
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.logic.prover import Prover, Verdict
from sorites.seeds import random_for

__all__ = ["add_arguments", "build_arguments", "spares_last"]

SPARE = 10
"""For so many arguments within local domains, one more binding is found."""

ROUNDS = 4
"""So often more bindings are drawn where other arguments have said the same before."""

MATCHES_OF_FEW = 100
"""Matches with a distractor that are kept for a scheme of few bindings."""

Bound = tuple[Binding, Match, Binding]
"""The binding of an argument that holds, a match, and the binding of that."""


def build_arguments(
    plan: ArgumentPlan, scheme: Scheme, spaces: Spaces, prover: Prover
) -> SchemeArguments:
    """Find bindings for a scheme and make a pair of arguments from each."""
    examples = [exemplar for exemplar in plan.exemplars if exemplar.scheme == scheme.key]
    maker = _PairMaker(plan, scheme, spaces, prover)
    made = list(maker.pairs(_wanted(plan, scheme) + len(examples)))
    # Worked examples come first, so that a scheme with few bindings still has them.
    return SchemeArguments(
        scheme,
        tuple(spares_last(made[len(examples) :], plan.arguments)),
        tuple(made[: len(examples)]),
        maker.matches,
        maker.scarcity,
    )


def add_arguments(
    plan: ArgumentPlan,
    made: SchemeArguments,
    said: Iterable[Hashable],
    spaces: Spaces,
    prover: Prover,
) -> SchemeArguments:
    """More pairs for a scheme that lost some, for other schemes had ``said`` the same before."""
    scheme = made.scheme
    maker = _PairMaker(plan, scheme, spaces, prover)
    maker.partners.leave_out(said)
    more = maker.pairs(
        _wanted(plan, scheme) + len(made.held_out), before=[*made.held_out, *made.pairs]
    )
    return SchemeArguments(
        scheme, (*made.pairs, *more), made.held_out, made.matches, maker.scarcity or made.scarcity
    )


def spares_last(pairs: Sequence[Pair], wanted: int) -> list[Pair]:
    """The pairs in their order, but that those beyond ``wanted`` hold the most frequent classes.

    A scheme takes the first of them: what others can stand in for is left over.
    """
    kept = [*pairs]
    spare: list[Pair] = []
    uses = Counter(use for pair in kept for use in _uses(pair))
    while len(kept) > wanted:
        (often, _) = max(uses.items(), key=lambda entry: (entry[1], entry[0]))
        position = max(at for at, pair in enumerate(kept) if often in _uses(pair))
        spare.append(kept.pop(position))
        uses.subtract(_uses(spare[-1]))
    return [*kept, *reversed(spare)]


def _uses(pair: Pair) -> set[tuple[bool, int]]:
    """The classes of both arguments, each with whether it holds."""
    return {
        (argument is pair.entailed, argument.binding.classes[name])
        for argument in (pair.entailed, pair.other)
        for premise in argument.premises
        for name in premise.symbols.predicates
    }


def _wanted(plan: ArgumentPlan, scheme: Scheme) -> int:
    # In a small domain an argument may find no distractors, and another scheme may have said the
    # same; another then takes its place.
    local = scheme.key in plan.local_domains
    return plan.arguments + 1 + plan.arguments // (SPARE if local else 4 * SPARE)


class _PairMaker:
    """Makes the pairs of one scheme; ``scarcity`` is known where bindings turn out to be few."""

    def __init__(self, plan: ArgumentPlan, scheme: Scheme, spaces: Spaces, prover: Prover) -> None:
        self.plan = plan
        self.scheme = scheme
        self.spaces = spaces
        self.prover = prover
        self.local = scheme.key in plan.local_domains
        self.demands = Demands(scheme, prover, trivial=plan.trivial_premises)
        own = self.demands.own
        self.identity = Identity(
            spaces.world,
            symmetries(scheme.premises, scheme.conclusion),
            frozenset({*own.predicates, *own.individuals}),
        )
        self.matches = self._matches(least_distractors=0)
        self.partners = Partners(plan, self.demands, self.matches, spaces, local=self.local)
        self.scarcity: Scarcity | None = None

    def pairs(self, count: int, before: Sequence[Pair] = ()) -> Iterator[Pair]:
        """So many pairs with those made before, or fewer where the ontology holds no more."""
        bound = [pair.entailed.binding for pair in before]
        if self.plan.negatives == "denials":
            for binding in self._sample([self.demands.own], count - len(bound), bound).bindings:
                yield self._pair(binding, None, binding)
            return
        for pair in before:
            match = Match(pair.extra, pair.other.premises, shared=True)
            self.partners.is_new(match, pair.other.binding)
            self.partners.usage.count(pair.other.binding)
        for binding, match, other in self._bound(count, bound):
            yield self._pair(binding, match, other)

    def _bound(self, count: int, before: list[Binding]) -> Iterator[Bound]:
        # Within local domains bindings are few: there each argument finds its match.
        if self.matches and not self.local:
            ways = (
                self._sharing
                if any(match.shared for match in self.matches)
                else self._sharing_the_conclusion
            )
            for found in ways(count, before):
                before.append(found[0])
                yield found
        if not self.matches or len(before) >= count:
            return
        # Where that is not enough, each argument is bound on its own and then finds its match.
        extras = distractor_choices(self.matches)
        left = count - len(before)
        if extras[0]:
            # Some find no distractor that they need: others then take their place.
            for binding in self._sample([self.demands.own], 2 * left, before).bindings:
                paired = self.partners.with_distractor(binding)
                if paired is not None:
                    left -= 1
                    before.append(paired[0])
                    yield paired
                if not left:
                    return
            if not self.local:
                return
        choices = [self.demands.with_extra(extra) for extra in extras]
        sample = self._sample(choices, left, before)
        if sample.complete and not before and not extras[0]:
            yield from self._scarce(sample.bindings)
            return
        for entry in sample.drawn:
            partner = self.partners.find(entry.binding, extras[entry.choice])
            if partner is not None:
                yield entry.binding, *partner

    def _sharing(self, count: int, before: Sequence[Binding]) -> Iterator[Bound]:
        """Pairs whose arguments have the same classes."""
        shared = [match for match in self.matches if match.shared]
        if shared[0].extra:
            return
        together = [self.demands.together(match) for match in shared]
        tried = [*before]
        left = count - len(before)
        for number in range(ROUNDS):
            sample = self._sample(together, left, tried, thorough=False, turn=number)
            tried += sample.bindings
            asked = left
            for entry in sample.drawn:
                match = shared[entry.choice]
                if self.partners.is_new(match, entry.binding):
                    self.partners.usage.count(entry.binding)
                    left -= 1
                    yield entry.binding, match, entry.binding
            if not left or len(sample.drawn) < asked:
                return

    def _sharing_the_conclusion(self, count: int, before: Sequence[Binding]) -> Iterator[Bound]:
        """Where no binding serves both, one for each that leaves the conclusion as it is."""
        beside = [self.demands.beside(match) for match in self.matches]
        sample = self._sample(beside, count - len(before), before, thorough=False)
        for entry in sample.drawn:
            match = self.matches[entry.choice]
            own, other = self.demands.parted(entry.binding, match)
            partner = self.partners.find(own, match.extra)
            if partner is None and self.partners.is_new(match, other):
                partner = match, other
            if partner is not None:
                yield own, *partner

    def _scarce(self, bindings: Sequence[Binding]) -> Iterator[Bound]:
        """Pairs from all the bindings that there are, so that no class stands in most of them.

        Matches are few as well: whoever cannot share classes with one has one with a distractor.
        """
        domains = Counter(binding.domain for binding in bindings)
        evened = None
        if largest_share(bindings) > LARGEST_SHARE:
            groups = [named_otherwise(each, self.spaces.space(each.domain)) for each in bindings]
            random = random_for(self.plan.seed, "evening", *self.scheme.key)
            evened = even_out(groups, len(bindings), random)
        self.scarcity = Scarcity(
            len(bindings),
            max(domains.values(), default=0),
            None if evened is None else evened.least,
        )
        if evened is not None:
            bindings = evened.bindings
            self.partners.ceiling = max(2, evened.least)
        self.partners.by_members = True
        rest = []
        for binding in bindings:
            partner = self.partners.sharing(binding)
            if partner is None:
                rest.append(binding)
            else:
                yield binding, *partner
        if rest:
            self.matches = (*self.matches, *self._matches(least_distractors=1))
            self.partners.matches = self.matches
        for binding in rest:
            paired = self.partners.with_distractor(binding, MATCHES_OF_FEW)
            if paired is None:
                found = self.partners.find(binding, ())
                paired = None if found is None else (binding, *found)
            if paired is not None:
                yield paired

    def _matches(self, *, least_distractors: int) -> tuple[Match, ...]:
        return tuple(
            matches(
                self.scheme,
                self.prover,
                random_for(self.plan.seed, "matches", *self.scheme.key),
                trivial=self.plan.trivial_premises,
                least_distractors=least_distractors,
                most=MATCHES_OF_FEW if least_distractors else MAX_MATCHES,
            )
        )

    def _sample(
        self,
        choices: Sequence[Conditions],
        count: int,
        before: Sequence[Binding] = (),
        *,
        thorough: bool = True,
        turn: int = 0,
    ) -> Sample:
        random = random_for(self.plan.seed, "bindings", *self.scheme.key, *map(str, range(turn)))
        return sample_bindings(
            self.spaces,
            self.identity,
            choices,
            count,
            random,
            local=self.local,
            thorough=thorough,
            before=before,
        )

    def _pair(self, binding: Binding, match: Match | None, other: Binding) -> Pair:
        """The entailed argument of a binding, and the one that looks like it."""
        conclusion = self.scheme.conclusion
        entailed = Argument(self.scheme.premises, conclusion, False, binding, Verdict.ENTAILED)
        key = key_of(self.scheme, binding, self.spaces)
        if match is None:
            return Pair(self.scheme, key, entailed, denial_of(entailed))
        rewired = Argument(match.premises, conclusion, False, other, Verdict.UNDETERMINED, REWIRED)
        return Pair(self.scheme, key, entailed, rewired, match.extra)
