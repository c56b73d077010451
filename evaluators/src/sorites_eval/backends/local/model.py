"""A local model: one forward pass an item for a choice, batched greedy decoding for text.

Requests with the same instructions and examples are taken together, in windows, so that memory
does not grow with their number. The tokens that a window has in common are run once, where the
model allows it; within it requests go by length, longest first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch

from sorites_eval.backends.local.asking import Asking
from sorites_eval.backends.local.calls import NotANumber
from sorites_eval.backends.local.choosing import Chooser
from sorites_eval.backends.local.decoding import Written, decode
from sorites_eval.backends.local.drawing import Draw, seed_of
from sorites_eval.backends.local.faults import FAULTS, first_line, no_numbers
from sorites_eval.backends.local.generating import generate
from sorites_eval.backends.local.loading import Loaded
from sorites_eval.backends.local.passes import forward
from sorites_eval.backends.local.prefix import SharedPrefix, longest_row, window
from sorites_eval.backends.local.scaling import depends_on_length, rate
from sorites_eval.backends.local.tokens import ChoicePrompt, Encoder, common_prefix
from sorites_eval.backends.local.way import UNCACHED, Way
from sorites_eval.backends.local.wayfinding import WayFinder, find_ways
from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request

__all__ = ["Local"]

WINDOW = 512


@dataclass(frozen=True, slots=True)
class _Work:
    """A request's place and its ids; ``prompt`` is set where labels are to be scored."""

    position: int
    name: str
    seed: str
    ids: tuple[int, ...]
    prompt: ChoicePrompt | None
    width: int


