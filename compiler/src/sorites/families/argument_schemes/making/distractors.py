"""True premises that an argument does not need.

They are the other arguments' premises or, within a local domain, of which those say little,
statements of the same forms that are true there. Half of them speak of a class or an individual
of the argument. Distractors are kept only if the prover finds that, with all of them shown, the
verdict is as before and, for an entailed conclusion, the argument's own premises are still the
only ones that suffice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from sorites.families.argument_schemes.making.arguments import Argument, SchemeArguments
from sorites.families.argument_schemes.search.bindings import Binding, BindingSearch, Usage
from sorites.families.argument_schemes.search.conditions import Conditions, conditions
from sorites.families.argument_schemes.search.sampling import Spaces
from sorites.families.argument_schemes.search.world import Space
from sorites.families.argument_schemes.seeds import random_for
from sorites.logic.formulas import Formula, rename
from sorites.logic.prover import Answer, Prover, Verdict

__all__ = ["Distracted", "Distractors", "LocalPools", "Pool", "Statement", "build_pool"]

TRIES = 40
"""Sets of distractors that are drawn and put to the prover for one argument."""

STATEMENTS_OF_A_FORM = 3
"""Statements that are drawn for one form of premise in a local domain."""

STEPS_FOR_A_STATEMENT = 25
"""Partial bindings that each of these draws may visit."""

CANDIDATES_FOR_ONE = 60
"""Statements that are looked at for one distractor."""

PREDICATES = tuple("FGHIJKLMNOPQRSTUVWABCDE") + tuple(f"P{index}" for index in range(1, 40))
INDIVIDUALS = tuple("abcdfghijk") + tuple(f"a{index}" for index in range(1, 40))
"""Symbols as NLTK reads them: e is an event, x, y and z are bound."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A premise that is true in the ontology: a formula and what its symbols stand for."""

    formula: Formula
    classes: Mapping[str, int]
    individuals: Mapping[str, int]
    domain: int | None


@dataclass(frozen=True, slots=True)
class Pool:
    """All statements, one of each form, and where a class or an individual occurs."""

    statements: tuple[Statement, ...]
    forms: tuple[Formula, ...]
    of_class: Mapping[int, tuple[int, ...]]
    of_individual: Mapping[int, tuple[int, ...]]
    whole: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Distracted:
    """An argument's distractors, in the order in which they join it, and the wider binding."""

    formulas: tuple[Formula, ...]
    binding: Binding


def build_pool(arguments: Iterable[SchemeArguments]) -> Pool:
    """The premises of all entailed arguments about the whole domain, each statement once."""
    statements: dict[tuple[object, ...], Statement] = {}
    for scheme in arguments:
        for pair in scheme.pairs:
            binding = pair.entailed.binding
            for premise in pair.entailed.premises:
                found = premise.symbols
                statement = Statement(
                    premise,
                    {name: binding.classes[name] for name in found.predicates},
                    {name: binding.individuals[name] for name in found.individuals},
                    binding.domain,
                )
                key = (
                    premise,
                    *sorted(statement.classes.items()),
                    *sorted(statement.individuals.items()),
                    binding.domain,
                )
                statements.setdefault(key, statement)
    return _pool_from(statement for statement in statements.values() if statement.domain is None)


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
            found = _pool_from(self._true_within(space, whole))
            self._pools[space.domain] = found
        return found

    def _true_within(self, space: Space, whole: Pool) -> Iterator[Statement]:
        classes = self.spaces.world.ontology.classes
        domain = "" if space.domain is None else classes[space.domain].id
        random = random_for(self.seed, "statements", domain)
        usage = Usage()
        for formula in whole.forms:
            if formula not in self._searched:
                self._searched[formula] = conditions([formula], self._prover)
            search = BindingSearch(space, self._searched[formula])
            for _ in range(STATEMENTS_OF_A_FORM):
                binding = search.draw(random, usage, steps=STEPS_FOR_A_STATEMENT)
                if binding is None:
                    break
                usage.count(binding)
                yield Statement(formula, binding.classes, binding.individuals, space.domain)


