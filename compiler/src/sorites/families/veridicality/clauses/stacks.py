"""Stacks of verbs above a sentence, and the constructions in which a release shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from sorites.families.veridicality.clauses.frames import InnerClause
from sorites.families.veridicality.polarity import (
    Environment,
    Level,
    Polarity,
    Sign,
    commitment_of,
    innermost_polarity,
)
from sorites.families.veridicality.verbs import Complement, Verb

__all__ = ["Construction", "Stack", "constructions"]


@dataclass(frozen=True, slots=True)
class Construction:
    """What stands around a pair, whatever the verbs.

    ``inner`` are the clauses between the main one and the pair, from the outside in; the
    environment and the passive are of the main clause.
    """

    environment: Environment = Environment.POSITIVE
    inner: tuple[InnerClause, ...] = ()
    passive: bool = False

    @property
    def depth(self) -> int:
        """How many verbs stand above the pair."""
        return 1 + len(self.inner)

    @property
    def marks(self) -> str:
        """What tells it from a positive, active clause with one verb; empty for that one."""
        marks = [] if self.environment is Environment.POSITIVE else [self.environment.value]
        marks += ["passive"] if self.passive else []
        marks += [f"depth-{self.depth}"] if self.inner else []
        return "-".join(marks)

    def levels(self, verbs: Sequence[Verb]) -> tuple[Level, ...]:
        """The verbs in their environments, from the outside in."""
        around = (self.environment, *(clause.environment for clause in self.inner))
        return tuple(verb.level(of) for verb, of in zip(verbs, around, strict=True))


@dataclass(frozen=True)
class Stack:
    """Verbs above a sentence, from the outside in, in a construction."""

    verbs: tuple[Verb, ...]
    construction: Construction = field(default_factory=Construction)

    @property
    def verb(self) -> Verb:
        """The innermost verb, whose complement the sentence is."""
        return self.verbs[-1]

    @cached_property
    def above(self) -> str | None:
        """The names of the verbs above the innermost, from the outside in; None without any."""
        return " > ".join(verb.name for verb in self.verbs[:-1]) or None

    @cached_property
    def name(self) -> str:
        """The verbs' names with dashes, from the outside in: its identity in a construction."""
        return "-".join(verb.name.replace(" ", "-") for verb in self.verbs)

    @cached_property
    def sign(self) -> Sign:
        """What the stack says about the sentence."""
        return commitment_of(self.construction.levels(self.verbs))

    @cached_property
    def polarity(self) -> Polarity:
        """The polarity at which the innermost verb stands."""
        return innermost_polarity(self.construction.levels(self.verbs))

    @property
    def complement(self) -> str:
        """The kind of clause around the sentence: ``that``, ``to`` or ``passive``."""
        return "passive" if self.construction.passive else self.verb.complement.value

    @property
    def generalises(self) -> bool:
        """Whether the subject that controls the sentence is quantified: *no one managed to …*."""
        return (
            self.verb.complement is Complement.TO
            and self.construction.depth == 1
            and self.construction.environment is Environment.QUANTIFIED
        )


def constructions(
    environments: Sequence[Environment],
    depths: Sequence[int],
    voices: Sequence[str],
    inner: Sequence[InnerClause],
) -> Iterator[Construction]:
    """Every combination; an impersonal passive is above one clause and is not quantified."""
    for depth, voice, environment in product(depths, voices, environments):
        passive = voice == "passive"
        if not (passive and (environment is Environment.QUANTIFIED or depth > 1)):
            yield Construction(environment, tuple(inner[: depth - 1]), passive)
