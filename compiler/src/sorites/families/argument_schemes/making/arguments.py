"""Arguments of a scheme, in pairs: one that holds, and one that looks like it and does not.

Both of a pair have premises of the same forms, a conclusion of the same form after the same
phrase, and names that occur equally often, so that nothing short of the whole argument tells
which is which. All their premises and both conclusions are true in the ontology. Half of the
pairs assert the scheme's conclusion, and half deny its opposite.

In the paper's own design (``negatives: denials``) the two differ in the phrase alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from sorites.canonical import digest
from sorites.families.argument_schemes.making.likeness import Likeness
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.bindings import Binding, BindingSearch, Usage
from sorites.families.argument_schemes.search.conditions import Conditions, conditions
from sorites.families.argument_schemes.search.matching import (
    INDIVIDUALS,
    PREDICATES,
    Match,
    matches,
    symmetries,
)
from sorites.families.argument_schemes.search.sampling import (
    LARGEST_SHARE,
    Identity,
    Sampled,
    Spaces,
    sample_bindings,
)
from sorites.logic.formulas import Formula, contradictory, negation, rename
from sorites.logic.prover import Prover, Verdict
from sorites.seeds import random_for

__all__ = [
    "DENIAL",
    "KINDS",
    "REWIRED",
    "Argument",
    "Pair",
    "SchemeArguments",
    "build_arguments",
    "content",
    "denial_of",
    "key_of",
    "phrased",
]

DENIAL = "conclusion denied"
REWIRED = "premises connected otherwise"

KINDS = {
    REWIRED: "premises of the same forms about as many names, connected so that nothing follows",
    DENIAL: "an entailed conclusion, said to be false (or its opposite, said to be true)",
}
"""Every kind of negative, as it stands in the column ``negative``, and what it means."""

SPARE = 10
"""For so many arguments within local domains, one more binding is found."""

PATIENCE = 30
"""Draws in vain after which a match is no longer tried in the same way."""

DRAWS_ALIKE = 4
"""Bindings of a match that are drawn for one argument, of which the one most alike is kept."""

MAX_EXTRAS = 3
"""Distractors that a scheme may need, of which one is bound with its argument."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Premises and a conclusion, bound to an ontology; ``denied`` puts a "false" before it."""

    premises: tuple[Formula, ...]
    core: Formula
    denied: bool
    binding: Binding
    verdict: Verdict
    negative: str | None = None

    @property
    def conclusion(self) -> Formula:
        """The formula of the conclusion as it is said."""
        return negation(self.core) if self.denied else self.core


@dataclass(frozen=True, slots=True)
class Pair:
    """An entailed argument and one that is not, of one scheme; ``key`` names the pair.

    ``extra`` are the first distractors of the entailed argument, which the other counts among
    its premises: with fewer there are no items of the pair.
    """

    scheme: Scheme
    key: str
    entailed: Argument
    other: Argument
    extra: tuple[Formula, ...] = ()

    @property
    def opposed(self) -> bool:
        """Whether the two differ in nothing but the phrase before the conclusion."""
        return self.other.verdict is Verdict.CONTRADICTED


@dataclass(frozen=True, slots=True)
class SchemeArguments:
    """All that a scheme has given: pairs, those held out for worked examples, and its matches."""

    scheme: Scheme
    pairs: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    matches: tuple[Match, ...]


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


def denial_of(argument: Argument) -> Argument:
    """An entailed argument with the other phrase before its conclusion."""
    return replace(
        argument, denied=not argument.denied, verdict=Verdict.CONTRADICTED, negative=DENIAL
    )


def phrased(pair: Pair, *, denied: bool) -> Pair:
    """A pair whose conclusions are asserted, or whose opposite both of its arguments deny."""
    conclusion = pair.scheme.conclusion
    core = contradictory(conclusion) if denied else conclusion
    return replace(
        pair,
        entailed=replace(pair.entailed, core=core, denied=denied),
        other=replace(pair.other, core=core, denied=denied),
    )


def key_of(scheme: Scheme, binding: Binding, spaces: Spaces, *more: str) -> str:
    """A name for what is made of a scheme and a binding."""
    world = spaces.world
    classes = world.ontology.classes
    return digest(
        {
            "scheme": list(scheme.key),
            "classes": {name: classes[index].id for name, index in binding.classes.items()},
            "individuals": {
                name: world.individuals[index] for name, index in binding.individuals.items()
            },
            "domain": None if binding.domain is None else classes[binding.domain].id,
            **({"world": list(more)} if more else {}),
        }
    )[:16]


