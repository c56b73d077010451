"""How requests are written for one endpoint, task and model: which fields, and which turns.

Not every server knows every field. One that names a field in its refusal is asked without it, and
one that names the system's turn gets its text in the first turn of the user. This is found out
with the first request that is answered, and holds for the run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from sorites_eval.backends.api.completion import read_choice, read_completion
from sorites_eval.backends.api.refusal import Refused
from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Message, Request
from sorites_eval.scoring.answers import Reader

__all__ = ["Asking", "ChatFormat", "folded"]

TOP = 20
_OTHER = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_OPTIONAL = ("temperature", "seed", "top_logprobs", "logprobs")
_TOGETHER = {"logprobs": "top_logprobs", "top_logprobs": "logprobs"}
_TURNS = re.compile(r"\b(?:system|developer|roles?)\b", re.IGNORECASE)
_OWN = frozenset({"model", "messages"})


@dataclass(frozen=True, slots=True)
class Asking:
    """What of a request is the choice of whoever asks.

    Without a ``temperature`` the most probable answer is asked for.
    ``drop`` are fields to leave out and ``add`` fields to send as well, which win over ours.
    """

    seed: int = 0
    logprobs: bool = False
    reasoning_effort: str | None = None
    temperature: float | None = None
    drop: tuple[str, ...] = ()
    add: Mapping[str, object] = field(default_factory=dict)


class ChatFormat:
    """Writes requests to chat completions and reads what comes back, for one task and model."""

    def __init__(self, model: str, task: Task, asking: Asking) -> None:
        if own := _OWN & {*asking.drop, *asking.add}:
            raise ModelError(f"the field {min(own)} of a request can be neither dropped nor added.")
        self.model = model
        self.limit = task.answer.max_new_tokens
        self.asking = asking
        self.logprobs = asking.logprobs and task.answer.format == "choice"
        self._labels = list(task.answer.labels)
        self._reader = Reader(self._labels)
        fields: dict[str, object] = {
            "model": model,
            "max_tokens": self.limit,
            "temperature": asking.temperature or 0,
            "seed": asking.seed,
        }
        if self.logprobs:
            fields |= {"logprobs": True, "top_logprobs": TOP}
        if asking.reasoning_effort is not None:
            fields["reasoning_effort"] = asking.reasoning_effort
        kept = {name: value for name, value in fields.items() if name not in asking.drop}
        self._first = {**kept, **asking.add}
        self._fields = dict(self._first)
        self._folds = False
        self._tried: set[str] = set()

    @property
    def fields(self) -> Mapping[str, object]:
        """Everything of a request but its messages."""
        return self._fields

    def identity(self) -> dict[str, Scalar]:
        """What was asked for that can change an answer."""
        asked = self.asking
        identity: dict[str, Scalar] = {
            "model": self.model,
            "seed": asked.seed,
            "answers": f"text of at most {self.limit} tokens",
            "logprobs": self.logprobs,
        }
        if asked.temperature:
            identity["temperature"] = asked.temperature
        if asked.reasoning_effort is not None:
            identity["reasoning_effort"] = asked.reasoning_effort
        if asked.drop:
            identity["dropped_fields"] = ", ".join(sorted(asked.drop))
        if asked.add:
            identity["added_fields"] = ", ".join(f"{k}={v!r}" for k, v in sorted(asked.add.items()))
        return identity

    def notes(self) -> dict[str, Scalar]:
        """The fields that were sent in the end, those that were refused, and the system text."""
        return {
            "fields": ", ".join(sorted(self._fields)),
            "refused_fields": ", ".join(sorted(self._first.keys() - self._fields.keys())),
            "system_text": "opens the first user turn" if self._folds else "system turn",
        }

    def body(self, request: Request) -> dict[str, object]:
        """The body of one request."""
        turns = folded(request.messages) if self._folds else request.messages
        messages = [{"role": turn.role, "content": turn.content} for turn in turns]
        fields = dict(self._fields)
        if "seed" in fields and "seed" not in self.asking.add:
            # Each answer to one item is drawn on its own; the first is that of a single answer.
            fields["seed"] = self.asking.seed + request.repeat
        return {**fields, "messages": messages}

    def give_way(self, refused: Refused, request: Request) -> bool:
        """Do without what a refusal names; False if it names nothing that can go.

        Each field gives way once: a refusal that is of something else ends at ``take_back``.
        """
        if refused.status not in {400, 422}:
            return False
        names = [name for name in self._fields if name in _OTHER or name in _OPTIONAL]
        names = [name for name in names if name not in self.asking.add and name not in self._tried]
        told = [name for name in names if refused.param.split(".")[-1] == name]
        told = told or [name for name in names if re.search(rf"\b{name}\b", refused.body)]
        if told:
            self._without(told[0])
            return True
        has_system = request.messages[0].role == "system"
        if has_system and not self._folds and _TURNS.search(refused.body or refused.message):
            self._folds = True
            return True
        return False

    def _without(self, name: str) -> None:
        self._tried.add(name)
        value = self._fields.pop(name)
        if name in _OTHER:
            self._fields.setdefault(_OTHER[name], value)
        elif name in _TOGETHER:
            self._fields.pop(_TOGETHER[name], None)

    def take_back(self) -> None:
        """Send everything again, after a request that was refused all the same."""
        self._fields = dict(self._first)
        self._folds = False
        self._tried.clear()

    def reply(self, answer: Mapping[str, object]) -> Reply:
        """The reply in the body of an answer; ModelError if it is not one."""
        reply, tokens = read_completion(answer)
        if not self.logprobs or reply.ended in {Ended.ERROR, Ended.REFUSED}:
            return reply
        choice = read_choice(reply, tokens, self._labels, self._reader)
        return Reply(reply.text, choice, reply.thought, reply.ended, reply.trouble, reply.usage)


def folded(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Turns in which the system's text opens the first turn of the user.

    >>> [turn.role for turn in folded((Message("system", "a"), Message("user", "b")))]
    ['user']
    """
    system, *rest = messages
    if system.role != "system" or not rest:
        return messages
    opening = Message(rest[0].role, f"{system.content}\n\n{rest[0].content}")
    return (opening, *rest[1:])
