"""Whether accuracies are beyond a bound by more than chance: exact tests, all taken together."""

from __future__ import annotations

import math
from collections.abc import Sequence

from scipy.special import bdtr, bdtrc

__all__ = ["above", "below", "rejected"]


def above(score: float, units: int, bound: float) -> float:
    """The probability of so high a score if each unit gained at most ``bound`` on average.

    ``score`` is the sum, over independent units, of what each has gained, from 0 to 1. A sum of
    parts of a unit spreads no more than one of whole units, so the binomial is on the safe side,
    and so is rounding down.

    >>> round(above(9, 10, 0.5), 4)
    0.0107
    """
    won = math.floor(score + 1e-9)
    return 1.0 if won <= 0 else float(bdtrc(won - 1, units, bound))


def below(score: float, units: int, bound: float) -> float:
    """The probability of so low a score if each unit gained at least ``bound`` on average.

    >>> round(below(1, 10, 0.5), 4)
    0.0107
    """
    won = math.ceil(score - 1e-9)
    return 1.0 if won >= units else float(bdtr(won, units, bound))


def rejected(probabilities: Sequence[float], level: float) -> list[int]:
    """The positions of the hypotheses that Holm's procedure rejects (Holm, 1979).

    The probability that any true one is among them is at most ``level``.

    >>> rejected([0.2, 0.001, 0.02], 0.05)
    [1, 2]
    """
    order = sorted(range(len(probabilities)), key=lambda position: probabilities[position])
    found = []
    for rank, position in enumerate(order):
        if probabilities[position] > level / (len(order) - rank):
            break
        found.append(position)
    return sorted(found)
