"""Pairs for a scheme: bindings of its own, and a match for each.

Where one binding can serve both of a pair, both share it; else the two have the classes of the
conclusion in common; else each is bound on its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorites.families.argument_schemes.making.arguments import (
    REWIRED,
    Argument,
    Pair,
    SchemeArguments,
    denial_of,
    key_of,
)
from sorites.families.argument_schemes.making.demands import Demands
from sorites.families.argument_schemes.making.partners import Partners, distractor_choices
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.matching import Match, matches, symmetries
from sorites.families.argument_schemes.search.sampling import (
    Identity,
    Sampled,
    Spaces,
    sample_bindings,
)
from sorites.logic.prover import Prover, Verdict
from sorites.seeds import random_for

__all__ = ["build_arguments"]

SPARE = 10
"""For so many arguments within local domains, one more binding is found."""


def build_arguments(
    plan: ArgumentPlan, scheme: Scheme, spaces: Spaces, prover: Prover
) -> SchemeArguments:
    """Find bindings for a scheme and make a pair of arguments from each."""
    examples = [exemplar for exemplar in plan.exemplars if exemplar.scheme == scheme.key]
    local = scheme.key in plan.local_domains
    # In a small domain an argument may find no distractors, and another scheme may have said the
    # same; another then takes its place.
    spare = 1 + plan.arguments // (SPARE if local else 4 * SPARE)
    maker = _PairMaker(plan, scheme, spaces, prover, local)
    made = list(maker.pairs(plan.arguments + len(examples) + spare))
    # Worked examples come first, so that a scheme with few bindings still has them.
    return SchemeArguments(
        scheme, tuple(made[len(examples) :]), tuple(made[: len(examples)]), maker.matches
    )


class _PairMaker:
    """Makes the pairs of one scheme."""

    def __init__(
        self, plan: ArgumentPlan, scheme: Scheme, spaces: Spaces, prover: Prover, local: bool
    ) -> None:
        self.plan = plan
        self.scheme = scheme
        self.spaces = spaces
        self.local = local
        self.demands = Demands(scheme, prover, trivial=plan.trivial_premises)
        own = self.demands.own
        self.identity = Identity(
            spaces,
            symmetries(scheme.premises, scheme.conclusion),
            frozenset({*own.predicates, *own.individuals}),
        )
        self.matches = tuple(
            matches(
                scheme,
                prover,
                random_for(plan.seed, "matches", *scheme.key),
                trivial=plan.trivial_premises,
            )
        )
        self.partners = Partners(plan, self.demands, self.matches, spaces, local=local)

    def pairs(self, count: int) -> Iterator[Pair]:
        """So many pairs, or fewer where the ontology holds no more."""
        if self.plan.negatives == "denials":
            for sampled in self._sample([self.demands.own], count):
                yield self._pair(sampled.binding, None, sampled.binding)
            return
        for binding, match, other in self._bound(count):
            yield self._pair(binding, match, other)

    def _bound(self, count: int) -> Iterator[tuple[Binding, Match, Binding]]:
        found: list[Sampled] = []
        # Within local domains bindings are few: there each argument finds its match.
        shared = [match for match in self.matches if match.shared and not self.local]
        if shared and not shared[0].extra:
            together = [self.demands.together(match) for match in shared]
            found = self._sample(together, count, thorough=False)
            found = [
                entry
                for entry in found
                if self.partners.is_new(shared[entry.choice], entry.binding)
            ]
            for entry in found:
                self.partners.usage.count(entry.binding)
                yield entry.binding, shared[entry.choice], entry.binding
        before = [entry.binding for entry in found]
        if self.matches and not shared and not self.local:
            # Where no binding serves both, one for each that leaves the conclusion as it is.
            beside = [self.demands.beside(match) for match in self.matches]
            for entry in self._sample(beside, count, thorough=False):
                match = self.matches[entry.choice]
                own, other = self.demands.parted(entry.binding, match)
                found_match = self.partners.find(own, match.extra)
                if found_match is None and self.partners.is_new(match, other):
                    found_match = match, other
                if found_match is not None:
                    before.append(own)
                    yield own, *found_match
        if not self.matches or len(before) >= count:
            return
        # Where that is not enough, each argument is bound on its own and then finds its match.
        extras = distractor_choices(self.matches)
        left = count - len(before)
        if extras[0]:
            # Some find no distractor that they need: others then take their place.
            for entry in self._sample([self.demands.own], 2 * left):
                paired = self.partners.with_distractor(entry.binding)
                if paired is not None:
                    left -= 1
                    before.append(paired[0])
                    yield paired
                if not left:
                    return
            if not self.local:
                return
        choices = [self.demands.with_extra(extra) for extra in extras]
        for entry in self._sample(choices, left, before=before):
            partner = self.partners.find(entry.binding, extras[entry.choice])
            if partner is not None:
                yield entry.binding, *partner

    def _sample(
        self,
        choices: Sequence[Conditions],
        count: int,
        *,
        thorough: bool = True,
        before: Sequence[Binding] = (),
    ) -> list[Sampled]:
        random = random_for(self.plan.seed, "bindings", *self.scheme.key)
        return sample_bindings(
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
