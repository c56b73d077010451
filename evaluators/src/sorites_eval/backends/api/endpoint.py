"""An HTTP endpoint that limits rates and fails now and then: ask again, and wait as it says.

Keys come from the environment and go into one header; no message or record holds them.
"""

from __future__ import annotations

import email.utils
import os
import random
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import httpx2

from sorites_eval.errors import ModelError

__all__ = ["Endpoint", "Refused", "waiting_time"]

ATTEMPTS = 8
LONGEST_WAIT = 120.0
AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
DEFAULT_URL = "https://api.openai.com/v1"
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Refused(Exception):
    """The endpoint understood and said no; ``param`` is the field that it objects to."""

    status: int
    message: str
    param: str = ""


def waiting_time(headers: Mapping[str, str], now: float) -> float | None:
    """How many seconds the answer's headers ask to wait, if they do.

    ``Retry-After`` in seconds or as a date, else the reset of whichever limit is used up.

    >>> waiting_time({"retry-after": "7"}, 0)
    7.0
    >>> waiting_time({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m2s"}, 0)
    62.0
    """
    after = headers.get("retry-after", "")
    if re.fullmatch(r"\d+(\.\d+)?", after):
        return float(after)
    if after:
        try:
            return max(0.0, email.utils.parsedate_to_datetime(after).timestamp() - now)
        except ValueError:
            return None
    waits = [
        sum(float(number) * _UNITS[unit] for number, unit in _DURATION.findall(reset))
        for kind in ("requests", "tokens")
        if headers.get(f"x-ratelimit-remaining-{kind}") == "0"
        and (reset := headers.get(f"x-ratelimit-reset-{kind}"))
    ]
    return max(waits) if waits else None


class Endpoint:
    """An OpenAI-compatible endpoint, shared by all threads; one that is told to wait holds all."""

    def __init__(self, base_url: str | None, sleep: Callable[[float], None] = time.sleep) -> None:
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
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx2.Client(headers=headers, timeout=httpx2.Timeout(300, connect=20))
        self._sleep = sleep
        self._lock = threading.Lock()
        self._not_before = 0.0

    def call(
        self,
        method: str,
        path: str,
        *,
        json: object = None,
        data: Mapping[str, str] | None = None,
        upload: tuple[str, bytes] | None = None,
    ) -> httpx2.Response:
        """A request, repeated while that can help.

        Raises Refused for an answer that repeating will not change, ModelError when the
        endpoint stays out of reach.
        """
        trouble = ""
        for attempt in range(ATTEMPTS):
            self._hold()
            wait: float | None = None
            try:
                files = {"file": upload} if upload else None
                response = self._client.request(
                    method, f"{self.url}{path}", json=json, data=data, files=files
                )
            except httpx2.TransportError as error:
                trouble = str(error) or type(error).__name__
            else:
                if response.is_success:
                    return response
                if response.status_code not in AGAIN:
                    raise _refusal(response)
                trouble = f"HTTP {response.status_code}"
                wait = waiting_time(response.headers, time.time())
            self._put_off(wait if wait is not None else _back_off(attempt))
        raise ModelError(
            f"{self.url}: no answer after {ATTEMPTS} attempts; the last: {trouble}. "
            "The same command goes on from here."
        )

    def _hold(self) -> None:
        with self._lock:
            wait = self._not_before - time.monotonic()
        if wait > 0:
            self._sleep(wait)

    def _put_off(self, wait: float) -> None:
        with self._lock:
            until = time.monotonic() + min(wait, LONGEST_WAIT)
            self._not_before = max(self._not_before, until)


def _back_off(attempt: int) -> float:
    return float(min(0.5 * 2**attempt, 30.0) * random.uniform(0.75, 1.25))


def _refusal(response: httpx2.Response) -> Refused:
    message, param = response.text[:300], ""
    try:
        error = response.json()["error"]
        message, param = str(error["message"])[:500], str(error.get("param") or "")
    except (ValueError, KeyError, TypeError):
        pass
    return Refused(response.status_code, message, param)
