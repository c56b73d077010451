"""Statements that are true in the ontology, from which distractors are taken."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sorites.families.argument_schemes.making.arguments import SchemeArguments
from sorites.families.argument_schemes.search.bindings import Binding, Usage
from sorites.families.argument_schemes.search.conditions import Conditions, conditions
from sorites.families.argument_schemes.search.space import Space
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.logic.formulas import Formula
from sorites.logic.prover import Prover
from sorites.seeds import random_for

__all__ = ["LocalPools", "Pool", "Statement", "build_pool"]

STATEMENTS_OF_A_FORM = 3
"""Statements that are drawn for one form of premise in a local domain."""

STEPS_FOR_A_STATEMENT = 25
"""Partial bindings that each of these draws may visit."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A premise that is true in the ontology: a formula and what its symbols stand for."""

    formula: Formula
    classes: Mapping[str, int]
    individuals: Mapping[str, int]
    domain: int | None


@dataclass(frozen=True, slots=True)
class Pool:
    """Statements, one formula of each form, and which say something of a class or individual.

    ``about`` maps a form and the number of a class (or, negative, of an individual) to positions.
    """

    statements: tuple[Statement, ...]
    forms: tuple[Formula, ...]
    about: Mapping[tuple[str, int], tuple[int, ...]]


def build_pool(arguments: Iterable[SchemeArguments]) -> Pool:
    """The premises of all entailed arguments about the whole domain, each statement once."""
    statements: dict[tuple[object, ...], Statement] = {}
    for scheme in arguments:
        for pair in scheme.pairs:
            binding = pair.entailed.binding
            for premise in (*pair.entailed.premises, *pair.extra):
                if binding.domain is not None:
                    continue
                statement = _statement(premise, binding)
                key = (
                    premise,
                    *sorted(statement.classes.items()),
                    *sorted(statement.individuals.items()),
                )
                statements.setdefault(key, statement)
    return pool_from(statements.values())


class LocalPools:
    """Statements within local domains, found when first asked for.

    What is found depends on the seed, the domain and the forms of premises, on nothing else.
    """

    def __init__(self, spaces: Spaces, seed: int) -> None:
        self.spaces = spaces
        self.seed = seed
        self._pools: dict[int | None, Pool] = {}
        self._searched: dict[Formula, Conditions] = {}
        self._prover = Prover()

    def pool(self, space: Space, whole: Pool) -> Pool:
        """For each form of premise in the whole pool, a few statements true in a domain."""
        found = self._pools.get(space.domain)
        if found is None:
            found = pool_from(self._true_within(space, whole))
            self._pools[space.domain] = found
        return found

    def demands(self, formula: Formula) -> Conditions:
        """The conditions of a formula by itself."""
        if formula not in self._searched:
            self._searched[formula] = conditions([formula], self._prover)
        return self._searched[formula]

    def _true_within(self, space: Space, whole: Pool) -> Iterator[Statement]:
        classes = self.spaces.world.ontology.classes
        domain = "" if space.domain is None else classes[space.domain].id
        random = random_for(self.seed, "statements", domain)
        usage = Usage()
        for formula in whole.forms:
            search = self.spaces.search(space.domain, self.demands(formula))
            for _ in range(STATEMENTS_OF_A_FORM):
                binding = search.draw(random, usage, steps=STEPS_FOR_A_STATEMENT)
                if binding is None:
                    break
                usage.count(binding)
                yield Statement(formula, binding.classes, binding.individuals, space.domain)


def pool_from(statements: Iterable[Statement]) -> Pool:
    """A pool of statements, in their order."""
    kept = tuple(statements)
    about: dict[tuple[str, int], list[int]] = {}
    for position, statement in enumerate(kept):
        form = statement.formula.shape
        for index in dict.fromkeys(statement.classes.values()):
            about.setdefault((form, index), []).append(position)
        for index in statement.individuals.values():
            about.setdefault((form, -1 - index), []).append(position)
    forms = {statement.formula.shape: statement.formula for statement in kept}
    return Pool(
        kept,
        tuple(formula for _, formula in sorted(forms.items())),
        {key: tuple(found) for key, found in about.items()},
    )


def _statement(premise: Formula, binding: Binding) -> Statement:
    return Statement(
        premise,
        {name: binding.classes[name] for name in premise.symbols.predicates},
        {name: binding.individuals[name] for name in premise.symbols.individuals},
        binding.domain,
    )