@dataclass(slots=True)
class Distractors:
    """Draws distractors; ``rejected`` counts the sets that the prover turned down, by reason."""

    pool: Pool
    spaces: Spaces
    prover: Prover
    local: LocalPools
    rejected: Counter[str] = field(default_factory=Counter)

    def draw(self, arguments: Sequence[Argument], count: int, random: Random) -> Distracted | None:
        """Distractors that serve all of some arguments with the same premises.

        None if no set of so many was found.
        """
        for _ in range(TRIES):
            drawn = self._draw_set(arguments[0], count, random)
            if drawn is None:
                self.rejected["too few statements fit"] += 1
                continue
            faults = [self._fault(argument, drawn.formulas) for argument in arguments]
            fault = next((found for found in faults if found), None)
            if fault is None:
                return drawn
            self.rejected[fault] += 1
        return None

    def _fault(self, argument: Argument, distractors: Sequence[Formula]) -> str | None:
        """Why distractors will not do. Fewer of them will do wherever all of them do.

        What follows from premises follows from more; what does not follow from many does not
        follow from few: so one look at the largest set settles every smaller one.
        """
        shown = [*argument.premises, *distractors]
        if argument.verdict is Verdict.UNDETERMINED:
            verdict = self.prover.verdict(shown, argument.conclusion)
        else:
            verdict = self.prover.verdict(argument.premises, argument.conclusion)
            match self.prover.satisfiable(shown):
                case Answer.NO:
                    verdict = Verdict.INCONSISTENT
                case Answer.UNKNOWN:
                    verdict = Verdict.UNKNOWN
        if verdict is Verdict.UNKNOWN:
            return "the prover met its limit"
        if verdict is Verdict.INCONSISTENT:
            return "the premises would be inconsistent"
        if verdict is not argument.verdict:
            return "the conclusion would be settled"
        if verdict is Verdict.ENTAILED:
            gold = range(len(argument.premises))
            match self.prover.only_minimal_set(shown, gold, argument.conclusion):
                case Answer.NO:
                    return "a premise would no longer be needed"
                case Answer.UNKNOWN:
                    return "the prover met its limit"
        return None

    def _draw_set(self, argument: Argument, count: int, random: Random) -> Distracted | None:
        space = self.spaces.space(argument.binding.domain)
        classes = dict(argument.binding.classes)
        individuals = dict(argument.binding.individuals)
        pool = self.pool if space.domain is None else self.local.pool(space, self.pool)
        near = _near(argument, pool)
        formulas: list[Formula] = []
        for position in range(count):
            for attempt in range(CANDIDATES_FOR_ONE):
                # A small pool may hold nothing near but the argument's own premises.
                try_near = position % 2 == 0 and attempt < CANDIDATES_FOR_ONE // 2
                candidates = near if try_near and near else pool.whole
                if not candidates:
                    return None
                statement = pool.statements[random.choice(candidates)]
                formula, added = _fit(statement, space, classes, individuals)
                if formula in formulas or formula in argument.premises:
                    continue
                formulas.append(formula)
                classes |= added.classes
                individuals |= added.individuals
                break
            else:
                return None
        random.shuffle(formulas)
        return Distracted(tuple(formulas), Binding(classes, individuals, argument.binding.domain))


def _near(argument: Argument, pool: Pool) -> Sequence[int]:
    """Statements about something that the argument is about."""
    found: dict[int, None] = {}
    for _, index in sorted(argument.binding.classes.items()):
        found |= dict.fromkeys(pool.of_class.get(index, ()))
    for _, index in sorted(argument.binding.individuals.items()):
        found |= dict.fromkeys(pool.of_individual.get(index, ()))
    return list(found)


def _fit(
    statement: Statement,
    space: Space,
    classes: Mapping[str, int],
    individuals: Mapping[str, int],
) -> tuple[Formula, Binding]:
    """A statement in the symbols of an argument, and what it binds that was not bound.

    A class that has the members of one that the argument speaks of gives way to it: the
    statement is as true of the other, and no argument may speak of both.
    """
    names: dict[str, str] = {}
    new_classes: dict[str, int] = {}
    new_individuals: dict[str, int] = {}
    taken = {space.row_of[index]: name for name, index in classes.items()}
    free = iter(name for name in PREDICATES if name not in classes)
    for name, index in statement.classes.items():
        row = space.row_of[index]
        if row in taken:
            names[name] = taken[row]
        else:
            names[name] = next(free)
            new_classes[names[name]] = index
    known = {index: name for name, index in individuals.items()}
    free = iter(name for name in INDIVIDUALS if name not in individuals)
    for name, index in statement.individuals.items():
        if index in known:
            names[name] = known[index]
        else:
            names[name] = next(free)
            new_individuals[names[name]] = index
    return rename(statement.formula, names), Binding(new_classes, new_individuals, space.domain)


def _pool_from(statements: Iterable[Statement]) -> Pool:
    kept = tuple(statements)
    of_class: dict[int, list[int]] = {}
    of_individual: dict[int, list[int]] = {}
    for position, statement in enumerate(kept):
        for index in set(statement.classes.values()):
            of_class.setdefault(index, []).append(position)
        for index in statement.individuals.values():
            of_individual.setdefault(index, []).append(position)
    forms = {statement.formula.shape: statement.formula for statement in kept}
    return Pool(
        kept,
        tuple(formula for _, formula in sorted(forms.items())),
        {index: tuple(found) for index, found in of_class.items()},
        {index: tuple(found) for index, found in of_individual.items()},
        tuple(range(len(kept))),
    )
