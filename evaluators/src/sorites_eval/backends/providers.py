"""Models of any provider, through the library any-llm: ``any-llm:anthropic:MODEL``.

The library speaks each provider's own protocol and answers in the form of chat completions, so
that requests are written and replies read as for every endpoint, with the same pace, retries,
budget and outcomes. Keys come from the variables that each provider documents.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from sorites_eval.backends.api.attempts import STALL, Again, Attempts, Limited
from sorites_eval.backends.api.oddities import Oddities, silent
from sorites_eval.backends.api.pacing import Clock, Waits
from sorites_eval.backends.api.refusal import Refused, waiting_time
from sorites_eval.errors import ModelError
from sorites_eval.names import did_you_mean

__all__ = ["Provider", "raised"]

_LIBRARY = "any_llm"
_REFUSED = {
    "ContextLengthExceededError": 400,
    "InvalidRequestError": 400,
    "ModelNotFoundError": 404,
}
_FILTERED = frozenset({"ContentFilterError", "ContentFilterFinishReasonError"})
_FOR_ALL = {"AuthenticationError": 401, "MissingApiKeyError": 401, "InsufficientFundsError": 402}


class Provider:
    """One model of one provider; ``base_url`` is for those that others host too.

    Raises ModelError if the library is missing, or does not know the provider.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        timeout: float = 600.0,
        tell: Callable[[str], None] = silent,
        clock: Clock | None = None,
        waits: Waits | None = None,
    ) -> None:
        provider, colon, self.model = model.partition(":")
        if not (colon and provider and self.model):
            raise ModelError(
                f"any-llm:{model}: name a provider and a model, as in "
                "any-llm:anthropic:MODEL or any-llm:gemini:MODEL."
            )
        self.url = f"{provider} at {base_url}" if base_url else provider
        self._client = _open(provider, base_url)
        self._timeout = timeout
        self._attempts = Attempts(self.url, tell, clock, waits)

    def stop(self) -> None:
        """Let no thread ask again."""
        self._attempts.stop()

    @property
    def oddities(self) -> Oddities:
        """What it said that it should not have."""
        return self._attempts.oddities

    def post(self, path: str, body: Mapping[str, object]) -> Mapping[str, object]:
        """The chat completion that answers a body; ``path`` is the library's to know."""
        fields = dict(body)
        return self._attempts.make(lambda: self._send(fields))

    def _send(self, fields: dict[str, Any]) -> Mapping[str, object]:
        try:
            answer = self._client.completion(**fields, timeout=self._timeout)
        except Exception as error:
            # The library's errors can't be named here without it, and some are a client's own.
            raise raised(error) from error
        found: Mapping[str, object] = answer.model_dump(mode="json")
        return found


def _open(provider: str, base_url: str | None) -> Any:
    try:
        library = importlib.import_module(_LIBRARY)
    except ModuleNotFoundError as error:
        raise ModelError(
            f"any-llm:{provider}: to ask providers in their own protocols, {error.name} is needed: "
            "pip install 'sorites-eval[providers]'."
        ) from error
    known = [str(name) for name in library.AnyLLM.get_supported_providers()]
    if provider not in known:
        raise ModelError(f'any-llm: no provider "{provider}". {did_you_mean(provider, known)}')
    try:
        return library.AnyLLM.create(
            provider, api_base=base_url, unified_exceptions=True, max_retries=0
        )
    except library.AnyLLMError as error:
        raise ModelError(f"any-llm:{provider}: {error}") from error
    except ImportError as error:
        raise ModelError(
            f"any-llm:{provider}: {error} (pip install 'any-llm-sdk[{provider}]')"
        ) from error


def raised(error: Exception) -> Exception:
    """What an error of the library means: a limit, a fault that may pass, or a refusal.

    Told by the kinds of errors and the fields that the library documents for them.
    """
    name = type(error).__name__
    message = str(getattr(error, "message", "") or error)[:500] or name
    status = getattr(error, "status_code", None)
    param = str(getattr(error, "param", None) or getattr(error, "parameter_name", None) or "")
    if name in _FILTERED:
        return Refused(status or 400, message, param, f"content filter: {message}")
    if name in _FOR_ALL:
        return Refused(status or _FOR_ALL[name], message, param, message)
    if name == "UnsupportedParameterError":
        return Refused(400, message, param, message)
    if name == "RateLimitError" or status == 429:
        wait = waiting_time({"retry-after": str(getattr(error, "retry_after", None) or "")}, 0)
        return Limited(message, wait, "insufficient_quota" in message)
    if name in _REFUSED or (isinstance(status, int) and 400 <= status < 500 and status != 408):
        return Refused(status or _REFUSED[name], message, param, message)
    told = (name + message).casefold()
    stalled = "timeout" in told or "timed out" in told
    reachable = "connection error" not in told and "connect" not in name.casefold()
    return Again(message, cost=STALL if stalled else 1, reachable=reachable)
