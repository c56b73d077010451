"""Premises that an argument does not need, the same for both arguments of a pair.

Half of them have forms that the argument has, and speak of its names; the others are of any form.
Both arguments of a pair show the same formulas, each with classes of its own where the two are
bound apart: so distractors fill the same places of the conclusion's names in both, and tell them
apart as little as the premises do. A distractor is kept only if with it the one conclusion stays
open, and the other's premises are still the only ones that suffice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from sorites.errors import SoritesError
from sorites.families.argument_schemes.making.arguments import Pair
from sorites.families.argument_schemes.making.statements import LocalPools, Pool, Statement
from sorites.families.argument_schemes.search.bindings import Binding, BindingSearch, Usage
from sorites.families.argument_schemes.search.matching import INDIVIDUALS, PREDICATES
from sorites.families.argument_schemes.search.space import Space
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.logic.deciding import decide, in_sample
from sorites.logic.formulas import Formula, parse, rename
from sorites.logic.prover import Answer, Prover, Verdict

__all__ = ["Distracted", "Distractors"]

TRIES = 4
"""Sets of distractors that are begun for one pair."""

CANDIDATES_FOR_ONE = 40
"""Statements that are looked at for one distractor."""

STEPS_FOR_ITS_LIKE = 12
"""Partial bindings that may be visited for a statement about an argument's own name."""


@dataclass(frozen=True, slots=True)
class Distracted:
    """Distractors in the order in which they join, and what all symbols stand for in each."""

    formulas: tuple[Formula, ...]
    entailed: Binding
    other: Binding


@dataclass(slots=True)
class Distractors:
    """Draws distractors for the pairs of a release of so many ``arguments``.

    ``rejected`` counts statements and sets turned down, by reason, ``whole`` the arguments that
    the prover has proved with all their distractors.
    """

    pool: Pool
    spaces: Spaces
    prover: Prover
    local: LocalPools
    arguments: int
    whole: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    _searches: dict[tuple[str, int | None], BindingSearch] = field(default_factory=dict)

    def draw(self, pair: Pair, count: int, random: Random) -> Distracted | None:
        """So many distractors, those that the pair needs first; None if so many were not found."""
        for _ in range(TRIES):
            drawn = self._draw_set(pair, count, random)
            if drawn is None:
                self.rejected["too few statements fit"] += 1
                continue
            self._prove(pair, drawn.formulas)
            return drawn
        return None

    def _draw_set(self, pair: Pair, count: int, random: Random) -> Distracted | None:
        space = self.spaces.space(pair.entailed.binding.domain)
        pool = self.pool if space.domain is None else self.local.pool(space, self.pool)
        drawn = Distracted(pair.extra, pair.entailed.binding, pair.other.binding)
        while len(drawn.formulas) < count:
            # The first, the third and so on are like the argument's own premises.
            alike = len(drawn.formulas) % 2 == 0
            for attempt in range(CANDIDATES_FOR_ONE):
                like = alike and attempt < CANDIDATES_FOR_ONE * 3 // 4
                statement = (
                    self._its_like(pair, drawn.entailed, pool, space, random)
                    if like
                    else pool.statements[random.randrange(len(pool.statements))]
                    if pool.statements
                    else None
                )
                more = None if statement is None else self._with(pair, drawn, statement, random)
                if more is not None:
                    drawn = more
                    break
            else:
                return None
        return drawn

    def _with(
        self, pair: Pair, drawn: Distracted, statement: Statement, random: Random
    ) -> Distracted | None:
        """The distractors with one more, or None if it will not do."""
        space = self.spaces.space(drawn.entailed.domain)
        formula, entailed = _fit(statement, space, drawn.entailed)
        if formula in (*drawn.formulas, *pair.entailed.premises, *pair.other.premises):
            return None
        other = entailed
        if drawn.other != drawn.entailed:
            found = self._bound(formula, drawn.other, random)
            if found is None:
                self.rejected["true of one argument's classes and not of the other's"] += 1
                return None
            other = found
        fault = _fault(pair, (*drawn.formulas, formula), self.prover)
        if fault is not None:
            self.rejected[fault] += 1
            return None
        return Distracted((*drawn.formulas, formula), entailed, other)

    def _its_like(
        self, pair: Pair, binding: Binding, pool: Pool, space: Space, random: Random
    ) -> Statement | None:
        """A statement of a form that the argument has, about something that it speaks of."""
        form = random.choice(pair.entailed.premises).shape
        own = pair.entailed.premises
        predicates = sorted({name for premise in own for name in premise.symbols.predicates})
        individuals = sorted({name for premise in own for name in premise.symbols.individuals})
        name = random.choice(predicates + individuals)
        about = binding.classes[name] if name in predicates else -1 - binding.individuals[name]
        positions = pool.about.get((form, about))
        if positions and random.random() < 0.5:
            return pool.statements[random.choice(positions)]
        template = parse(form)
        slots = template.symbols.predicates if about >= 0 else template.symbols.individuals
        if not slots:
            return None
        slot = random.choice(slots)
        found = self._search(template, space).draw(
            random,
            Usage(),
            fixed={slot: about} if about >= 0 else None,
            fixed_individuals=None if about >= 0 else {slot: -1 - about},
            steps=STEPS_FOR_ITS_LIKE,
        )
        if found is None:
            return None
        return Statement(template, found.classes, found.individuals, space.domain)

    def _bound(self, formula: Formula, binding: Binding, random: Random) -> Binding | None:
        """Classes for what is new in a formula, under which it is true as well."""
        space = self.spaces.space(binding.domain)
        slots = parse(formula.shape).symbols
        classes = dict(zip(slots.predicates, formula.symbols.predicates, strict=True))
        named = dict(zip(slots.individuals, formula.symbols.individuals, strict=True))
        found = self._search(parse(formula.shape), space).draw(
            random,
            Usage(),
            fixed={
                slot: binding.classes[name]
                for slot, name in classes.items()
                if name in binding.classes
            },
            fixed_individuals={
                slot: binding.individuals[name]
                for slot, name in named.items()
                if name in binding.individuals
            },
            avoid=[*binding.classes.values()],
            steps=STEPS_FOR_ITS_LIKE,
        )
        if found is None:
            return None
        new_individuals = {named[slot]: index for slot, index in found.individuals.items()}
        taken = {index: name for name, index in binding.individuals.items()}
        if any(taken.get(index, name) != name for name, index in new_individuals.items()):
            return None
        return Binding(
            {**binding.classes, **{classes[slot]: at for slot, at in found.classes.items()}},
            {**binding.individuals, **new_individuals},
            binding.domain,
        )

    def _search(self, template: Formula, space: Space) -> BindingSearch:
        key = template.text, space.domain
        found = self._searches.get(key)
        if found is None:
            found = self.spaces.search(space.domain, self.local.demands(template))
            self._searches[key] = found
        return found

    def _prove(self, pair: Pair, formulas: Sequence[Formula]) -> None:
        """Put to the prover what was decided over types.

        Without distractors every argument is proved, each once up to the names of its symbols;
        with all of them shown, those of the sample.
        """
        entailed, other = pair.entailed, pair.other
        faults = [
            self.prover.verdict(entailed.premises, entailed.conclusion) is not Verdict.ENTAILED,
            bool(self.prover.redundant(entailed.premises, entailed.conclusion)),
            self.prover.verdict(other.premises, other.conclusion) is not other.verdict,
        ]
        if in_sample(pair.key, self.arguments):
            faults += self._whole_faults(pair, formulas)
        if any(faults):
            raise SoritesError(
                f"the pair {pair.key} of {pair.scheme.name}, {pair.scheme.variant}: the decision"
                " over types and the prover disagree, or the prover met its limit: raise"
                " logic.resource_limit, or report this with the spec"
            )

    def _whole_faults(self, pair: Pair, formulas: Sequence[Formula]) -> list[bool]:
        """Whether the prover disagrees with all distractors shown.

        Fewer of them will do wherever all of them do. What follows from premises follows from
        more; what does not follow from many does not follow from few: so one look at the
        largest set settles every smaller one.
        """
        self.whole += 2
        entailed, other = pair.entailed, pair.other
        shown = [*entailed.premises, *formulas]
        more = [*other.premises, *formulas[len(pair.extra) :]]
        gold = range(len(entailed.premises))
        return [
            self.prover.satisfiable(shown) is not Answer.YES,
            self.prover.only_minimal_set(shown, gold, entailed.conclusion) is not Answer.YES,
            self.prover.verdict(more, other.conclusion) is not other.verdict,
        ]


