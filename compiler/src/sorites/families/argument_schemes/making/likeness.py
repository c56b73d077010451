"""How alike the words are of the arguments that hold and of those that do not.

Where the two of a pair must speak of different classes, words that stand more often among the
ones than among the others would tell them apart: large classes are called otherwise than small
ones. Of several classes that would do, those are taken that bring the words nearest together.
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

CONCLUSION_COUNTS = 2
"""So many times a word of a premise, one of the conclusion counts."""

Words = Counter[tuple[str, str]]
"""How often words stand in the premises and in the conclusion of an argument."""


class Likeness:
    """Keeps count of the words of both kinds of argument."""

    def __init__(self, world: World) -> None:
        self._names = [entry.name for entry in world.ontology.classes]
        self._words: dict[int, tuple[str, ...]] = {}
        self._difference: Words = Counter()

    def shown(self, premises: Sequence[Formula], conclusion: Formula, binding: Binding) -> Words:
        """The words of the classes that an argument speaks of."""
        found: Words = Counter()
        for part, formulas in (("premise", premises), ("conclusion", (conclusion,))):
            for formula in formulas:
                for name in formula.symbols.predicates:
                    # A conclusion names few classes beside those of the premises: each counts more.
                    weight = CONCLUSION_COUNTS if part == "conclusion" else 1
                    for word in self._of(binding.classes[name]):
                        found[part, word] += weight
        return found

    def cost(self, holds: Words, fails: Words) -> int:
        """How far apart the words would be: the sum of the squares of differences."""
        total = 0
        for word in {*holds, *fails}:
            before = self._difference[word]
            total += (before + holds[word] - fails[word]) ** 2 - before**2
        return total

    def count(self, holds: Words, fails: Words) -> None:
        """Take note of a pair that was kept."""
        self._difference.update(holds)
        self._difference.subtract(fails)

    def _of(self, index: int) -> tuple[str, ...]:
        if index not in self._words:
            self._words[index] = tuple(_WORD.findall(self._names[index].lower()))
        return self._words[index]
