"""What a stack of clause-embedding verbs commits to, from the polarity at which each stands.

From the outside in, each clause has a polarity, its environment changes it, and the signature of
its verb turns the outcome into the polarity of the clause below (Nairn, Condoravdi and Karttunen
2006). What the innermost verb says is the commitment of the whole: its complement is true,
is false, or is left open.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Environment", "Level", "Polarity", "Sign", "commitment_of", "innermost_polarity"]


class Sign(enum.Enum):
    """What a verb in a clause of one polarity says about its complement."""

    TRUE = "+"
    FALSE = "-"
    OPEN = "o"


class Environment(StrEnum):
    """What stands around a verb in its own clause."""

    POSITIVE = "positive"
    NEGATED = "negated"
    QUESTION = "question"
    CONDITIONAL = "conditional"
    MODAL = "modal"
    QUANTIFIED = "quantified"
    """Below a negative subject, such as *no one*."""


class Polarity(StrEnum):
    """Whether what a clause says is taken to hold.

    ``NONE`` is not the same as ``UNKNOWN``: a clause of unknown polarity holds or does not, and
    what is said under both is said; below a verb that says nothing of its complement, nothing is.
    """

    POSITIVE = "positive"
    NEGATIVE = "negative"
    UNKNOWN = "unknown"
    NONE = "none"


_FLIPPED = {Polarity.POSITIVE: Polarity.NEGATIVE, Polarity.NEGATIVE: Polarity.POSITIVE}
_FLIPPING = (Environment.NEGATED, Environment.QUANTIFIED)
_OF_SIGN = {
    Sign.TRUE: Polarity.POSITIVE,
    Sign.FALSE: Polarity.NEGATIVE,
    Sign.OPEN: Polarity.NONE,
}
_COMMITMENT = {Polarity.POSITIVE: Sign.TRUE, Polarity.NEGATIVE: Sign.FALSE}


@dataclass(frozen=True, slots=True)
class Level:
    """A verb's signature (what it says in a positive and in a negated clause), and where it is."""

    positive: Sign
    negative: Sign
    environment: Environment


def innermost_polarity(levels: Sequence[Level]) -> Polarity:
    """The polarity at which the innermost verb stands; levels go from the outside in.

    >>> know = Level(Sign.TRUE, Sign.TRUE, Environment.QUESTION)
    >>> forget = Level(Sign.FALSE, Sign.TRUE, Environment.NEGATED)
    >>> innermost_polarity([know, forget])
    <Polarity.NEGATIVE: 'negative'>
    """
    polarity = Polarity.POSITIVE
    for level in levels[:-1]:
        polarity = _below(level, _at(level.environment, polarity))
    return _at(levels[-1].environment, polarity)


def commitment_of(levels: Sequence[Level]) -> Sign:
    """What the whole says about the innermost complement; levels go from the outside in."""
    polarity = _below(levels[-1], innermost_polarity(levels))
    return _COMMITMENT.get(polarity, Sign.OPEN)


def _at(environment: Environment, polarity: Polarity) -> Polarity:
    """The polarity at which a verb stands, from that of its clause."""
    if environment is Environment.POSITIVE or polarity is Polarity.NONE:
        return polarity
    if environment in _FLIPPING:
        return _FLIPPED.get(polarity, polarity)
    return Polarity.UNKNOWN


def _below(level: Level, polarity: Polarity) -> Polarity:
    """The polarity of a verb's complement, from that of the verb."""
    match polarity:
        case Polarity.POSITIVE:
            return _OF_SIGN[level.positive]
        case Polarity.NEGATIVE:
            return _OF_SIGN[level.negative]
        case Polarity.NONE:
            return Polarity.NONE
    if Sign.OPEN in (level.positive, level.negative):
        return Polarity.NONE
    if level.positive is level.negative:
        return _OF_SIGN[level.positive]
    return Polarity.UNKNOWN
