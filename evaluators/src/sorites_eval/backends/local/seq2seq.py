"""Models with an encoder and a decoder, such as T5 and BART.

The encoder reads the prompt; the labels are scored as beginnings of what the decoder writes, or
it is left to write. What was said of padding in ``way`` is tried out here too: prompts of unequal
length go together only if their scores are then those of each alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import torch
from transformers import PreTrainedModel

from sorites_eval.backends.local.asking import Asking
from sorites_eval.backends.local.calls import NotANumber, call
from sorites_eval.backends.local.choosing import Chooser
from sorites_eval.backends.local.decoding import end_tokens, shown
from sorites_eval.backends.local.drawing import seed_of
from sorites_eval.backends.local.faults import FAULTS, first_line, no_numbers
from sorites_eval.backends.local.generating import generation_config, seeded
from sorites_eval.backends.local.loading import Loaded
from sorites_eval.backends.local.tokens import ChoicePrompt, Encoder, common_prefix
from sorites_eval.backends.local.wayfinding import distance, tolerance
from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request

__all__ = ["Seq2Seq"]

WINDOW = 512


class Seq2Seq:
    """Answers with an encoder and a decoder. ``written`` decodes where the task is a choice."""

    def __init__(
        self,
        loaded: Loaded,
        task: Task,
        *,
        batch_size: int = 16,
        chat: bool | None = None,
        written: bool = False,
        asking: Asking | None = None,
    ) -> None:
        self._loaded, self._model, self._tokenizer = loaded, loaded.model, loaded.tokenizer
        self._asking = asking or Asking()
        self._encoder = Encoder(loaded.tokenizer, chat, self._asking.chat_template_args)
        self._batch_size = batch_size
        self._labels = list(task.answer.labels)
        self._limit = task.answer.max_new_tokens
        self._choice = task.answer.format == "choice" and not written
        # Relative positions, as in T5, have no end; others are as many as the encoder has.
        self._longest = getattr(self._model.config, "max_position_embeddings", None)
        self._chooser = Chooser(self._model, self._encoder, self._labels)
        self._start = self._begins()
        self._pads = self._try_out()

    def identity(self) -> Mapping[str, Scalar]:
        """The model, its files, precision, libraries, and how it is asked."""
        how = "choice" if self._choice else f"text of at most {self._limit} tokens"
        return {
            **self._loaded.identity,
            "chat_template": self._encoder.chat,
            "answers": how,
            **self._asking.identity(written=not self._choice),
        }

    def notes(self) -> Mapping[str, Scalar]:
        """Device, batch size, and what became of the system text and the padding."""
        return {
            "device": str(self._model.device),
            "batch_size": self._batch_size,
            "system_text": self._encoder.system,
            "padding": "right" if self._pads else "none",
        }

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies, window by window, the longest prompts of each first."""
        for start in range(0, len(requests), WINDOW):
            window = range(start, min(start + WINDOW, len(requests)))
            text = self._encoder.text if self._choice else self._encoder.opening
            rows = self._read_in([text(requests[position]) for position in window])
            works = sorted(zip(window, rows, strict=True), key=lambda work: -len(work[1]))
            for position, ids in works:
                if self._longest is not None and len(ids) > self._longest:
                    raise ModelError(
                        f"item {requests[position].id}: {len(ids)} tokens; the model takes "
                        f"{self._longest}. Nothing is cut off silently: use a setting with fewer "
                        "examples or a model with a longer context."
                    )
            for batch in self._batches(works):
                asked = [requests[position] for position, _ in batch]
                replies = self._reply(asked, [ids for _, ids in batch])
                yield from zip((position for position, _ in batch), replies, strict=True)

    def _read_in(self, texts: Sequence[str]) -> list[list[int]]:
        special = not self._encoder.chat
        rows: list[list[int]] = self._tokenizer(
            list(texts), add_special_tokens=special, return_attention_mask=False, verbose=False
        )["input_ids"]
        return rows

    def _begins(self) -> tuple[int, ...]:
        """What the decoder has before an answer: its start token, and what opens any target."""
        config = self._model.config.get_text_config(decoder=True)
        start = self._model.generation_config.decoder_start_token_id
        start = config.decoder_start_token_id if start is None else start
        if not isinstance(start, int):
            raise ModelError("the model does not say with which token its decoder starts.")
        return (start, *self._targets()[0])

    def _targets(self) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
        """The special tokens before every target, and the tokens of each label."""
        special = set(self._tokenizer.all_special_ids)
        rows: list[tuple[int, ...]] = []
        for label in self._labels:
            ids = self._tokenizer(text_target=label, verbose=False)["input_ids"]
            while ids and ids[-1] in special:
                ids = ids[:-1]
            rows.append(tuple(ids))
        before = 0
        while all(len(row) > before and row[before] in special for row in rows):
            before += 1
        before = min(before, common_prefix(rows))
        return rows[0][:before], [row[before:] for row in rows]

    def _batches(
        self, works: Sequence[tuple[int, list[int]]]
    ) -> Iterator[Sequence[tuple[int, list[int]]]]:
        size = 1 if self._asking.draws and not self._choice else self._batch_size
        for _, group in groupby(works, key=lambda work: 0 if self._pads else len(work[1])):
            some = list(group)
            for start in range(0, len(some), size):
                yield some[start : start + size]

    def _reply(self, requests: Sequence[Request], rows: Sequence[list[int]]) -> list[Reply]:
        try:
            if self._choice:
                prompt = ChoicePrompt(self._start, tuple(self._targets()[1]))
                self._encoder.check(prompt, self._labels)
                scorer = _Scorer(self._model, rows)
                return self._chooser.choose(scorer, 0, [prompt] * len(rows))
            return self._write(requests, rows)
        except NotANumber as error:
            raise ModelError(f"item {requests[0].id}: {no_numbers(self._model)}") from error
        except FAULTS as error:
            raise ModelError(
                f"item {requests[0].id} ({len(rows[0])} tokens): the model's forward pass fails: "
                f"{first_line(error)}"
            ) from error

    def _write(self, requests: Sequence[Request], rows: Sequence[list[int]]) -> list[Reply]:
        args = dict(self._asking.generation_args)
        if self._asking.temperature:
            args |= {"do_sample": True, "temperature": self._asking.temperature}
        ends = end_tokens(self._model, self._encoder)
        config = generation_config(self._model, ends, self._limit, args)
        ids, mask = _padded(rows)
        begun, device = torch.tensor([list(self._start)] * len(rows)), self._model.device
        with seeded(self._model, config, seed_of(self._asking.seed, requests[0])) as write:
            done = write(
                ids.to(device),
                attention_mask=mask.to(device),
                decoder_input_ids=begun.to(device),
            )
        replies: list[Reply] = []
        for row in done[:, len(self._start) :].tolist():
            end = next((place for place, token in enumerate(row) if token in ends), None)
            ended = Ended.LENGTH if end is None else Ended.STOP
            replies.append(Reply(shown(self._encoder, row[:end]), ended=ended))
        return replies

    def _try_out(self) -> bool:
        """Whether prompts of unequal length may go together."""
        rows = self._read_in(["a b c d e f g h i j k l m n o p", "a b c", "q"])
        numbers = range(len(rows))
        start, last = list(self._start), [len(self._start) - 1]
        try:
            alone = [_Scorer(self._model, [row])([start], [last], [0])[0] for row in rows]
        except NotANumber as error:
            raise ModelError(no_numbers(self._model)) from error
        together = _Scorer(self._model, rows)([start] * len(rows), [last] * len(rows), numbers)
        return all(distance(together[n], alone[n]) <= tolerance(self._model.dtype) for n in numbers)


