"""Models behind any OpenAI-compatible endpoint, many requests at a time.

The model writes, and its text is read like any other. Where the endpoint gives the
probabilities of its first tokens, the labels among them are recorded too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

from sorites_eval.backends.api.endpoint import Endpoint, Refused
from sorites_eval.backends.protocol import Choice, Reply
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request
from sorites_eval.scoring.answers import Reader

__all__ = ["Api", "ChatFormat"]

TOP = 20
_INSTEAD = {"max_tokens": "max_completion_tokens"}
_CAN_GO = frozenset({"temperature", "seed", "logprobs", "top_logprobs"})


class ChatFormat:
    """Writes requests to chat completions and reads what comes back, for one task and model."""

    def __init__(self, model: str, task: Task, seed: int, *, logprobs: bool) -> None:
        self.model = model
        self.limit = task.answer.max_new_tokens
        self._labels = list(task.answer.labels)
        self._reader = Reader(self._labels)
        self.logprobs = logprobs and task.answer.format == "choice"
        self._fields: dict[str, object] = {
            "model": model,
            "max_tokens": self.limit,
            "temperature": 0,
            "seed": seed,
        }
        if self.logprobs:
            self._fields |= {"logprobs": True, "top_logprobs": TOP}

    @property
    def fields(self) -> Mapping[str, object]:
        """Everything of a request but its messages."""
        return self._fields

    def body(self, request: Request) -> dict[str, object]:
        """The body of one request."""
        messages = [{"role": m.role, "content": m.content} for m in request.messages]
        return {**self._fields, "messages": messages}

    def without(self, param: str) -> bool:
        """Do without a field that the endpoint refused; False if that cannot be done."""
        if param in _INSTEAD and param in self._fields:
            self._fields[_INSTEAD[param]] = self._fields.pop(param)
            return True
        if param in _CAN_GO and param in self._fields:
            del self._fields[param]
            if param == "logprobs":
                self._fields.pop("top_logprobs", None)
            return True
        return False

    def reply(self, answer: object) -> Reply:
        """The reply in the body of an answer; ModelError if it is not one."""
        try:
            assert isinstance(answer, dict)
            (first, *_) = answer["choices"]
            text = str(first["message"].get("content") or "")
            tokens = (first.get("logprobs") or {}).get("content") or []
        except (AssertionError, KeyError, TypeError, ValueError, AttributeError) as error:
            raise ModelError("the endpoint's answer is not a chat completion.") from error
        return Reply(text, self._choice(text, tokens[0]) if tokens and self.logprobs else None)

    def _choice(self, text: str, token: Mapping[str, object]) -> Choice:
        top = token.get("top_logprobs")
        found: dict[str, float] = {}
        scores: list[float] = []
        for entry in top if isinstance(top, list) else []:
            scores.append(float(entry["logprob"]))
            label = self._reader.read(str(entry["token"])).label
            if label is not None:
                found[label] = max(found.get(label, float("-inf")), scores[-1])
        ordered = sorted(found.items(), key=lambda entry: (-entry[1], self._labels.index(entry[0])))
        scores.sort(reverse=True)
        second = ordered[1][1] if len(ordered) > 1 else min(scores, default=0.0)
        margin = ordered[0][1] - second if ordered else 0.0
        lead = scores[0] - scores[1] if len(scores) > 1 else 0.0
        return Choice(
            free=self._reader.read(text).label,
            constrained=ordered[0][0] if ordered else None,
            margin=margin,
            lead=lead,
            mass=min(1.0, sum(math.exp(value) for value in found.values())),
            near_tie=min(margin, lead) < 0.25,
        )


class Api:
    """Answers from an endpoint, ``concurrency`` requests at a time."""

    def __init__(
        self, endpoint: Endpoint, form: ChatFormat, *, seed: int, concurrency: int
    ) -> None:
        self._endpoint = endpoint
        self._form = form
        self._seed = seed
        self._concurrency = concurrency
        self._fingerprints: set[str] = set()

    def identity(self) -> Mapping[str, Scalar]:
        """Endpoint, model, seed and length; a provider can change a model under its name."""
        return {
            "backend": "openai",
            "model": self._form.model,
            "endpoint": self._endpoint.url,
            "seed": self._seed,
            "answers": f"text of at most {self._form.limit} tokens",
            "logprobs": self._form.logprobs,
        }

    def notes(self) -> Mapping[str, Scalar]:
        """The fields sent in the end, and the fingerprints that the provider gave."""
        sent = ", ".join(sorted(self._form.fields))
        prints = ", ".join(sorted(self._fingerprints))
        return {"fields": sent, "fingerprints": prints, "system_text": "system turn"}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies as they come back."""
        if not requests:
            return
        yield 0, self._ask(requests[0])
        todo = iter(range(1, len(requests)))
        with ThreadPoolExecutor(self._concurrency) as pool:
            going: dict[Future[Reply], int] = {}
            try:
                for position in islice(todo, 2 * self._concurrency):
                    going[pool.submit(self._ask, requests[position])] = position
                while going:
                    done, _ = wait(going, return_when=FIRST_COMPLETED)
                    for future in done:
                        yield going.pop(future), future.result()
                        for position in islice(todo, 1):
                            going[pool.submit(self._ask, requests[position])] = position
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, request: Request) -> Reply:
        while True:
            try:
                response = self._endpoint.call(
                    "POST", "/chat/completions", json=self._form.body(request)
                )
            except Refused as refused:
                if refused.status == 400 and self._form.without(refused.param):
                    continue
                raise ModelError(
                    f"{self._endpoint.url}: refused with {refused.status}: {refused.message}"
                ) from refused
            try:
                answer = response.json()
            except ValueError as error:
                raise ModelError(f"{self._endpoint.url}: the answer is not JSON.") from error
            reply = self._form.reply(answer)
            self._fingerprints |= {str(f) for f in [answer.get("system_fingerprint")] if f}
            return reply
