"""Models behind any OpenAI-compatible endpoint, many requests at a time.

The model writes, and its text is read like any other. Where the endpoint gives the
probabilities of its first tokens, the labels among them are recorded too. An item that the
endpoint will not answer is a reply that says so; only what concerns every item stops the run.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Protocol

from sorites_eval.backends.api.form import ChatFormat
from sorites_eval.backends.api.oddities import Oddities
from sorites_eval.backends.api.refusal import Failed, Refused, failed_reply
from sorites_eval.backends.api.spending import Spending
from sorites_eval.backends.protocol import Ended, Reply
from sorites_eval.contract.tasks import Scalar
from sorites_eval.errors import ModelError
from sorites_eval.prompts.requests import Request

__all__ = ["Api", "Completing"]

_FOR_ALL = frozenset({401, 402, 404, 405})
"""Refusals that no other item would escape: key, credit, model, address."""


class Completing(Protocol):
    """What answers the body of a request: an endpoint, or a library that speaks to one."""

    @property
    def url(self) -> str:
        """Where it is."""
        ...

    @property
    def oddities(self) -> Oddities:
        """What it said that it should not have."""
        ...

    def stop(self) -> None:
        """Let no thread ask again."""
        ...

    def post(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """The answer to a request; raises Refused, Failed, or ModelError."""
        ...


class Api:
    """Answers from an endpoint, ``concurrency`` requests at a time."""

    def __init__(
        self,
        endpoint: Completing,
        form: ChatFormat,
        *,
        concurrency: int,
        spending: Spending | None = None,
        backend: str = "openai",
    ) -> None:
        self._endpoint = endpoint
        self._form = form
        self._concurrency = concurrency
        self._spending = spending or Spending()
        self._backend = backend
        self._fingerprints: set[str] = set()
        self._settled = False

    def identity(self) -> Mapping[str, Scalar]:
        """Endpoint, model, and how it is asked; a provider can change a model under its name."""
        return {"backend": self._backend, "endpoint": self._endpoint.url, **self._form.identity()}

    def notes(self) -> Mapping[str, Scalar]:
        """The fields sent in the end, tokens, and what the provider said about itself."""
        spent = self._spending
        notes: dict[str, Scalar] = {
            **self._form.notes(),
            "fingerprints": ", ".join(sorted(self._fingerprints)),
            "tokens_read": spent.read,
            "tokens_written": spent.written,
            "odd_answers": self._endpoint.oddities.summary(),
        }
        return notes | ({"dollars": round(spent.dollars, 6)} if spent.price else {})

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Replies as they come back.

        Until one is answered they go one by one: what the endpoint can't take is found out with
        them. At the end of a budget those under way are waited for, and RunError is raised.
        """
        todo = iter(range(len(requests)))
        for position in todo:
            if not self._spending.lets(requests[position]):
                raise self._spending.over(len(requests) - position)
            yield position, self._settle(requests[position])
            if self._settled:
                break
        pool = ThreadPoolExecutor(self._concurrency)
        try:
            left = yield from self._together(requests, todo, pool)
        except BaseException:
            self._endpoint.stop()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
        if left:
            raise self._spending.over(left)

    def _together(
        self, requests: Sequence[Request], todo: Iterator[int], pool: ThreadPoolExecutor
    ) -> Generator[tuple[int, Reply], None, int]:
        """Ask several at a time; returns how many the budget left unasked."""
        going: dict[Future[Reply], int] = {}
        following = next(todo, None)
        while True:
            while following is not None and len(going) < 2 * self._concurrency:
                if not self._spending.lets(requests[following]):
                    break
                going[pool.submit(self._ask, requests[following])] = following
                following = next(todo, None)
            if not going:
                return 0 if following is None else 1 + sum(1 for _ in todo)
            done, _ = wait(going, return_when=FIRST_COMPLETED)
            for future in done:
                yield going.pop(future), future.result()

    def _settle(self, request: Request) -> Reply:
        """Ask with fewer fields as long as a refusal names one; if that does not help, with all."""
        try:
            while True:
                try:
                    reply = self._completed(request)
                except Refused as refused:
                    if not self._form.give_way(refused, request):
                        raise
                else:
                    self._settled = True
                    return reply
        except (Refused, Failed) as error:
            self._form.take_back()
            return self._failed(request, error)

    def _ask(self, request: Request) -> Reply:
        try:
            return self._completed(request)
        except (Refused, Failed) as error:
            return self._failed(request, error)

    def _completed(self, request: Request) -> Reply:
        answer = self._endpoint.post("/chat/completions", self._form.body(request))
        self._fingerprints |= {str(f) for f in [answer.get("system_fingerprint")] if f}
        try:
            reply = self._form.reply(answer)
        except ModelError as error:
            self._endpoint.oddities.add(f"{error} {str(answer)[:300]}")
            raise Failed(str(error)) from error
        self._spending.add(request, reply)
        return reply

    def _failed(self, request: Request, error: Refused | Failed) -> Reply:
        """The reply of an item that was not answered; ModelError if no item would be."""
        reply = failed_reply(error)
        self._spending.add(request, reply)
        if isinstance(error, Refused):
            for_all = error.status in _FOR_ALL or (error.status == 403 and not self._settled)
            if for_all and reply.ended is not Ended.REFUSED:
                raise ModelError(f"{self._endpoint.url}: {reply.trouble}") from error
        self._endpoint.oddities.add(reply.trouble)
        return reply
