"""An HTTP endpoint that limits rates and fails now and then: ask again, and wait as it says.

Keys come from the environment and go into one header; no message or record holds them.
"""

from __future__ import annotations

import json as json_
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx2

from sorites_eval.backends.api.attempts import STALL, Again, Attempts, Limited
from sorites_eval.backends.api.oddities import Oddities, silent
from sorites_eval.backends.api.pacing import Clock, Waits
from sorites_eval.backends.api.refusal import in_body, refusal, waiting_time
from sorites_eval.errors import ModelError

__all__ = ["Endpoint"]

LIMITS = frozenset({429, 529})
AGAIN = frozenset({408, 409, 425, 500, 502, 503, 504})
DEFAULT_URL = "https://api.openai.com/v1"
LARGEST = 64 * 1024 * 1024
"""Bytes of an answer that are read."""

_SENSELESS = 0
"""The status that stands for content which is no JSON object."""


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")


class Endpoint:
    """An OpenAI-compatible endpoint, shared by all threads; one that is told to wait holds all.

    ``timeout`` is how many seconds an answer may take from the first byte sent to the last one
    read, and how long it may stall; ``tell`` hears of odd answers, each kind once.
    """

    def __init__(
        self,
        base_url: str | None,
        *,
        timeout: float = 600.0,
        tell: Callable[[str], None] = silent,
        clock: Clock | None = None,
        waits: Waits | None = None,
    ) -> None:
        self.url = (base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_URL).rstrip("/")
        key = os.environ.get("OPENAI_API_KEY", "")
        parsed = httpx2.URL(self.url)
        loopback = parsed.host in {"localhost", "127.0.0.1", "::1"}
        if parsed.scheme not in {"http", "https"}:
            raise ModelError(f"{self.url}: not an address that starts with https://.")
        if key and parsed.scheme == "http" and not loopback:
            raise ModelError(
                f"{self.url}: the key would travel unencrypted. Use https, or unset OPENAI_API_KEY."
            )
        if not key and self.url == DEFAULT_URL:
            raise ModelError("set OPENAI_API_KEY in the environment to use api.openai.com.")
        self._client = httpx2.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=httpx2.Timeout(timeout, connect=min(timeout, 20.0)),
            limits=httpx2.Limits(max_connections=None),
        )
        self._timeout = timeout
        self._attempts = Attempts(self.url, tell, clock, waits)

    def stop(self) -> None:
        """Let no thread ask again."""
        self._attempts.stop()

    @property
    def oddities(self) -> Oddities:
        """What it said that it should not have."""
        return self._attempts.oddities

    def post(self, path: str, body: Mapping[str, object]) -> dict[str, object]:
        """The JSON object that answers a JSON body; errors as in ``call``.

        An answer that is no object, or one with nothing but an error in it, is no success whatever
        its status says.
        """
        content = self.call("POST", path, json=body, check=_check_object)
        value: dict[str, object] = json_.loads(content)
        return value

    def call(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        data: Mapping[str, str] | None = None,
        upload: tuple[str, bytes] | None = None,
        check: Callable[[bytes], int | None] | None = None,
    ) -> bytes:
        """A request, repeated while that can help; returns the content of its answer.

        ``check`` finds the status that the content itself tells of, or None for good content.
        Raises Refused for an answer that repeating will not change, and what ``Attempts`` raises.
        """
        files = {"file": upload} if upload else None
        request = self._client.build_request(
            method, f"{self.url}{path}", json=json, data=data, files=files
        )
        return self._attempts.make(lambda: self._send(request, check))

    def _send(self, request: httpx2.Request, check: Callable[[bytes], int | None] | None) -> bytes:
        try:
            answer = self._answer(request)
        except httpx2.TransportError as error:
            raise Again(
                str(error) or type(error).__name__,
                cost=STALL if isinstance(error, httpx2.TimeoutException) else 1,
                reachable=not isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout),
            ) from error
        status = answer.status
        if status < 300:
            told = check(answer.content) if check else None
            if told is None:
                return answer.content
            status = told
        trouble = _trouble(answer, status)
        wait = waiting_time(answer.headers, time.time())
        if status in LIMITS:
            spent = in_body(answer.text, "insufficient_quota", "billing_hard_limit_reached")
            raise Limited(trouble, wait, spent)
        if status in AGAIN or status == _SENSELESS:
            raise Again(trouble, wait)
        raise refusal(answer.text, status)

    def _answer(self, request: httpx2.Request) -> _Answer:
        """One answer. A body that trickles has as long as one that stalls."""
        deadline = time.monotonic() + self._timeout
        content = bytearray()
        response = self._client.send(request, stream=True)
        try:
            for part in response.iter_bytes():
                content += part
                if len(content) > LARGEST:
                    raise httpx2.RemoteProtocolError("the answer is longer than 64 MiB")
                if time.monotonic() > deadline:
                    raise httpx2.ReadTimeout("the answer did not end in time")
            return _Answer(response.status_code, response.headers, bytes(content))
        finally:
            response.close()


def _trouble(answer: _Answer, status: int) -> str:
    head = f"HTTP {answer.status}"
    if answer.status < 300:
        head += " with no JSON object" if status == _SENSELESS else " with an error"
    text = " ".join(answer.text[:300].split())
    return f"{head}: {text}" if text and text != "{}" else head


def _check_object(content: bytes) -> int | None:
    try:
        value = json_.loads(content)
    except (ValueError, RecursionError):
        return _SENSELESS
    if not isinstance(value, dict):
        return _SENSELESS
    error = value.get("error")
    if not error or value.get("choices"):
        return None
    status = error.get("code", error.get("status")) if isinstance(error, dict) else None
    if isinstance(status, int | str) and str(status).isdecimal() and 400 <= int(status) < 600:
        return int(status)
    text = content.decode("utf-8", "replace")
    if in_body(text, "rate_limit", "too_many_requests"):
        return 429
    if in_body(text, "invalid_request", "content_filter", "content_policy"):
        return 400
    return 500
