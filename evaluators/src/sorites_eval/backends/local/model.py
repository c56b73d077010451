"""A local model: one forward pass an item for a choice, batched greedy decoding for text.

Requests with the same instructions and examples are taken together, in windows, so that memory
does not grow with their number. The tokens that a window has in common are run once; within it
requests go by length, longest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from sorites_eval.backends.local.choosing import Chooser
from sorites_eval.backends.local.decoding import decode
from sorites_eval.backends.local.loading import Loaded
from sorites_eval.backends.local.prefix import SharedPrefix, can_share, is_sliding
from sorites_eval.backends.local.tokens import ChoicePrompt, Encoder, common_prefix
from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request

__all__ = ["Local"]

WINDOW = 512


@dataclass(frozen=True, slots=True)
class _Work:
    """A request's place and its ids; ``prompt`` is set where labels are to be scored."""

    position: int
    ids: tuple[int, ...]
    prompt: ChoicePrompt | None
    width: int


class Local:
    """Answers with a model in this process. ``written`` decodes where the task is a choice."""

    def __init__(
        self,
        loaded: Loaded,
        task: Task,
        *,
        batch_size: int = 16,
        chat: bool | None = None,
        written: bool = False,
    ) -> None:
        self._model = loaded.model
        self._encoder = Encoder(loaded.tokenizer, chat)
        self._loaded = loaded
        self._batch_size = batch_size
        self._labels = list(task.answer.labels)
        self._limit = task.answer.max_new_tokens
        self._choice = task.answer.format == "choice" and not written
        self._chooser = Chooser(self._model, self._encoder, self._labels)
        self._shares = can_share(self._model)
        self._longest = getattr(self._model.config, "max_position_embeddings", None)

    def identity(self) -> Mapping[str, Scalar]:
        """The model, its files, precision, libraries, and how it is asked."""
        how = "choice" if self._choice else f"text of at most {self._limit} tokens"
        return {**self._loaded.identity, "chat_template": self._encoder.chat, "answers": how}

    def notes(self) -> Mapping[str, Scalar]:
        """Device, batch size, and what became of the system text and the shared prefix."""
        if not self._encoder.chat:
            system = "plain text: the model has no chat template or was asked without it"
        else:
            system = "opens the first user turn" if self._encoder.folds_system else "system turn"
        return {
            "device": str(self._model.device),
            "batch_size": self._batch_size,
            "system_text": system,
            "prefix_shared": self._shares,
        }

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies, window by window; the tokenization of each window is checked first."""
        groups: dict[str, list[int]] = {}
        for position, request in enumerate(requests):
            groups.setdefault(request.shared, []).append(position)
        for positions in groups.values():
            for start in range(0, len(positions), WINDOW):
                yield from self._together(self._encode(requests, positions[start : start + WINDOW]))

    def _encode(self, requests: Sequence[Request], window: Sequence[int]) -> list[_Work]:
        text = self._encoder.text if self._choice else self._encoder.opening
        texts = [text(requests[position]) for position in window]
        result: list[_Work] = []
        if self._choice:
            prompts = self._encoder.choices(texts, self._labels)
            for position, prompt in zip(window, prompts, strict=True):
                self._encoder.check(prompt, self._labels)
                width = self._chooser.width(prompt)
                result.append(_Work(position, prompt.context, prompt, width))
        else:
            for position, ids in zip(window, self._encoder.ids(texts), strict=True):
                result.append(_Work(position, tuple(ids), None, 1))
        self._check_length(requests, result)
        return result

    def _check_length(self, requests: Sequence[Request], works: Sequence[_Work]) -> None:
        extra = 1 if self._choice else self._limit
        for work in works:
            if self._longest is not None and len(work.ids) + extra > self._longest:
                raise ModelError(
                    f"item {requests[work.position].id}: {len(work.ids)} tokens and {extra} to "
                    f"answer; the model takes {self._longest}. Nothing is cut off silently: use a "
                    "setting with fewer examples or a model with a longer context."
                )

    def _together(self, works: list[_Work]) -> Iterator[tuple[int, Reply]]:
        shared = 0
        if self._shares and len(works) > 1:
            shared = common_prefix([work.ids for work in works])
            shared = min(shared, min(len(work.ids) for work in works) - 1)
        prefix = SharedPrefix(self._model, works[0].ids[:shared])
        works.sort(key=lambda work: (-len(work.ids), work.position))
        for batch in self._batches(works):
            yield from self._run(prefix, batch)

    def _batches(self, works: Sequence[_Work]) -> Iterator[list[_Work]]:
        same_length = not self._choice and is_sliding(self._model)
        batch: list[_Work] = []
        for work in works:
            full = sum(w.width for w in batch) + work.width > self._batch_size
            if batch and (full or (same_length and len(work.ids) != len(batch[0].ids))):
                yield batch
                batch = []
            batch.append(work)
        if batch:
            yield batch

    def _run(self, prefix: SharedPrefix, batch: list[_Work]) -> Iterator[tuple[int, Reply]]:
        try:
            replies = self._replies(prefix, batch)
        except torch.OutOfMemoryError as error:
            if len(batch) == 1:
                raise ModelError("the accelerator has not the memory for a single item.") from error
            torch.cuda.empty_cache()
            half = len(batch) // 2
            yield from self._run(prefix, batch[:half])
            yield from self._run(prefix, batch[half:])
            return
        yield from zip((work.position for work in batch), replies, strict=True)

    def _replies(self, prefix: SharedPrefix, batch: Sequence[_Work]) -> list[Reply]:
        if self._choice:
            return self._chooser.choose(prefix, [w.prompt for w in batch if w.prompt is not None])
        texts = decode(
            self._model, self._encoder, prefix, [work.ids for work in batch], self._limit
        )
        return [Reply(text) for text in texts]
