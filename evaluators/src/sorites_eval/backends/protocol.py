"""What every backend takes and gives, so that a run need not know which one it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from sorites_eval.contract.tasks import Scalar
from sorites_eval.prompts.requests import Request

__all__ = ["Backend", "Choice", "Ended", "Reply", "Usage"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What the model's distribution says about the labels, from the pass that gave the answer.

    ``free`` is the label that the model would write if nothing held it to the labels, or None;
    ``constrained`` the most probable label, or None if an
    endpoint tells of none. ``margin`` is the distance between the two most
    probable labels and ``lead`` that between the two most probable tokens of the whole
    vocabulary, in nats; ``mass`` the probability that what it writes is one of the labels.
    ``near_tie`` tells that rounding could have turned either reading.
    """

    free: str | None
    constrained: str | None
    margin: float
    lead: float
    mass: float
    near_tie: bool


class Ended(StrEnum):
    """Why a reply has no more text."""

    STOP = "stop"
    """The model was done, or nothing is known to the contrary."""
    LENGTH = "length"
    """The limit of tokens was reached first, in the thought or in the answer."""
    REFUSED = "refused"
    """The model, or a filter before or behind it, would not answer this item."""
    ERROR = "error"
    """The item could not be asked; the same command asks it again."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that a request was charged for: those read and those written, thought included."""

    read: int
    written: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A model's answer to one request: its text, and its choice where one was scored.

    ``thought`` is what the model thought aloud before its answer, where the backend knows it; a
    thought that still stands in ``text`` between its tags is taken out when the reply is read.
    ``trouble`` says, for a refusal or an error, what the other side said.
    """

    text: str
    choice: Choice | None = None
    thought: str = ""
    ended: Ended = Ended.STOP
    trouble: str = ""
    usage: Usage | None = None


class Backend(Protocol):
    """A model that answers requests to one task."""

    def identity(self) -> Mapping[str, Scalar]:
        """Everything about the model and its way of answering that can change an answer."""
        ...

    def notes(self) -> Mapping[str, Scalar]:
        """What a reader of the run should know and what changes no answer."""
        ...

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies as they come, each with the position of its request; every one once."""
        ...