class _Scorer:
    """Scores what a decoder writes after some prompts, which the encoder reads once."""

    def __init__(self, model: PreTrainedModel, rows: Sequence[Sequence[int]]) -> None:
        ids, mask = _padded(rows)
        self._model = model
        self._mask = mask.to(model.device)
        with torch.inference_mode():
            self._read = model.get_encoder()(
                input_ids=ids.to(model.device), attention_mask=self._mask
            ).last_hidden_state

    def __call__(
        self,
        rows: Sequence[Sequence[int]],
        places: Sequence[Sequence[int]],
        numbers: Sequence[int],
    ) -> torch.Tensor:
        device = self._mask.device
        targets, _ = _padded(rows)
        owners = torch.tensor(list(numbers), device=device)
        logits = call(
            self._model,
            encoder_outputs=(self._read[owners],),
            attention_mask=self._mask[owners],
            decoder_input_ids=targets.to(device),
            use_cache=False,
        )
        index = torch.tensor([list(p) for p in places], device=device)[..., None]
        return logits.gather(1, index.expand(-1, -1, logits.shape[-1]))


def _padded(rows: Sequence[Sequence[int]]) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids filled up with zeros on the right, and the mask of what is not filled up."""
    longest = max(len(row) for row in rows)
    ids = torch.zeros((len(rows), longest), dtype=torch.long)
    mask = torch.zeros_like(ids)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
        mask[number, : len(row)] = 1
    return ids, mask
