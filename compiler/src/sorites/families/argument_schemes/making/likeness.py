"""How alike the words are of the arguments that hold and of those that do not.

Where the two of a pair must speak of different classes, words that stand more often among the
ones than among the others would tell them apart: large classes are called otherwise than small
ones. So would words that stand exactly as often: whoever has seen all pairs but one could tell
which of the two restores the balance. Of several classes that would do, those are taken under
which words differ as far as they would if a coin had dealt the two of each pair: the square of the
difference, summed over words, is then the sum of the squares of the differences within the pairs.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.world import World
from sorites.logic.formulas import Formula

__all__ = ["Likeness"]

_WORD = re.compile(r"\w+")

Words = Counter[tuple[str, str]]
"""How often words stand in the premises and in the conclusion of an argument."""


PARTS = ("premise", "conclusion")

_TENTHS = 10
"""Tenths of the square of a pair's own difference that its cost counts besides."""


class Likeness:
    """Keeps count of the words of both kinds of argument."""

    def __init__(self, world: World) -> None:
        self._names = [entry.name for entry in world.ontology.classes]
        self._words: dict[int, tuple[str, ...]] = {}
        self._difference: Words = Counter()
        self._excess: Counter[str] = Counter()
        """By part: the square of the difference, less the squares of those within the pairs."""

    def shown(self, premises: Sequence[Formula], conclusion: Formula, binding: Binding) -> Words:
        """The words of the classes that an argument speaks of."""
        found: Words = Counter()
        for part, formulas in zip(PARTS, (premises, (conclusion,)), strict=True):
            for formula in formulas:
                for name in formula.symbols.predicates:
                    for word in self._of(binding.classes[name]):
                        found[part, word] += 1
        return found

    def cost(self, holds: Words, fails: Words) -> int:
        """How far words would be from what a coin does, and a little for how far the two are."""
        excess, within = self._with(holds, fails)
        return sum(_TENTHS * abs(excess[part]) + within[part] for part in PARTS)

    def count(self, holds: Words, fails: Words) -> None:
        """Take note of a pair that was kept."""
        self._excess, _ = self._with(holds, fails)
        self._difference.update(holds)
        self._difference.subtract(fails)

    def _with(self, holds: Words, fails: Words) -> tuple[Counter[str], Counter[str]]:
        """The excess with one more pair, and the square of the difference within the pair."""
        excess, within = self._excess.copy(), Counter[str]()
        for key in {*holds, *fails}:
            # (d + e)² − d² − e² for a difference d before and e within the pair.
            apart = holds[key] - fails[key]
            excess[key[0]] += 2 * self._difference[key] * apart
            within[key[0]] += apart**2
        return excess, within

    def _of(self, index: int) -> tuple[str, ...]:
        if index not in self._words:
            self._words[index] = tuple(_WORD.findall(self._names[index].lower()))
        return self._words[index]
