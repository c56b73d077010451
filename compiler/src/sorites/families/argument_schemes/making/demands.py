"""What the classes must be like for an argument, for its match, and for both at once."""

from __future__ import annotations

from collections.abc import Sequence

from sorites.families.argument_schemes.plan import Scheme
from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.conditions import Conditions, conditions
from sorites.families.argument_schemes.search.matching import INDIVIDUALS, PREDICATES, Match
from sorites.logic.formulas import Formula, rename
from sorites.logic.prover import Prover

__all__ = ["Demands"]


class Demands:
    """The conditions for the arguments of one scheme; ``own`` are those of its premises."""

    def __init__(self, scheme: Scheme, prover: Prover, *, trivial: bool) -> None:
        self.scheme = scheme
        self._prover = prover
        self._trivial = trivial
        self._of_match: dict[Match, Conditions] = {}
        self.own = self._conditions(scheme.premises, scheme.conclusion)

    def with_extra(self, extra: Sequence[Formula]) -> Conditions:
        """For the scheme's own premises and the distractors that its match needs."""
        return self.own.joined(self._conditions(extra)) if extra else self.own

    def together(self, match: Match) -> Conditions:
        """For an argument and its match, bound to the same classes."""
        return self.with_extra(match.extra).joined(self._conditions(match.premises))

    def alone(self, match: Match) -> Conditions:
        """For a match and its conclusion, whatever the argument beside it is bound to."""
        if match not in self._of_match:
            self._of_match[match] = self._conditions(match.premises).joined(
                conditions([self.scheme.conclusion], self._prover, trivial=True)
            )
        return self._of_match[match]

    def beside(self, match: Match) -> Conditions:
        """For an argument and its match if they share the conclusion's classes alone."""
        apart = self._apart(match)
        return self.with_extra(match.extra).joined(
            self._conditions([rename(premise, apart) for premise in match.premises])
        )

    def parted(self, binding: Binding, match: Match) -> tuple[Binding, Binding]:
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

    def _conditions(
        self, premises: Sequence[Formula], conclusion: Formula | None = None
    ) -> Conditions:
        return conditions(premises, self._prover, trivial=self._trivial, conclusion=conclusion)
