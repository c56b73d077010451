"""Models with a classification head, such as those trained on natural language inference.

They get the texts that the task declares, and their labels stand for labels of the task as it
declares: three for two, if it says so, and never by a guess. The answer is the label that the
model finds most probable; the label with the largest sum of probabilities, where several of the
model's stand for one of the task's, is told beside it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import torch

from sorites_eval.backends.local.asking import canonical
from sorites_eval.backends.local.classifying import Classified
from sorites_eval.backends.local.faults import FAULTS, first_line, no_numbers
from sorites_eval.backends.local.precision import compute_dtype, near_tie_margin
from sorites_eval.backends.local.wayfinding import distance, tolerance
from sorites_eval.backends.protocol import Choice, Reply
from sorites_eval.contract.tasks import Scalar, Task, fold_label
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request

__all__ = ["Classifier"]

WINDOW = 1024
_UNLIMITED = 1_000_000


class Classifier:
    """Answers with a classifier where a task declares what it is given."""

    def __init__(self, opened: Classified, task: Task, *, batch_size: int = 16) -> None:
        if task.classify is None:
            raise ModelError(
                f"{opened.name}: the task {task.name} does not say what a classifier is given: it "
                'needs a section "classify" with premise, hypothesis and labels.'
            )
        self._opened, self._model, self._tokenizer = opened, opened.model, opened.tokenizer
        self._form = task.classify
        self._labels = list(task.answer.labels)
        self._stands_for = _map(opened, task.name, task.classify.labels, self._labels)
        self._near = near_tie_margin(compute_dtype(opened.model))
        self._batch_size = batch_size if self._tokenizer.pad_token_id is not None else 1
        limits = (
            self._tokenizer.model_max_length,
            getattr(self._model.config, "max_position_embeddings", None) or _UNLIMITED,
        )
        self._longest = min(limits)
        self._pads = self._try_out()

    def identity(self) -> Mapping[str, Scalar]:
        """The model, its files, precision, libraries, and what it is given."""
        labels = zip(self._opened.labels, self._stands_for, strict=True)
        return {
            **self._opened.identity,
            "premise": self._form.premise,
            "hypothesis": self._form.hypothesis or "",
            "labels": canonical({own: self._labels[number] for own, number in labels}),
        }

    def notes(self) -> Mapping[str, Scalar]:
        """Device and batch size."""
        return {
            "device": str(self._model.device),
            "batch_size": self._batch_size,
            "padding": "right" if self._pads else "none",
        }

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies, window by window, the longest texts of each first."""
        for start in range(0, len(requests), WINDOW):
            window = range(start, min(start + WINDOW, len(requests)))
            rows = self._encode([requests[position].texts for position in window])
            works = sorted(zip(window, rows, strict=True), key=lambda work: -_length(work[1]))
            for position, row in works:
                if _length(row) > self._longest:
                    raise ModelError(
                        f"item {requests[position].id}: {_length(row)} tokens; the model takes "
                        f"{self._longest}. Nothing is cut off silently: use one that reads more."
                    )
            for _, group in groupby(works, key=lambda w: 0 if self._pads else _length(w[1])):
                some = list(group)
                for first in range(0, len(some), self._batch_size):
                    batch = some[first : first + self._batch_size]
                    where = f"item {requests[batch[0][0]].id} ({_length(batch[0][1])} tokens)"
                    scores = self._scores([row for _, row in batch], where)
                    for (position, _), row in zip(batch, scores.tolist(), strict=True):
                        yield position, self._reply(row)

    def _encode(self, texts: Sequence[tuple[str, ...]]) -> list[dict[str, list[int]]]:
        columns = [list(column) for column in zip(*texts, strict=True)]
        encoded: Mapping[str, list[list[int]]] = self._tokenizer(*columns, verbose=False)
        return [
            {key: values[number] for key, values in encoded.items()} for number in range(len(texts))
        ]

    def _scores(self, rows: Sequence[Mapping[str, list[int]]], where: str) -> torch.Tensor:
        """Log-probabilities, shape [rows, labels of the model]."""
        padded = self._tokenizer.pad(
            {key: [row[key] for row in rows] for key in rows[0]},
            padding=len(rows) > 1,
            return_tensors="pt",
        ).to(self._model.device)
        try:
            with torch.inference_mode():
                logits: torch.Tensor = self._model(**padded).logits.float()
        except FAULTS as error:
            raise ModelError(f"{where}: the forward pass fails: {first_line(error)}") from error
        if bool(logits.isnan().any()):
            raise ModelError(f"{where}: {no_numbers(self._model)}")
        return logits.log_softmax(-1)

    def _reply(self, scores: Sequence[float]) -> Reply:
        sums = [0.0] * len(self._labels)
        best = [-math.inf] * len(self._labels)
        for value, number in zip(scores, self._stands_for, strict=True):
            sums[number] += math.exp(value)
            best[number] = max(best[number], value)
        order = sorted(range(len(sums)), key=lambda number: (-sums[number], number))
        first, second = (math.log(max(sums[number], 1e-300)) for number in order[:2])
        leaders = sorted(range(len(best)), key=lambda number: (-best[number], number))
        lead = best[leaders[0]] - best[leaders[1]]
        free = self._labels[leaders[0]]
        choice = Choice(
            free=free,
            constrained=self._labels[order[0]],
            margin=first - second,
            lead=lead,
            mass=1.0,
            near_tie=min(first - second, lead) < self._near,
        )
        return Reply(free, choice)

    def _try_out(self) -> bool:
        """Whether texts of unequal length may go together: their scores are those of each alone."""
        texts = [("a b c d e f g h", "i j k l m n o p"), ("a", "b"), ("q r s", "t")]
        given = [text if self._form.hypothesis else text[:1] for text in texts]
        rows = self._encode(given)
        alone = torch.cat([self._scores([row], self._opened.name) for row in rows])
        if self._batch_size == 1:
            return False
        together = self._scores(rows, self._opened.name)
        return distance(together, alone) <= tolerance(compute_dtype(self._model))


def _length(row: Mapping[str, list[int]]) -> int:
    return len(row["input_ids"])


def _map(
    opened: Classified, task: str, declared: Mapping[str, str], labels: Sequence[str]
) -> list[int]:
    """For each label of the model the number of the task's label that it stands for."""
    known = {fold_label(own): label for own, label in declared.items()}
    found = [known.get(fold_label(own)) for own in opened.labels]
    if None in found:
        names = ", ".join(f'"{number}": "…"' for number in range(len(found)))
        raise ModelError(
            f"{opened.name}: its labels are {', '.join(opened.labels)}, and the task {task} says "
            f"what {', '.join(declared)} stand for; nothing is guessed. If you know which is "
            f"which, name the model's labels: --model-args '{{\"id2label\": {{{names}}}}}'."
        )
    for label in labels:
        if label not in found:
            raise ModelError(
                f"{opened.name}: none of its labels ({', '.join(opened.labels)}) stands for the "
                f"label {label} of the task {task}."
            )
    return [labels.index(label) for label in found if label is not None]
