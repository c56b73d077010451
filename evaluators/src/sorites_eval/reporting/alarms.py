"""What should make a reader doubt a run's scores: replies that are no answers, and near ties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sorites_eval.running.finished import Run

__all__ = ["Alarm", "alarms", "outcome_of"]

MUCH = 0.02
"""From this share on an alarm is loud."""

_EARLIER = {"answer": "answered", "irrelevant": "unreadable"}
"""How runs of an earlier version call it."""

_ADVICE = {
    "cut off": "The limit of tokens came before an answer: raise --max-tokens.",
    "refused": "The model or its provider declined to answer.",
    "error": "The provider gave no reply; run again to ask these items once more.",
    "empty": "Nothing was written: look at the prompt's end and at the chat template.",
    "unreadable": "Something was written that is no single answer: look at some of them.",
    "near tie": "Two labels are so close that rounding could turn the answer.",
}


@dataclass(frozen=True, slots=True)
class Alarm:
    """One kind of trouble in a run: how many replies of how many, and what it may mean."""

    kind: str
    count: int
    asked: int
    advice: str

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.count / self.asked

    @property
    def loud(self) -> bool:
        """Whether it touches so many replies that the scores say little."""
        return self.share >= MUCH


def outcome_of(row: Mapping[str, object]) -> str:
    """The outcome of a row of predictions, under the name of today."""
    outcome = str(row["outcome"])
    return _EARLIER.get(outcome, outcome)


def alarms(run: Run) -> Sequence[Alarm]:
    """The troubles that a run has, in a fixed order; none if every reply is a clear answer."""
    counts = Counter(outcome_of(row) for row in run.rows)
    counts["near tie"] = sum(bool(row.get("near_tie")) for row in run.rows)
    asked = len(run.rows)
    return [
        Alarm(kind, counts[kind], asked, advice) for kind, advice in _ADVICE.items() if counts[kind]
    ]
