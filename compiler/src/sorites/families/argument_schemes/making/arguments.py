"""Arguments of a scheme, in pairs: one that holds, and one that looks like it and does not.

Both of a pair end in the same words. Half of the schemes' entailed conclusions are asserted,
and half are the opposite, denied; a contradicted conclusion is the entailed one with the other
phrase before it, and an undetermined one is the same sentence after other premises. So neither
the phrase nor the words of a conclusion tell whether it follows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from sorites.canonical import digest
from sorites.families.argument_schemes.making.fallacies import DENIAL, Fallacy, fallacies
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.bindings import Binding, BindingSearch, Usage
from sorites.families.argument_schemes.search.conditions import (
    Conditions,
    ConditionsError,
    conditions,
)
from sorites.families.argument_schemes.search.sampling import Spaces, sample_bindings
from sorites.families.argument_schemes.seeds import random_for
from sorites.logic.formulas import Formula, contradictory, negation
from sorites.logic.prover import Prover, Verdict

__all__ = ["Argument", "Pair", "SchemeArguments", "build_arguments"]

DRAWS_FOR_A_FALLACY = 2
"""Draws of a binding for one fallacy before another kind is tried."""

SPARE = 10
"""For so many arguments within local domains, one more binding is found."""

PATIENCE = 5
"""Bindings for which a fallacy may fail, for each one for which it has not, and five more."""


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

    ``opposed``: the two differ in nothing but the phrase before the conclusion.
    """

    scheme: Scheme
    key: str
    entailed: Argument
    other: Argument
    opposed: bool


@dataclass(frozen=True, slots=True)
class SchemeArguments:
    """All that a scheme has given: pairs, those held out for worked examples, and bindings."""

    scheme: Scheme
    pairs: tuple[Pair, ...]
    held_out: tuple[Pair, ...]
    kinds: Mapping[str, int]


def build_arguments(
    plan: ArgumentPlan, scheme: Scheme, spaces: Spaces, prover: Prover
) -> SchemeArguments:
    """Find bindings for a scheme and make a pair of arguments from each."""
    examples = [exemplar for exemplar in plan.exemplars if exemplar.scheme == scheme.key]
    local = scheme.key in plan.local_domains
    # In a small domain an argument may find no distractors; another then takes its place.
    spare = 1 + plan.arguments // SPARE if local else 0
    wanted = conditions(
        scheme.premises, prover, trivial=plan.trivial_premises, conclusion=scheme.conclusion
    )
    bindings = sample_bindings(
        spaces,
        wanted,
        plan.arguments + len(examples) + spare,
        random_for(plan.seed, "bindings", *scheme.key),
        local=local,
    )
    maker = _PairMaker(plan, scheme, spaces, prover)
    # Worked examples come first, so that a scheme with few bindings still has them.
    held = [
        maker.pair(binding, opposed=exemplar.verdict != Verdict.UNDETERMINED.value)
        for binding, exemplar in zip(
            bindings,
            (entry for entry in plan.exemplars if entry.scheme == scheme.key),
            strict=False,
        )
    ]
    pairs = [
        # A third of the negatives are contradicted, for faithfulness is measured on them; the
        # others leave the conclusion open.
        maker.pair(binding, opposed=plan.negatives == "denials" or position % 3 == 0)
        for position, binding in enumerate(bindings[len(examples) :])
    ]
    return SchemeArguments(scheme, tuple(pairs), tuple(held), dict(maker.kinds))


