"""Greedy decoding of many prompts at once, each stopped as soon as it is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from transformers import PreTrainedModel

from sorites_eval.backends.local.calls import call
from sorites_eval.backends.local.drawing import Draw
from sorites_eval.backends.local.passes import forward
from sorites_eval.backends.local.prefix import SharedPrefix, is_plain
from sorites_eval.backends.local.tokens import Encoder
from sorites_eval.backends.local.way import Way
from sorites_eval.prompts.requests import STOP

__all__ = ["CachedWriter", "UncachedWriter", "Written", "decode", "end_tokens", "shown", "writer"]


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote: its text, how many tokens, and whether it came to an end by itself."""

    text: str
    tokens: int
    ended: bool


class CachedWriter:
    """Rows being written by a model that keeps what it has read.

    ``logits``, shape [rows still written, vocabulary], are those of the next token. Rows that
    have ended leave the batch where the cache can be taken apart row by row.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        way: Way,
        prefix: SharedPrefix,
        prompts: Sequence[Sequence[int]],
    ) -> None:
        suffixes = [list(prompt[prefix.length :]) for prompt in prompts]
        start = forward(model, way, prefix, suffixes, [[len(row) - 1] for row in suffixes])
        assert start.cache is not None
        self._model, self._way = model, way
        self._cache, self._mask = start.cache, start.mask
        self._leaves = is_plain(start.cache)
        lengths = [prefix.length + len(row) for row in suffixes]
        self._places = torch.tensor(lengths, device=model.device)
        self._there = list(range(len(prompts)))
        self.logits = start.logits[:, 0]

    def go_on(self, tokens: Sequence[int], going: Sequence[int]) -> None:
        """Append a token to each row of ``logits`` that is numbered in ``going``."""
        rows = [self._there[number] for number in going]
        device = self._mask.device
        if self._leaves and len(rows) < len(self._mask):
            kept = torch.tensor(rows)
            self._cache.batch_select_indices(kept)
            self._mask, self._places = self._mask[kept.to(device)], self._places[kept.to(device)]
            rows = list(range(len(rows)))
        next_ = torch.zeros((len(self._mask), 1), dtype=torch.long)
        for row, number in zip(rows, going, strict=True):
            next_[row, 0] = tokens[number]
        self._mask = torch.cat([self._mask, self._mask.new_ones((len(self._mask), 1))], dim=1)
        told: dict[str, torch.Tensor] = {}
        if self._way.masks:
            told["attention_mask"] = self._mask
        if self._way.positions:
            told["position_ids"] = self._places[:, None]
        logits = call(
            self._model,
            input_ids=next_.to(device),
            **told,
            cache=self._cache,
            use_cache=True,
        )
        self._places = self._places + 1
        self._there = rows
        self.logits = logits[torch.tensor(rows, device=logits.device), -1]


class UncachedWriter:
    """Rows being written by a model that reads all of a row again for every token."""

    def __init__(self, model: PreTrainedModel, way: Way, prompts: Sequence[Sequence[int]]) -> None:
        self._model, self._way = model, way
        self._rows = [list(prompt) for prompt in prompts]
        self._nothing = SharedPrefix(model, ())
        self._read()

    def go_on(self, tokens: Sequence[int], going: Sequence[int]) -> None:
        """Append a token to each row of ``logits`` that is numbered in ``going``."""
        self._rows = [[*self._rows[number], tokens[number]] for number in going]
        self._read()

    def _read(self) -> None:
        last = [[len(row) - 1] for row in self._rows]
        self.logits = forward(self._model, self._way, self._nothing, self._rows, last).logits[:, 0]


def writer(
    model: PreTrainedModel, way: Way, prefix: SharedPrefix, prompts: Sequence[Sequence[int]]
) -> CachedWriter | UncachedWriter:
    """Begin to write after some prompts, all of which begin with the prefix."""
    if way.caches:
        return CachedWriter(model, way, prefix, prompts)
    return UncachedWriter(model, way, prompts)


def end_tokens(model: PreTrainedModel, encoder: Encoder) -> frozenset[int]:
    """The ids that end an answer: the model's and the tokenizer's."""
    config = getattr(model.generation_config, "eos_token_id", None)
    found = {config} if isinstance(config, int) else set(config or ())
    if encoder.tokenizer.eos_token_id is not None:
        found.add(int(encoder.tokenizer.eos_token_id))
    return frozenset(found)


def decode(
    model: PreTrainedModel,
    encoder: Encoder,
    way: Way,
    prefix: SharedPrefix,
    prompts: Sequence[Sequence[int]],
    limit: int,
    drawn: Draw | None = None,
) -> list[Written]:
    """The next tokens of each prompt, one by one, as text: the most probable ones, or drawn.

    A row ends at an end token, at a blank line where the prompt is plain text, or after
    ``limit`` tokens.
    """
    ends = end_tokens(model, encoder)
    rows = writer(model, way, prefix, prompts)
    written: list[list[int]] = [[] for _ in prompts]
    ended = [False] * len(prompts)
    alive = list(range(len(prompts)))
    for step in range(limit):
        tokens = drawn(rows.logits, alive) if drawn else rows.logits.argmax(-1).tolist()
        going: list[int] = []
        for row, token in enumerate(tokens):
            number = alive[row]
            if token in ends:
                ended[number] = True
                continue
            written[number].append(token)
            if encoder.chat or not _stopped(encoder, written[number]):
                going.append(row)
            else:
                ended[number] = True
        if not going or step + 1 == limit:
            break
        rows.go_on(tokens, going)
        alive = [alive[row] for row in going]
    return [
        Written(shown(encoder, ids), len(ids), ended=done)
        for ids, done in zip(written, ended, strict=True)
    ]


def shown(encoder: Encoder, ids: Sequence[int]) -> str:
    """The text of an answer: where the prompt is plain text, up to its first blank line."""
    text = encoder.decode(ids)
    return text if encoder.chat else text.lstrip().partition(STOP)[0]


def _stopped(encoder: Encoder, ids: Sequence[int]) -> bool:
    return STOP in encoder.decode(ids).lstrip()
