"""How many replies were answers, and a warning where many were lost on the way.

A reply that was cut off, empty, refused or failed tells more of how a model was asked than of
what it knows. It counts as a wrong answer all the same, so that a score over many of them is not
the model's, and whoever reads the score is told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from sorites_eval.scoring.answers import Outcome

__all__ = ["TOLERATED", "count_outcomes", "warn_of"]

TOLERATED = 0.02
"""The share of lost replies above which there is a warning."""

_ADVICE = {
    Outcome.CUT_OFF: "give the model more room with --max-tokens",
    Outcome.EMPTY: "see how the model ends its replies, and whether --max-tokens is enough",
    Outcome.REFUSED: "the column trouble of the predictions says why",
    Outcome.ERROR: "the same command asks these items again",
}


def count_outcomes(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """How many replies had each outcome, none left out."""
    counts = Counter(outcomes)
    return {str(outcome): counts[outcome] for outcome in Outcome}


def warn_of(counts: Mapping[str, int]) -> list[str]:
    """A sentence if more than ``TOLERATED`` of all replies were lost; nothing otherwise.

    >>> warn_of({"answered": 90, "cut off": 10})[0][:53]
    '10.0 % of the replies were no answers: 10 cut off. Th'
    """
    total = sum(counts.values())
    lost = {outcome: counts.get(outcome, 0) for outcome in _ADVICE}
    if not total or sum(lost.values()) <= TOLERATED * total:
        return []
    parts = [f"{number:,} {outcome}" for outcome, number in lost.items() if number]
    most = max(lost, key=lambda outcome: lost[outcome])
    share = 100 * sum(lost.values()) / total
    return [
        f"{share:.1f} % of the replies were no answers: {', '.join(parts)}. "
        f"They count as wrong: {_ADVICE[most]}."
    ]
