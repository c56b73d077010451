"""What an endpoint says where it does not answer: a refusal, its reason, and how long to wait."""

from __future__ import annotations

import email.utils
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.backends.protocol import Ended, Reply

__all__ = ["Failed", "Refused", "failed_reply", "in_body", "refusal", "waiting_time"]

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_FILTER = re.compile(
    r"content[ _-]?(?:filter|policy|management)|moderation|flagged|safety|prohibited"
    r"|responsibleai|guardrail|blocked",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Refused(Exception):
    """The endpoint understood and said no.

    ``param`` is the field that it objects to, if it says so, and ``body`` all that it said.
    """

    status: int
    message: str
    param: str = ""
    body: str = ""

    @property
    def is_filter(self) -> bool:
        """Whether it is the content of the item that was refused."""
        return bool(_FILTER.search(self.body or self.message))


@dataclass(frozen=True)
class Failed(Exception):
    """A request that failed again and again, at an endpoint that was within reach."""

    message: str


def failed_reply(error: Refused | Failed) -> Reply:
    """The reply that stands for an item which was not answered."""
    if isinstance(error, Failed):
        return Reply("", ended=Ended.ERROR, trouble=error.message)
    ended = Ended.REFUSED if error.is_filter else Ended.ERROR
    return Reply("", ended=ended, trouble=f"refused with {error.status}: {error.message}")


def refusal(text: str, status: int) -> Refused:
    """A refusal as the body of an answer tells it, in any of the forms that servers use."""
    message, param = text[:300], ""
    try:
        value = json.loads(text)
        error = value.get("error", value)
        if isinstance(error, str):
            message = error[:500]
        else:
            told = error.get("message") or error.get("detail") or value.get("message")
            message = (
                (told if isinstance(told, str) else json.dumps(told))[:500] if told else message
            )
            param = str(error.get("param") or "")
    except (ValueError, AttributeError, RecursionError):
        pass
    return Refused(status, message or "no reason given", param, text[:4000])


def in_body(text: str, *words: str) -> bool:
    """Whether any of some words stands in the first part of a body."""
    start = text[:4000].casefold()
    return any(word in start for word in words)


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
