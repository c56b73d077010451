"""Which conditions, in which domain, a sample draws from next; and all of them in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from sorites.families.argument_schemes.search.bindings import (
    MAX_STEPS,
    Binding,
    BindingSearch,
    Steps,
    draw_weights,
    drawn_position,
)
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.spaces import Spaces

__all__ = ["Arm", "Arms"]

Arm = tuple[int, int | None]
"""A number of conditions and a domain."""

MISSES = 6
"""Draws in a row without a new binding after which conditions are given up as hard to meet."""

MOST_STEPS = 1_000_000
"""Partial bindings that going through all domains visits, in all of them together."""

STEPS_OF_A_SEARCH = 100
"""What a search costs by itself, in partial bindings."""


class Arms:
    """Every set of conditions in every domain, each with its search, made when first asked for.

    Unless the choice is to be ``thorough``, arms are given up that are hard to meet.
    """

    def __init__(
        self, spaces: Spaces, choices: Sequence[Conditions], *, local: bool, thorough: bool
    ) -> None:
        self._spaces = spaces
        self._choices = choices
        self._domains = spaces.domains(local=local)
        self._local = local
        self._thorough = thorough
        number = len(choices) * len(self._domains)
        self._live = np.ones(number, dtype=np.bool_)
        self._misses = np.zeros(number, dtype=np.int64)
        # By choice and by domain: how often one of its bindings was kept.
        self._of_choice = np.zeros((len(choices), 1), dtype=np.int64)
        self._of_domain = np.zeros((1, len(self._domains)), dtype=np.int64)
        self._searches: dict[int, BindingSearch] = {}
        self._together = Steps(MOST_STEPS)
        self.cut_short = False

    def next(self, random: Random) -> int | None:
        """An arm, drawn with those first that were rarely used; None if all are out."""
        live = self._live.nonzero()[0]
        if not live.size:
            return None
        uses = (self._of_choice + (self._of_domain if self._local else 0)).ravel()[live]
        return int(live[drawn_position(random, draw_weights(uses))])

    def choice(self, number: int) -> int:
        """Which conditions those of an arm are."""
        return number // len(self._domains)

    def is_new(self, number: int) -> bool:
        """Whether nobody has searched there."""
        return number not in self._searches

    def search(self, number: int) -> BindingSearch:
        """The search of an arm."""
        found = self._searches.get(number)
        if found is None:
            choice, place = divmod(number, len(self._domains))
            found = self._spaces.search(self._domains[place], self._choices[choice])
            self._searches[number] = found
        return found

    def drawn(self, number: int, *, kept: bool) -> None:
        """Take note of a draw, and of whether its binding was kept."""
        self._misses[number] = 0 if kept else self._misses[number] + 1
        if kept:
            choice, place = divmod(number, len(self._domains))
            self._of_choice[choice, 0] += 1
            self._of_domain[0, place] += 1
        # A domain that the search has shown to hold nothing is not asked again.
        if self._searches[number].exhausted or (
            not self._thorough and self._misses[number] >= MISSES
        ):
            self._live[number] = False

    def all(self, random: Random) -> Iterator[tuple[int, Binding]]:
        """Every binding with the number of its conditions, one of each arm in turn.

        ``cut_short`` is true where there may be more: an arm, or all together, took too many steps.
        """
        order = [*self._searches]
        order += [at for at in range(len(self._live)) if self.is_new(at)]
        turns = [(at, self._bindings(at, random)) for at in order]
        while turns:
            again = []
            for at, bindings in turns:
                binding = next(bindings, None)
                if binding is None:
                    continue
                again.append((at, bindings))
                yield self.choice(at), binding
            turns = again

    def _bindings(self, number: int, random: Random) -> Iterator[Binding]:
        if self._together.none_left:
            self.cut_short = True
            return
        search = self.search(number)
        if search.exhausted:
            return
        self._together.left -= STEPS_OF_A_SEARCH
        yield from search.all(random, Steps(MAX_STEPS, self._together))
        self.cut_short = self.cut_short or search.cut_short