class _PairMaker:
    """Makes the pairs of one scheme and keeps the kinds of negatives in balance."""

    def __init__(self, plan: ArgumentPlan, scheme: Scheme, spaces: Spaces, prover: Prover) -> None:
        self.plan = plan
        self.scheme = scheme
        self.spaces = spaces
        self.prover = prover
        self.kinds: Counter[str] = Counter()
        self._forms: Counter[bool] = Counter()
        self._seen: set[tuple[object, ...]] = set()
        self._failed: Counter[Fallacy] = Counter()
        self._worked: Counter[Fallacy] = Counter()
        self._searches: dict[tuple[Fallacy, int | None], BindingSearch] = {}
        self._fallacies: dict[str, list[tuple[Fallacy, Conditions]]] = {}
        for fallacy in fallacies(scheme, plan.templates, prover):
            try:
                wanted = conditions(fallacy.premises, prover, trivial=plan.trivial_premises)
            except ConditionsError:
                continue
            self._fallacies.setdefault(fallacy.kind, []).append((fallacy, wanted))

    def pair(self, binding: Binding, *, opposed: bool) -> Pair:
        """The entailed argument of a binding, and its negative."""
        key = self._key(binding)
        random = random_for(self.plan.seed, "negative", key)
        # The two forms take turns among the opposed and among the others.
        denied = self._forms[opposed] % 2 == 1 and self.plan.negatives == "mixed"
        self._forms[opposed] += 1
        core = contradictory(self.scheme.conclusion) if denied else self.scheme.conclusion
        entailed = Argument(self.scheme.premises, core, denied, binding, Verdict.ENTAILED)
        other = None if opposed else self._undetermined(binding, denied, random)
        if other is None:
            other = replace(
                entailed, denied=not denied, verdict=Verdict.CONTRADICTED, negative=DENIAL
            )
        self.kinds[str(other.negative)] += 1
        return Pair(self.scheme, key, entailed, other, other.negative == DENIAL)

    def _undetermined(self, binding: Binding, denied: bool, random: Random) -> Argument | None:
        """A fallacy with the same conclusion, of the kind that was used least so far."""
        kinds = sorted(self._fallacies, key=lambda kind: (self.kinds[kind], random.random()))
        for kind in kinds:
            variants = list(self._fallacies[kind])
            random.shuffle(variants)
            for fallacy, wanted in variants:
                if self._failed[fallacy] > PATIENCE * (1 + self._worked[fallacy]):
                    continue
                bound = self._bind(fallacy, wanted, binding, random)
                if bound is None:
                    self._failed[fallacy] += 1
                    continue
                self._worked[fallacy] += 1
                core = contradictory(fallacy.conclusion) if denied else fallacy.conclusion
                argument = Argument(
                    fallacy.premises, core, denied, bound, Verdict.UNDETERMINED, kind
                )
                content = (argument.premises, core, *_bound_to(bound))
                if content not in self._seen:
                    self._seen.add(content)
                    return argument
        return None

    def _bind(
        self, fallacy: Fallacy, wanted: Conditions, binding: Binding, random: Random
    ) -> Binding | None:
        """Classes for a fallacy's free symbols under which its premises are true as well."""
        if fallacy.keeps(self.scheme):
            return binding
        said = fallacy.conclusion.symbols
        fixed = {name: binding.classes[name] for name in said.predicates}
        named = {name: binding.individuals[name] for name in said.individuals}
        elsewhere = [fixed[name] for name in fixed if name not in wanted.predicates]
        search = self._searches.get((fallacy, binding.domain))
        if search is None:
            search = BindingSearch(self.spaces.space(binding.domain), wanted)
            self._searches[fallacy, binding.domain] = search
        for _ in range(DRAWS_FOR_A_FALLACY):
            found = search.draw(
                random, Usage(), fixed=fixed, fixed_individuals=named, avoid=elsewhere
            )
            if found is not None:
                return Binding(
                    {**fixed, **found.classes}, {**named, **found.individuals}, binding.domain
                )
        return None

    def _key(self, binding: Binding) -> str:
        world = self.spaces.world
        classes = world.ontology.classes
        return digest(
            {
                "scheme": list(self.scheme.key),
                "classes": {name: classes[index].id for name, index in binding.classes.items()},
                "individuals": {
                    name: world.individuals[index] for name, index in binding.individuals.items()
                },
                "domain": None if binding.domain is None else classes[binding.domain].id,
            }
        )[:16]


def _bound_to(binding: Binding) -> Sequence[object]:
    return (
        tuple(sorted(binding.classes.items())),
        tuple(sorted(binding.individuals.items())),
        binding.domain,
    )
