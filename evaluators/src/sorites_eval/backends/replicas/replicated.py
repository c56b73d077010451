"""A backend whose requests are answered by the workers of a cluster, each with its replica.

Replies arrive one by one, in whatever order. What a lost worker had not answered yet goes to
another one; a reply that has arrived is never asked for again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sorites_eval.backends.protocol import Reply
from sorites_eval.backends.replicas.cluster import Crew
from sorites_eval.backends.replicas.worker import Named
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request

__all__ = ["AGAIN", "LARGEST", "Replicas", "next_size"]

AGAIN = 3
"""So many workers are lost at the same requests, or while they open the model; then it stops."""
LARGEST = 1024
"""Requests that a worker is given at once, at most: as many as a backend looks at together."""


@dataclass(slots=True)
class _Part:
    """Requests that a worker is given at once: by their place, those without a reply."""

    open: dict[int, int]
    lost: int = 0

    @classmethod
    def of(cls, positions: Sequence[int], lost: int = 0) -> _Part:
        return cls(dict(enumerate(positions)), lost)


def next_size(waiting: int, workers: int, batch_size: int) -> int:
    """How many of the waiting requests one worker gets: much at first, little at the end.

    So requests that belong together stay together, and all workers end at about the same time.

    >>> next_size(10_000, 2, 16), next_size(1_000, 2, 16), next_size(20, 2, 16), next_size(3, 2, 16)
    (1024, 250, 16, 3)
    """
    return min(waiting, LARGEST, max(batch_size, waiting // (2 * workers)))


class Replicas:
    """A model on the workers of a cluster. It is what its replicas say they are, all the same."""

    def __init__(self, crew: Crew, named: Named) -> None:
        self._crew = crew
        self._ray = crew.ray
        self._batch_size = named.options.batch_size
        self._named = self._ray.put(named)
        self._opening = {worker.open.remote(self._named): worker for worker in crew.workers}
        self._idle: list[Any] = []
        self._known: Mapping[str, Scalar] | None = None
        self._lost = 0
        # The others may come later, and not at all while another program has their place.
        while self._known is None:
            self._opened(self._next(self._opening))

    def identity(self) -> Mapping[str, Scalar]:
        """That of the replicas: where they run changes no answer."""
        assert self._known is not None
        return self._known

    def notes(self) -> Mapping[str, Scalar]:
        """Those of a replica, and how many workers there were."""
        notes: dict[str, Scalar] = {"engine": "ray", "workers": len(self._crew.workers)}
        for worker in self._idle:
            try:
                return {**self._ray.get(worker.notes.remote()), **notes}
            except self._ray.exceptions.RayActorError:
                continue
        return notes

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies as they arrive; what a worker raises is raised here."""
        waiting = deque(_together(requests))
        again: list[_Part] = []
        running: dict[Any, tuple[Any, _Part]] = {}
        while waiting or again or running:
            while self._idle and (waiting or again):
                part = again.pop() if again else self._part(waiting)
                worker = self._idle.pop()
                some = [requests[position] for position in part.open.values()]
                call = worker.answer.options(num_returns="streaming")
                running[call.remote(some)] = (worker, part)
            done = self._next({**self._opening, **running})
            if done in self._opening:
                self._opened(done)
                continue
            worker, part = running[done]
            try:
                place, reply = self._arrived(next(done))
            except StopIteration:
                del running[done]
                self._idle.append(worker)
            except _Lost as lost:
                del running[done]
                self._replace(worker)
                if part.open:
                    again.append(self._again(part, requests, lost))
            else:
                yield part.open.pop(place), reply

    def _next(self, calls: Mapping[Any, object]) -> Any:
        (done, *_), _ = self._ray.wait([*calls], num_returns=1)
        return done

    def _part(self, waiting: deque[int]) -> _Part:
        size = next_size(len(waiting), len(self._crew.workers), self._batch_size)
        return _Part.of([waiting.popleft() for _ in range(size)])

    def _again(self, part: _Part, requests: Sequence[Request], lost: _Lost) -> _Part:
        positions = [*part.open.values()]
        if part.lost + 1 == AGAIN:
            raise ModelError(
                f"{AGAIN} workers were lost at the same items, of which {requests[positions[0]].id}"
                " comes first: something killed them, or the memory was not enough. What was "
                "answered is kept; with fewer --workers each has more."
            ) from lost
        return _Part.of(positions, part.lost + 1)

    def _opened(self, done: Any) -> None:
        """Take in a worker whose model is open, if it is the same model as that of the others."""
        worker = self._opening.pop(done)
        try:
            identity = self._arrived(done)
        except _Lost as lost:
            self._lost += 1
            if self._lost == AGAIN:
                raise ModelError(
                    f"{AGAIN} workers were lost while they opened the model: something killed "
                    "them, or the memory was not enough. With fewer --workers each has more."
                ) from lost
            self._replace(worker)
            return
        if self._known is None:
            self._known = identity
        elif identity != self._known:
            raise ModelError(_difference(self._known, identity))
        self._idle.append(worker)

    def _replace(self, lost: Any) -> None:
        new = self._crew.replace(lost)
        self._opening[new.open.remote(self._named)] = new

    def _arrived(self, reference: Any) -> Any:
        """What a call gave; what it raised; _Lost where its worker is no more."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            raise error.cause from error
        except errors.RayError as error:
            raise _Lost from error


class _Lost(Exception):
    """A worker that is no more, by whatever ended it."""


def _together(requests: Sequence[Request]) -> list[int]:
    """The positions of the requests, those that begin alike beside each other."""
    groups: dict[str, list[int]] = {}
    for position, request in enumerate(requests):
        groups.setdefault(request.shared, []).append(position)
    return [position for group in groups.values() for position in group]


def _difference(one: Mapping[str, Scalar], other: Mapping[str, Scalar]) -> str:
    part = next(key for key in {**one, **other} if one.get(key) != other.get(key))
    return (
        f"the workers do not have the same model: {part} is {one.get(part)} for one and "
        f"{other.get(part)} for another. Install the same versions on every machine of the "
        "cluster, with the same files."
    )
