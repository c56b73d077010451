"""The match of an argument: classes under which premises like its own prove nothing.

Several are drawn, and the one is kept whose words are most like those of the argument.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from random import Random

from sorites.families.argument_schemes.making.arguments import content, key_of, meant
from sorites.families.argument_schemes.making.demands import Demands
from sorites.families.argument_schemes.making.likeness import Likeness
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.families.argument_schemes.search.bindings import Binding, BindingSearch, Usage
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.matching import Match
from sorites.families.argument_schemes.search.sampling import LARGEST_SHARE
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.logic.formulas import Formula
from sorites.seeds import random_for

__all__ = ["Partners", "distractor_choices"]

PATIENCE = 30
"""Draws in vain after which a match is no longer tried in the same way."""

DRAWS_ALIKE = 8
"""Bindings of a match that are drawn for one argument, of which one is kept."""

MAX_EXTRAS = 3
"""Distractors that a scheme may need, of which one is bound with its argument."""


def distractor_choices(matches: Sequence[Match]) -> list[tuple[Formula, ...]]:
    """The distractors that matches need, each once; the first few."""
    return list(dict.fromkeys(match.extra for match in matches))[:MAX_EXTRAS]


class Partners:
    """Finds the match of one argument of a scheme after the other.

    No class stands in more than ``ceiling`` of them while others can take its place. No two say
    the same: of the same classes, or ``by_members`` of the same sets of members.
    """

    def __init__(
        self,
        plan: ArgumentPlan,
        demands: Demands,
        matches: Sequence[Match],
        spaces: Spaces,
        *,
        local: bool,
    ) -> None:
        self.plan = plan
        self.scheme = demands.scheme
        self.demands = demands
        self.matches = matches
        self.spaces = spaces
        self.local = local
        self.usage = Usage()
        self._alike = Likeness(spaces.world)
        self.ceiling = max(2, int(plan.arguments * LARGEST_SHARE))
        self.by_members = False
        self._seen: set[Hashable] = set()
        self._said: set[Hashable] = set()
        self._used: Counter[Match] = Counter()
        self._effort: Counter[tuple[Match, int, int | None]] = Counter()
        self._searches: dict[tuple[Hashable, int | None], BindingSearch] = {}

    def leave_out(self, said: Iterable[Hashable]) -> None:
        """Keep to arguments with other content than what other schemes say."""
        self._said.update(said)

    def sharing(self, binding: Binding) -> tuple[Match, Binding] | None:
        """A match that is true of an argument's own classes."""
        for match in self.matches:
            if match.shared and not match.extra:
                random = random_for(self.plan.seed, "shared", *self.scheme.key)
                found = self._draw(match, binding.domain, binding, random)
                if found is not None:
                    self._keep(match, found)
                    return match, found
        return None

    def with_distractor(
        self, binding: Binding, tried: int = MAX_EXTRAS
    ) -> tuple[Binding, Match, Binding] | None:
        """A binding with classes for the distractor that its match needs, and the match's.

        So many matches are tried with the argument's own classes.
        """
        random = random_for(self.plan.seed, "extra", key_of(self.scheme, binding, self.spaces))
        matches = [match for match in self.matches if match.extra]
        open_to = sorted(matches, key=lambda match: (self._used[match], random.random()))
        for match in [match for match in open_to if match.shared][:tried]:
            both = self._draw(match, binding.domain, binding, random, together=True)
            if both is not None:
                self._keep(match, both)
                return both, match, both
        for extra in distractor_choices(open_to):
            search = self._searched(extra, binding.domain, partial(self.demands.with_extra, extra))
            own = search.draw(
                random,
                self.usage,
                fixed=binding.classes,
                fixed_individuals=binding.individuals,
            )
            partner = None if own is None else self.find(own, extra)
            if own is not None and partner is not None:
                return own, *partner
        return None

    def find(self, binding: Binding, extra: tuple[Formula, ...]) -> tuple[Match, Binding] | None:
        """A match and its classes: the argument's own, or with its conclusion, or others."""
        random = random_for(self.plan.seed, "match", key_of(self.scheme, binding, self.spaces))
        open_to = [match for match in self.matches if match.extra == extra]
        open_to.sort(key=lambda match: (self._used[match], random.random()))
        own = self._alike.shown([*self.scheme.premises, *extra], self.scheme.conclusion, binding)
        said = self.scheme.conclusion.symbols
        with_conclusion = Binding(
            {name: binding.classes[name] for name in said.predicates},
            {name: binding.individuals[name] for name in said.individuals},
            binding.domain,
        )
        elsewhere: list[int | None] = [binding.domain]
        if self.local:
            others = [d for d in self.spaces.domains(local=True) if d != binding.domain]
            random.shuffle(others)
            elsewhere += others
        ways: tuple[tuple[Binding | None, list[int | None], int, bool], ...] = (
            (binding, [binding.domain], 1, True),
            (with_conclusion, [binding.domain], DRAWS_ALIKE, True),
            (None, elsewhere, DRAWS_ALIKE, True),
            # Better a class that stands often than no pair.
            (with_conclusion, [binding.domain], DRAWS_ALIKE, False),
            (None, elsewhere, DRAWS_ALIKE, False),
        )
        drawn: list[tuple[int, int, Match, Binding]] = []
        for stage, (fixed, domains, draws, sparing) in enumerate(ways):
            for domain in domains:
                enough = len(drawn) + DRAWS_ALIKE
                for match in open_to:
                    effort = self._effort[match, stage, domain]
                    if (stage == 0 and not match.shared) or effort > PATIENCE:
                        continue
                    for _ in range(draws):
                        found = self._draw(match, domain, fixed, random, sparing=sparing)
                        if found is None:
                            self._effort[match, stage, domain] += 1
                            break
                        self._effort[match, stage, domain] = 0
                        shown = self._alike.shown(match.premises, self.scheme.conclusion, found)
                        cost = self._alike.cost(own, shown)
                        drawn.append((cost, len(drawn), match, found))
                    if len(drawn) >= enough:
                        break
                # The same conclusion, or another: whichever keeps the words more alike.
                if drawn and (stage != 1 or self.local):
                    _, _, match, found = min(drawn, key=lambda entry: entry[:2])
                    self._alike.count(
                        own, self._alike.shown(match.premises, self.scheme.conclusion, found)
                    )
                    self._keep(match, found)
                    return match, found
        return None

    def is_new(self, match: Match, binding: Binding) -> bool:
        """Whether no match has said the same before; takes note of it."""
        if self._is_said(match, binding):
            return False
        self._seen.add(self._meant(match, binding))
        return True

    def _draw(
        self,
        match: Match,
        domain: int | None,
        fixed: Binding | None,
        random: Random,
        *,
        sparing: bool = True,
        together: bool = False,
    ) -> Binding | None:
        """Classes under which all premises of a match and its conclusion are true.

        Sparing ones leave out classes that stand in as many arguments as one should; together,
        the scheme's own premises and the distractor are true as well.
        """
        search = self._searched(
            (match, together),
            domain,
            partial(self.demands.together if together else self.demands.alone, match),
        )
        used = self.usage.classes.items()
        full = [index for index, uses in used if uses >= self.ceiling] if sparing else []
        if fixed is not None and not {*full}.isdisjoint(fixed.classes.values()):
            return None
        found = search.draw(
            random,
            self.usage,
            fixed=None if fixed is None else fixed.classes,
            fixed_individuals=None if fixed is None else fixed.individuals,
            avoid=full,
        )
        return None if found is None or self._is_said(match, found) else found

    def _keep(self, match: Match, binding: Binding) -> None:
        self._used[match] += 1
        self.usage.count(binding)
        self._seen.add(self._meant(match, binding))

    def _is_said(self, match: Match, binding: Binding) -> bool:
        """Whether another match, or another scheme, has said the same before."""
        said = content((*match.premises, self.scheme.conclusion), binding)
        return said in self._said or self._meant(match, binding) in self._seen

    def _meant(self, match: Match, binding: Binding) -> Hashable:
        said = (*match.premises, self.scheme.conclusion)
        return meant(said, binding, self.spaces) if self.by_members else content(said, binding)

    def _searched(
        self, what: Hashable, domain: int | None, wanted: Callable[[], Conditions]
    ) -> BindingSearch:
        """A search in a domain, made when first asked for."""
        found = self._searches.get((what, domain))
        if found is None:
            found = self.spaces.search(domain, wanted())
            self._searches[what, domain] = found
        return found