class Local:
    """Answers with a model in this process. ``asking`` says how."""

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
        self._model = loaded.model
        self._asking = asking or Asking()
        self._encoder = Encoder(loaded.tokenizer, chat, self._asking.chat_template_args)
        self._loaded = loaded
        self._batch_size = batch_size
        self._labels = list(task.answer.labels)
        self._limit = task.answer.max_new_tokens
        self._choice = task.answer.format == "choice" and not written
        self._chooser = Chooser(self._model, self._encoder, self._labels)
        self._longest = longest_row(self._model)
        self._window = window(self._model)
        vocabulary = len(loaded.tokenizer)
        try:
            ways = find_ways(self._model, vocabulary, writing=not self._choice)
        except NotANumber as error:
            raise ModelError(no_numbers(self._model)) from error
        self._finder = WayFinder(self._model, ways, writing=not self._choice)

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
        """Device, batch size, and what became of the system text and the shared prefix."""
        return {
            "device": str(self._model.device),
            "batch_size": self._batch_size,
            "system_text": self._encoder.system,
            "prefix_shared": self._finder.way.shares,
            "padding": "one by one" if self._finder.way.alone else self._finder.way.padding,
        }

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies, window by window; the tokenization of each window is checked first."""
        groups: dict[str, list[int]] = {}
        for position, request in enumerate(requests):
            groups.setdefault(request.shared, []).append(position)
        for positions in groups.values():
            for start in range(0, len(positions), WINDOW):
                yield from self._together(self._encode(requests, positions[start : start + WINDOW]))

    def _encode(self, requests: Sequence[Request], some: Sequence[int]) -> list[_Work]:
        text = self._encoder.text if self._choice else self._encoder.opening
        texts = [text(requests[position]) for position in some]
        result: list[_Work] = []
        if self._choice:
            prompts = self._encoder.choices(texts, self._labels)
            for position, prompt in zip(some, prompts, strict=True):
                self._encoder.check(prompt, self._labels)
                width = self._chooser.width(prompt)
                name = requests[position].id
                result.append(_Work(position, name, "", prompt.context, prompt, width))
        else:
            for position, ids in zip(some, self._encoder.ids(texts), strict=True):
                request = requests[position]
                seed = seed_of(self._asking.seed, request)
                result.append(_Work(position, request.id, seed, tuple(ids), None, 1))
        self._check_length(result)
        return result

    def _check_length(self, works: Sequence[_Work]) -> None:
        for work in works:
            if self._longest is not None and len(work.ids) + self._more > self._longest:
                raise ModelError(
                    f"item {work.name}: {len(work.ids)} tokens and {self._more} to "
                    f"answer; the model takes {self._longest}. Nothing is cut off silently: use a "
                    "setting with fewer examples or a model with a longer context."
                )

    @property
    def _more(self) -> int:
        return 1 if self._choice else self._limit

    def _together(self, works: list[_Work]) -> Iterator[tuple[int, Reply]]:
        works.sort(key=lambda work: (-len(work.ids), work.position))
        for some, steady in self._of_one_rate(works):
            shared = 0
            if len(some) > 1:
                shared = common_prefix([work.ids for work in some])
                shared = min(shared, min(len(work.ids) for work in some) - 1)
            if shared and not self._same_rate(shared, len(some[0].ids)):
                shared = 0
            if steady and not self._asking.generation_args:
                self._try_out(some, shared)
            way = self._finder.way if steady and not self._asking.generation_args else UNCACHED
            shares = way.shares and shared > 0
            prefix = SharedPrefix(
                self._model, some[0].ids[:shared] if shares else (), positions=way.positions
            )
            for batch in self._batches(some, way):
                yield from self._run(way, prefix, batch)

    def _try_out(self, works: Sequence[_Work], shared: int) -> None:
        try:
            ends = [works[0].ids, works[-1].ids] if len(works) > 1 else []
            if ends:
                self._finder.try_out(ends, shared)
        except NotANumber as error:
            raise ModelError(no_numbers(self._model)) from error
        except FAULTS as error:
            raise ModelError(self._failed(works[0], error)) from error

    def _of_one_rate(self, works: list[_Work]) -> Iterator[tuple[list[_Work], bool]]:
        """Rows whose positions mean the same, and whether they still do when they are written."""
        if not depends_on_length(self._model):
            yield works, True
            return
        groups: dict[tuple[object, bool], list[_Work]] = {}
        for work in works:
            own = rate(self._model, len(work.ids))
            steady = self._choice or own == rate(self._model, len(work.ids) + self._limit)
            groups.setdefault((own, steady), []).append(work)
        for (_, steady), some in groups.items():
            yield some, steady

    def _same_rate(self, one: int, other: int) -> bool:
        return not depends_on_length(self._model) or rate(self._model, one) == rate(
            self._model, other
        )

    def _batches(self, works: Sequence[_Work], way: Way) -> Iterator[list[_Work]]:
        beyond = self._window is not None and len(works[0].ids) + self._limit > self._window
        # Padding inside a row would narrow what a layer with a window sees of it.
        same_length = way.padding == "none" or (not self._choice and beyond)
        alone = way.alone or (self._asking.draws and bool(self._asking.generation_args))
        size = 1 if alone else self._batch_size
        batch: list[_Work] = []
        for work in works:
            full = sum(w.width for w in batch) + work.width > size
            if batch and (full or (same_length and len(work.ids) != len(batch[0].ids))):
                yield batch
                batch = []
            batch.append(work)
        if batch:
            yield batch

    def _run(
        self, way: Way, prefix: SharedPrefix, batch: list[_Work]
    ) -> Iterator[tuple[int, Reply]]:
        try:
            replies = self._replies(way, prefix, batch)
        except (*FAULTS, NotANumber) as error:
            if len(batch) == 1:
                raise ModelError(self._failed(batch[0], error)) from error
            if isinstance(error, torch.OutOfMemoryError):
                torch.cuda.empty_cache()
            half = len(batch) // 2
            yield from self._run(way, prefix, batch[:half])
            yield from self._run(way, prefix, batch[half:])
            return
        yield from zip((work.position for work in batch), replies, strict=True)

    def _failed(self, work: _Work, error: Exception) -> str:
        if isinstance(error, NotANumber):
            return f"item {work.name}: {no_numbers(self._model)}"
        longest = "without a stated limit" if self._longest is None else f"takes {self._longest}"
        where = f"item {work.name} ({len(work.ids)} tokens; the model {longest})"
        if isinstance(error, torch.OutOfMemoryError):
            return f"{where}: the accelerator has not the memory for a single item."
        return f"{where}: the model's forward pass fails: {first_line(error)}"

    def _replies(self, way: Way, prefix: SharedPrefix, batch: Sequence[_Work]) -> list[Reply]:
        if self._choice:
            prompts = [work.prompt for work in batch if work.prompt is not None]
            return self._chooser.choose(
                lambda rows, places, _: forward(self._model, way, prefix, rows, places).logits,
                prefix.length,
                prompts,
            )
        opened = self._encoder.thought
        return [
            Reply(opened + written.text, ended=Ended.STOP if written.ended else Ended.LENGTH)
            for written in self._write(way, prefix, batch)
        ]

    def _write(self, way: Way, prefix: SharedPrefix, batch: Sequence[_Work]) -> list[Written]:
        ids = [work.ids for work in batch]
        asking, limit = self._asking, self._limit
        seeds = [work.seed for work in batch]
        if asking.generation_args:
            return generate(self._model, self._encoder, ids, limit, asking.generation_args, seeds)
        drawn = Draw(asking.temperature, seeds) if asking.temperature else None
        return decode(self._model, self._encoder, way, prefix, ids, limit, drawn)
