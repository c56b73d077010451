"""Read a choice from one pass: what the model would write, and which label it prefers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from transformers import PreTrainedModel

from sorites_eval.backends.local.precision import compute_dtype, near_tie_margin
from sorites_eval.backends.local.tokens import ChoicePrompt, Encoder
from sorites_eval.backends.protocol import Choice, Reply

__all__ = ["Chooser", "Scorer"]

_LOOK = 8


Scorer = Callable[[Sequence[Sequence[int]], Sequence[Sequence[int]], Sequence[int]], torch.Tensor]
"""Logits, shape [rows, places, vocabulary], from rows of ids, the places to read in each, and for
each row the number of its prompt."""


class Chooser:
    """Scores the labels of one task with one model."""

    def __init__(self, model: PreTrainedModel, encoder: Encoder, labels: Sequence[str]) -> None:
        self._encoder = encoder
        self._labels = list(labels)
        self._spellings = {
            token: number
            for number, label in enumerate(labels)
            for token in encoder.spellings(label)
        }
        self._margin = near_tie_margin(compute_dtype(model))

    def width(self, prompt: ChoicePrompt) -> int:
        """How many rows of a batch a prompt takes: one if every label is a single token."""
        return len(_feeds(prompt))

    def choose(self, score: Scorer, start: int, prompts: Sequence[ChoicePrompt]) -> list[Reply]:
        """A reply for each prompt, all from one pass, which has read ``start`` tokens already."""
        rows: list[list[int]] = []
        places: list[list[int]] = []
        numbers: list[int] = []
        owners: list[list[tuple[int, ...]]] = []
        depth = max(len(label) for prompt in prompts for label in prompt.labels)
        for number, prompt in enumerate(prompts):
            suffix = list(prompt.context[start:])
            feeds = _feeds(prompt)
            owners.append(feeds)
            for feed in feeds:
                rows.append(suffix + list(feed))
                numbers.append(number)
                last = len(suffix) - 1
                places.append([last + min(step, len(feed)) for step in range(depth)])
        scores = score(rows, places, numbers).log_softmax(-1)
        fetched = self._fetched(scores, prompts, owners)
        return [
            self._read(prompt, feeds, found)
            for prompt, feeds, found in zip(prompts, owners, fetched, strict=True)
        ]

    def _fetched(
        self,
        scores: torch.Tensor,
        prompts: Sequence[ChoicePrompt],
        owners: Sequence[Sequence[tuple[int, ...]]],
    ) -> Iterator[_Scores]:
        """What the readings need of scores on an accelerator, brought here in one go."""
        wanted = set(self._spellings)
        wanted |= {token for prompt in prompts for label in prompt.labels for token in label}
        tokens = sorted(wanted)
        some = scores[..., torch.tensor(tokens, device=scores.device)].tolist()
        top = scores.topk(min(_LOOK, scores.shape[-1]))
        values, indices = top.values.tolist(), top.indices.tolist()
        places = {token: place for place, token in enumerate(tokens)}
        row = 0
        for feeds in owners:
            end = row + len(feeds)
            yield _Scores(places, some[row:end], values[row:end], indices[row:end])
            row = end

    def _read(
        self, prompt: ChoicePrompt, feeds: Sequence[tuple[int, ...]], scores: _Scores
    ) -> Reply:
        totals: list[float] = []
        greedy: list[int] = []
        for number, label in enumerate(prompt.labels):
            row = next(n for n, feed in enumerate(feeds) if feed[: len(label) - 1] == label[:-1])
            totals.append(sum(scores.of(row, step, token) for step, token in enumerate(label)))
            if all(scores.best(row, step) == token for step, token in enumerate(label)):
                greedy.append(number)
        readings = self._readings(prompt)
        token = scores.best(0, 0)
        free = greedy[0] if greedy else readings.get(token)
        order = sorted(range(len(totals)), key=lambda number: (-totals[number], number))
        margin = totals[order[0]] - totals[order[1]]
        lead = _lead(scores.values[0][0], scores.indices[0][0], readings)
        whole = [math.exp(t) for t, own in zip(totals, prompt.labels, strict=True) if len(own) > 1]
        single = [math.exp(scores.of(0, 0, token)) for token in readings]
        choice = Choice(
            free=None if free is None else self._labels[free],
            constrained=self._labels[order[0]],
            margin=margin,
            lead=lead,
            mass=min(1.0, sum(whole) + sum(single)),
            near_tie=min(margin, lead) < self._margin,
        )
        if greedy and len(prompt.labels[greedy[0]]) > 1:
            return Reply(self._labels[greedy[0]], choice)
        return Reply(self._encoder.decode([token]), choice)

    def _readings(self, prompt: ChoicePrompt) -> dict[int, int]:
        """First tokens that alone write a label, and which label."""
        single = {label[0]: n for n, label in enumerate(prompt.labels) if len(label) == 1}
        return {**self._spellings, **single}


@dataclass(frozen=True, slots=True)
class _Scores:
    """Log-probabilities of one prompt's rows: of some tokens, and of the best tokens.

    ``some`` is [row][step][place of the token]; ``values`` and ``indices`` are [row][step][rank].
    """

    places: Mapping[int, int]
    some: Sequence[Sequence[Sequence[float]]]
    values: Sequence[Sequence[Sequence[float]]]
    indices: Sequence[Sequence[Sequence[int]]]

    def of(self, row: int, step: int, token: int) -> float:
        return self.some[row][step][self.places[token]]

    def best(self, row: int, step: int) -> int:
        return self.indices[row][step][0]


def _lead(values: Sequence[float], tokens: Sequence[int], readings: Mapping[int, int]) -> float:
    """From the best token to the best one that reads otherwise, as far as was looked."""
    first = readings.get(tokens[0])
    for value, token in zip(values, tokens, strict=True):
        if readings.get(token) != first:
            return values[0] - value
    return values[0] - values[-1]


def _feeds(prompt: ChoicePrompt) -> list[tuple[int, ...]]:
    """What must be fed after the context to score every label: their beginnings, each once."""
    beginnings = {label[:-1] for label in prompt.labels}
    return sorted(
        feed
        for feed in beginnings
        if not any(other != feed and other[: len(feed)] == feed for other in beginnings)
    )
