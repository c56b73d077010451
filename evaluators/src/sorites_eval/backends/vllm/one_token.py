"""Read choices from an engine that tells of one next token at a time, and of few tokens each.

Such an engine keeps the prompt's computation, so asking again costs little. A label of several
tokens takes one question for each of its beginnings; a label of one token takes the one question
that all labels share. All here is plain values: what is asked, and how what comes back is read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sorites_eval.backends.local.tokens import ChoicePrompt, Encoder
from sorites_eval.backends.protocol import Choice, Reply
from sorites_eval.prompts.requests import STOP

__all__ = ["ChoiceReader", "Question", "Told", "questions", "written"]

_LOOK = 8


@dataclass(frozen=True, slots=True)
class Question:
    """What follows ``ids``, which are a prompt and ``beginning``, the first tokens of a label?

    ``wanted`` are the tokens whose probability must be known, whether they are likely or not.
    """

    ids: tuple[int, ...]
    beginning: tuple[int, ...]
    wanted: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """The best next token, and log-probabilities, in nats, of the tokens that were told of."""

    best: int
    scores: Mapping[int, float]

    def lacks(self, question: Question) -> tuple[int, ...]:
        """The wanted tokens that were not told of."""
        return tuple(token for token in question.wanted if token not in self.scores)

    def with_more(self, scores: Mapping[int, float]) -> Told:
        """The same with more tokens told of; what was known stays."""
        return Told(self.best, {**scores, **self.scores})


def questions(prompt: ChoicePrompt) -> list[Question]:
    """What to ask to score every label of a prompt; the first question is about the prompt alone.

    >>> prompt = ChoicePrompt(context=(7, 8), labels=((1,), (2, 3), (2, 4)))
    >>> [(question.ids, question.wanted) for question in questions(prompt)]
    [((7, 8), (1, 2)), ((7, 8, 2), (3, 4))]
    """
    wanted: dict[tuple[int, ...], set[int]] = {(): set()}
    for label in prompt.labels:
        for place, token in enumerate(label):
            wanted.setdefault(label[:place], set()).add(token)
    return [
        Question(prompt.context + beginning, beginning, tuple(sorted(tokens)))
        for beginning, tokens in sorted(wanted.items())
    ]


class ChoiceReader:
    """Turns what an engine told into replies for one task.

    ``near`` is the distance in nats under which rounding could turn a label.
    """

    def __init__(self, encoder: Encoder, labels: Sequence[str], near: float) -> None:
        self._encoder = encoder
        self._labels = list(labels)
        self._near = near
        self._spellings = {
            token: number
            for number, label in enumerate(labels)
            for token in encoder.spellings(label)
        }

    def read(self, prompt: ChoicePrompt, told: Sequence[Told]) -> Reply:
        """The reply to a prompt from what was told to its ``questions``, in their order.

        ``mass`` leaves out rare spellings that it did
        not tell of. Raises KeyError if a wanted token was not told of.
        """
        after = dict(zip((q.beginning for q in questions(prompt)), told, strict=True))
        totals = [
            sum(after[label[:place]].scores[token] for place, token in enumerate(label))
            for label in prompt.labels
        ]
        greedy = [
            number
            for number, label in enumerate(prompt.labels)
            if all(after[label[:place]].best == token for place, token in enumerate(label))
        ]
        single = {label[0]: n for n, label in enumerate(prompt.labels) if len(label) == 1}
        readings = {**self._spellings, **single}
        first = after[()]
        free = greedy[0] if greedy else readings.get(first.best)
        order = sorted(range(len(totals)), key=lambda number: (-totals[number], number))
        margin = totals[order[0]] - totals[order[1]]
        lead = _lead(first, readings)
        whole = [math.exp(t) for t, own in zip(totals, prompt.labels, strict=True) if len(own) > 1]
        alone = [math.exp(first.scores[token]) for token in readings if token in first.scores]
        choice = Choice(
            free=None if free is None else self._labels[free],
            constrained=self._labels[order[0]],
            margin=margin,
            lead=lead,
            mass=min(1.0, sum(whole) + sum(alone)),
            near_tie=min(margin, lead) < self._near,
        )
        if greedy and len(prompt.labels[greedy[0]]) > 1:
            return Reply(self._labels[greedy[0]], choice)
        return Reply(self._encoder.decode([first.best]), choice)


def written(encoder: Encoder, ids: Sequence[int], *, ended: bool) -> str:
    """The text of an answer; ``ended`` tells that its last id is the one that ends an answer.

    Where the prompt is plain text, the answer goes as far as the first blank line after it began.
    """
    text = encoder.decode(ids[:-1] if ended else ids)
    return text if encoder.chat else text.lstrip().partition(STOP)[0]


def _lead(told: Told, readings: Mapping[int, int]) -> float:
    """From the best token to the best one that reads otherwise, as far as was looked."""
    best, first = told.scores[told.best], readings.get(told.best)
    nearest = sorted(told.scores.items(), key=lambda entry: -entry[1])[:_LOOK]
    for token, value in nearest:
        if token != told.best and readings.get(token) != first:
            return best - value
    return best - nearest[-1][1]
