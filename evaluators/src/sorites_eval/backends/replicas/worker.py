"""What runs on the cluster: a process that holds one replica of the model."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sorites_eval.backends.opening import open_backend
from sorites_eval.backends.options import Options
from sorites_eval.backends.protocol import Backend, Reply
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.prompts.requests import Item, Request

__all__ = ["Named", "Worker"]


@dataclass(frozen=True, slots=True)
class Named:
    """A model by its name, the task that it is opened for, and how it is asked."""

    model: str
    task: Task
    items: Sequence[Item]
    options: Options
    where: Path


class Worker:
    """Opens the model by its name, in a process of its own, and answers with it.

    It works in ``folder``, that of the command, if its machine has one of that name: there lie
    the models that are named by a path.
    """

    def __init__(self, folder: str) -> None:
        if Path(folder).is_dir():
            os.chdir(folder)
        self._backend: Backend | None = None

    def open(self, named: Named) -> Mapping[str, Scalar]:
        """Open the model for a task, loading it if it is not there yet; its identity."""
        self._backend = open_backend(
            named.model, named.task, named.items, named.options, named.where
        )
        return dict(self._backend.identity())

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies as they come, each with the place of its request."""
        assert self._backend is not None
        # Ray sends values into a generator, which is no matter of the backend's.
        for found in self._backend.answer(requests):  # noqa: UP028
            yield found

    def notes(self) -> Mapping[str, Scalar]:
        """The notes of the model's backend."""
        assert self._backend is not None
        return dict(self._backend.notes())
