"""What asking a provider will cost, roughly, before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence

from sorites_eval.prompts.requests import Request

__all__ = ["estimate", "tokens"]

CHARACTERS_A_TOKEN = 4
TOKENS_A_TURN = 4


def tokens(request: Request) -> int:
    """About how many tokens a request is: four characters of English text are one.

    Text in other scripts may have three times as many, so that each character beyond Latin counts
    as a token.
    """
    count = TOKENS_A_TURN * len(request.messages)
    for message in request.messages:
        wide = 0 if message.content.isascii() else sum(c > "\u024f" for c in message.content)
        count += (len(message.content) - wide) // CHARACTERS_A_TOKEN + wide
    return count


def estimate(
    requests: Sequence[Request], limit: int, price_in: float | None, price_out: float | None
) -> str:
    """A sentence with requests, tokens, and the cost at prices in US dollars a million tokens.

    What the model writes is counted to its limit.
    """
    read = sum(tokens(request) for request in requests)
    written = limit * len(requests)
    text = f"{len(requests):,} requests, about {read:,} tokens to read, at most {written:,} written"
    if price_in is None or price_out is None:
        return text + "."
    cost = (read * price_in + written * price_out) / 1_000_000
    return f"{text}: about ${cost:,.2f} at most, without discounts for cached or batched tokens."
