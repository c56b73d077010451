"""What asking a provider will cost, roughly, before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence

from sorites_eval.prompts.requests import Request

__all__ = ["estimate"]

CHARACTERS_A_TOKEN = 4
TOKENS_A_TURN = 4


def estimate(
    requests: Sequence[Request], limit: int, price_in: float | None, price_out: float | None
) -> str:
    """A sentence with requests, tokens, and the cost at prices in US dollars a million tokens.

    English text has about four characters a token; other scripts may have three times as many
    tokens. What the model writes is counted to its limit.
    """
    characters = sum(len(m.content) for request in requests for m in request.messages)
    turns = sum(len(request.messages) for request in requests)
    read = characters // CHARACTERS_A_TOKEN + TOKENS_A_TURN * turns
    written = limit * len(requests)
    text = f"{len(requests):,} requests, about {read:,} tokens to read, at most {written:,} written"
    if price_in is None or price_out is None:
        return text + "."
    cost = (read * price_in + written * price_out) / 1_000_000
    return f"{text}: about ${cost:,.2f} at most, without discounts for cached or batched tokens."