def content(formulas: Sequence[Formula], binding: Binding) -> Hashable:
    """What formulas say of what their symbols stand for, whatever the symbols are."""
    stands_for = {**binding.classes, **binding.individuals}
    return binding.domain, frozenset(
        (
            formula.shape,
            *(stands_for[name] for name in formula.symbols.predicates),
            *(stands_for[name] for name in formula.symbols.individuals),
        )
        for formula in formulas
    )


class _PairMaker:
    """Makes the pairs of one scheme."""

    def __init__(
        self, plan: ArgumentPlan, scheme: Scheme, spaces: Spaces, prover: Prover, local: bool
    ) -> None:
        self.plan = plan
        self.scheme = scheme
        self.spaces = spaces
        self.prover = prover
        self.local = local
        self.own = self._conditions(scheme.premises, scheme.conclusion)
        self.identity = Identity(
            spaces,
            symmetries(scheme.premises, scheme.conclusion),
            frozenset({*self.own.predicates, *self.own.individuals}),
        )
        self.matches = tuple(
            matches(
                scheme,
                prover,
                random_for(plan.seed, "matches", *scheme.key),
                trivial=plan.trivial_premises,
            )
        )
        self._alike = Likeness(spaces.world)
        self._seen: set[Hashable] = set()
        self._used: Counter[Match] = Counter()
        self._effort: Counter[tuple[Match, int, int | None]] = Counter()
        self._usage = Usage()
        self._demands: dict[Match, Conditions] = {}
        self._searches: dict[tuple[Hashable, int | None], BindingSearch] = {}

    def pairs(self, count: int) -> Iterator[Pair]:
        """So many pairs, or fewer where the ontology holds no more."""
        if self.plan.negatives == "denials":
            for sampled in self._sample([self.own], count):
                yield self._pair(sampled.binding, None, sampled.binding)
            return
        for binding, match, other in self._bound(count):
            yield self._pair(binding, match, other)

    def _bound(self, count: int) -> Iterator[tuple[Binding, Match, Binding]]:
        found: list[Sampled] = []
        # Within local domains bindings are few: there each argument finds its match.
        shared = [match for match in self.matches if match.shared and not self.local]
        if shared and not shared[0].extra:
            together = [self._together(match) for match in shared]
            found = self._sample(together, count, thorough=False)
            found = [entry for entry in found if self._is_new(shared[entry.choice], entry.binding)]
            for entry in found:
                self._usage.count(entry.binding)
                yield entry.binding, shared[entry.choice], entry.binding
        before = [entry.binding for entry in found]
        if self.matches and not shared and not self.local:
            # Where no binding serves both, one for each that leaves the conclusion as it is.
            beside = [self._beside(match) for match in self.matches]
            for entry in self._sample(beside, count, thorough=False):
                match = self.matches[entry.choice]
                own, other = self._parted(entry.binding, match)
                found_match = self._partner(own, match.extra)
                if found_match is None and self._is_new(match, other):
                    found_match = match, other
                if found_match is not None:
                    before.append(own)
                    yield own, *found_match
        if not self.matches or len(before) >= count:
            return
        # Where that is not enough, each argument is bound on its own and then finds its match.
        extras = list(dict.fromkeys(match.extra for match in self.matches))[:MAX_EXTRAS]
        left = count - len(before)
        if extras[0]:
            # Some find no distractor that they need: others then take their place.
            for entry in self._sample([self.own], 2 * left):
                paired = self._with_distractor(entry.binding)
                if paired is not None:
                    left -= 1
                    before.append(paired[0])
                    yield paired
                if not left:
                    return
            if not self.local:
                return
        choices = [self._with_extra(extra) for extra in extras]
        for entry in self._sample(choices, left, before=before):
            partner = self._partner(entry.binding, extras[entry.choice])
            if partner is not None:
                yield entry.binding, *partner

    def _with_distractor(self, binding: Binding) -> tuple[Binding, Match, Binding] | None:
        """A binding with classes for the distractor that its match needs, and the match's."""
        random = random_for(self.plan.seed, "extra", key_of(self.scheme, binding, self.spaces))
        open_to = sorted(self.matches, key=lambda match: (self._used[match], random.random()))
        for match in [match for match in open_to if match.shared][:MAX_EXTRAS]:
            both = self._draw(match, binding.domain, binding, random, together=True)
            if both is not None:
                self._keep(match, both)
                return both, match, both
        for extra in list(dict.fromkeys(match.extra for match in open_to))[:MAX_EXTRAS]:
            search = self._searched(extra, binding.domain, partial(self._with_extra, extra))
            own = search.draw(
                random,
                self._usage,
                fixed=binding.classes,
                fixed_individuals=binding.individuals,
            )
            partner = None if own is None else self._partner(own, extra)
            if own is not None and partner is not None:
                return own, *partner
        return None

    def _beside(self, match: Match) -> Conditions:
        """What an argument and its match demand if they share the conclusion's classes alone."""
        apart = self._apart(match)
        return self._with_extra(match.extra).joined(
            self._conditions([rename(premise, apart) for premise in match.premises])
        )

    def _parted(self, binding: Binding, match: Match) -> tuple[Binding, Binding]:
        """The two bindings of such a pair."""
        apart = self._apart(match)
        back = {new: name for name, new in apart.items()}
        own = Binding(
            {name: at for name, at in binding.classes.items() if name not in back},
            {name: at for name, at in binding.individuals.items() if name not in back},
            binding.domain,
        )
        other = Binding(
            {name: binding.classes[apart.get(name, name)] for name in own.classes},
            {name: binding.individuals[apart.get(name, name)] for name in own.individuals},
            binding.domain,
        )
        return own, other

    def _apart(self, match: Match) -> dict[str, str]:
        """Other symbols for whatever the conclusion does not speak of."""
        said = self.scheme.conclusion.symbols
        predicates = {name for premise in match.premises for name in premise.symbols.predicates}
        individuals = {name for premise in match.premises for name in premise.symbols.individuals}
        free = iter(name for name in PREDICATES if name not in predicates)
        named = iter(name for name in INDIVIDUALS if name not in individuals)
        return {
            **{name: next(free) for name in sorted(predicates - {*said.predicates})},
            **{name: next(named) for name in sorted(individuals - {*said.individuals})},
        }

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

    def _partner(
        self, binding: Binding, extra: tuple[Formula, ...], *, anywhere: bool = True
    ) -> tuple[Match, Binding] | None:
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
        for stage, (fixed, domains, draws, sparing) in enumerate(ways if anywhere else ways[:2]):
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
            partial(self._together if together else self._wanted, match),
        )
        ceiling = max(2, int(self.plan.arguments * LARGEST_SHARE))
        used = self._usage.classes.items()
        full = [index for index, uses in used if uses >= ceiling] if sparing else []
        if fixed is not None and not {*full}.isdisjoint(fixed.classes.values()):
            return None
        found = search.draw(
            random,
            self._usage,
            fixed=None if fixed is None else fixed.classes,
            fixed_individuals=None if fixed is None else fixed.individuals,
            avoid=full,
        )
        if found is None or self._content(match, found) in self._seen:
            return None
        return found

    def _is_new(self, match: Match, binding: Binding) -> bool:
        """Whether no match has said the same before; takes note of it."""
        content = self._content(match, binding)
        if content in self._seen:
            return False
        self._seen.add(content)
        return True

    def _keep(self, match: Match, binding: Binding) -> None:
        self._used[match] += 1
        self._usage.count(binding)
        self._seen.add(self._content(match, binding))

    def _content(self, match: Match, binding: Binding) -> Hashable:
        return content((*match.premises, self.scheme.conclusion), binding)

    def _searched(
        self, what: Hashable, domain: int | None, wanted: Callable[[], Conditions]
    ) -> BindingSearch:
        """A search in a domain, made when first asked for."""
        found = self._searches.get((what, domain))
        if found is None:
            found = BindingSearch(self.spaces.space(domain), wanted())
            self._searches[what, domain] = found
        return found

    def _conditions(
        self, premises: Sequence[Formula], conclusion: Formula | None = None
    ) -> Conditions:
        return conditions(
            premises,
            self.prover,
            trivial=self.plan.trivial_premises,
            conclusion=conclusion,
        )

    def _with_extra(self, extra: Sequence[Formula]) -> Conditions:
        return self.own.joined(self._conditions(extra)) if extra else self.own

    def _together(self, match: Match) -> Conditions:
        return self._with_extra(match.extra).joined(self._conditions(match.premises))

    def _wanted(self, match: Match) -> Conditions:
        if match not in self._demands:
            self._demands[match] = self._conditions(match.premises).joined(
                conditions([self.scheme.conclusion], self.prover, trivial=True)
            )
        return self._demands[match]

    def _pair(self, binding: Binding, match: Match | None, other: Binding) -> Pair:
        """The entailed argument of a binding, and the one that looks like it."""
        conclusion = self.scheme.conclusion
        entailed = Argument(self.scheme.premises, conclusion, False, binding, Verdict.ENTAILED)
        key = key_of(self.scheme, binding, self.spaces)
        if match is None:
            return Pair(self.scheme, key, entailed, denial_of(entailed))
        rewired = Argument(match.premises, conclusion, False, other, Verdict.UNDETERMINED, REWIRED)
        return Pair(self.scheme, key, entailed, rewired, match.extra)