def _fault(pair: Pair, formulas: Sequence[Formula], prover: Prover) -> str | None:
    """Why distractors will not do."""
    entailed, other = pair.entailed, pair.other
    conclusion = pair.scheme.conclusion
    judged = decide(prover, [*entailed.premises, *formulas], conclusion)
    if judged.verdict in _UNFIT:
        return _UNFIT[judged.verdict]
    if judged.needed != frozenset(range(len(entailed.premises))):
        return "a premise would no longer be needed"
    if pair.opposed:
        return None
    judged = decide(prover, [*other.premises, *formulas[len(pair.extra) :]], conclusion)
    if judged.verdict in _UNFIT:
        return _UNFIT[judged.verdict]
    return None if judged.verdict is Verdict.UNDETERMINED else "the conclusion would be settled"


_UNFIT = {
    Verdict.INCONSISTENT: "the premises would be inconsistent",
    Verdict.UNKNOWN: "the prover met its limit",
}


def _fit(statement: Statement, space: Space, binding: Binding) -> tuple[Formula, Binding]:
    """A statement in the symbols of an argument, and the wider binding.

    A class that has the members of one that the argument speaks of gives way to it: the
    statement is as true of the other, and no argument may speak of both.
    """
    names: dict[str, str] = {}
    classes, individuals = dict(binding.classes), dict(binding.individuals)
    taken = {space.row_of[index]: name for name, index in classes.items()}
    for name, index in statement.classes.items():
        row = space.row_of[index]
        if row not in taken:
            taken[row] = _free(PREDICATES, classes)
            classes[taken[row]] = index
        names[name] = taken[row]
    known = {index: name for name, index in individuals.items()}
    for name, index in statement.individuals.items():
        if index not in known:
            known[index] = _free(INDIVIDUALS, individuals)
            individuals[known[index]] = index
        names[name] = known[index]
    return rename(statement.formula, names), Binding(classes, individuals, binding.domain)


def _free(symbols: Sequence[str], taken: Mapping[str, int]) -> str:
    return next(name for name in symbols if name not in taken)
