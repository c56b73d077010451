"""What a score is worth: answers at random, the most frequent answer, and the right one.

They all go the way of a model's answers, through the same prompts and the same reader.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.prompts.requests import Item, Request

__all__ = ["BASELINES", "Majority", "Oracle", "Prior", "Random"]

BASELINES = ("random", "prior", "majority", "oracle")


class Random:
    """A label drawn for each item, view and repeat, the same one in any order and any sample.

    Every label is as likely as any other.
    """

    name = "random"

    def __init__(self, task: Task, seed: int) -> None:
        self._task = task
        self._seed = seed
        self._labels = sorted(task.answer.labels)
        self._weights = [1] * len(self._labels)

    def identity(self) -> Mapping[str, Scalar]:
        """The seed and the weights, which with the task's name fix every draw."""
        weights = ", ".join(map(str, self._weights))
        return {
            "backend": "baseline",
            "model": self.name,
            "seed": self._seed,
            "weights": weights,
        }

    def notes(self) -> Mapping[str, Scalar]:
        """None."""
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """One label a request; where a selection is asked for, an empty one."""
        for position, request in enumerate(requests):
            purpose = f"{self.name}\0{self._seed}\0{self._task.name}\0{request.id}\0{request.view}"
            if request.repeat:
                purpose += f"\0{request.repeat}"
            draw = random.Random(hashlib.sha256(purpose.encode()).digest())
            yield position, Reply(draw.choices(self._labels, self._weights)[0])


class Prior(Random):
    """As random, but each label as often as it is right, over all items and views."""

    name = "prior"

    def __init__(self, task: Task, items: Sequence[Item], seed: int) -> None:
        super().__init__(task, seed)
        right = Counter(view.labels.get(i.label, i.label) for i in items for view in task.views)
        self._weights = [right[label] for label in self._labels]


class Majority:
    """The label that is right most often among all items of the task; ties by the alphabet."""

    def __init__(self, task: Task, items: Sequence[Item]) -> None:
        self._labels: dict[str, str] = {}
        for view in task.views:
            counts = Counter(view.labels.get(item.label, item.label) for item in items)
            self._labels[view.name] = min(counts, key=lambda label: (-counts[label], label))

    def identity(self) -> Mapping[str, Scalar]:
        """The label of each view."""
        return {"backend": "baseline", "model": "majority", **self._labels}

    def notes(self) -> Mapping[str, Scalar]:
        """None."""
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """The same label every time; where a selection is asked for, an empty one."""
        for position, request in enumerate(requests):
            yield position, Reply(self._labels[request.view])


class Oracle:
    """The gold answer, written as a model would: it scores 1.0, or the release is at fault."""

    def identity(self) -> Mapping[str, Scalar]:
        """Nothing can change its answers."""
        return {"backend": "baseline", "model": "oracle"}

    def notes(self) -> Mapping[str, Scalar]:
        """None."""
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """The gold answer of each request."""
        for position, request in enumerate(requests):
            yield position, Reply(request.gold)
