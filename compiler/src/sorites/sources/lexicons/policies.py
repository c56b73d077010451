"""What a spec says of a lexicon that says a thing more than once, and what was found of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["MOST_EXAMPLES", "NO_REPEATS", "USUAL_POLICIES", "Policies", "Policy", "Repeats"]

Policy: TypeAlias = Literal["first", "join", "refuse"]

MOST_EXAMPLES = 5
"""Examples of what is repeated: enough to see what kind of thing it is."""


@dataclass(frozen=True, slots=True)
class Policies:
    """What becomes of repeated glosses and ILIs, and of synsets without an ILI.

    ``glosses``: of several glosses of a concept in one language the first is taken, they are
    joined by a semicolon, or the lexicon is refused. ``ilis``: of several synsets of one lexicon
    with the same ILI the first is taken, they become one concept, or the lexicon is refused.
    ``without_ili``: a synset without ILI is left out, or kept under its own id.
    """

    glosses: Policy = "first"
    ilis: Policy = "first"
    without_ili: Literal["leave-out", "keep"] = "leave-out"


USUAL_POLICIES = Policies()


@dataclass(frozen=True, slots=True)
class Repeats:
    """How many concepts something is repeated for, and the first of them in words."""

    concepts: int = 0
    examples: tuple[str, ...] = ()


NO_REPEATS = Repeats()
