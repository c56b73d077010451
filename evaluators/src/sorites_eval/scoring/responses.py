"""What kind of text a reply is: the answer that was asked for and nothing else, or more, or other.

SylloBio-NLI (appendices G and J) tells four kinds apart: text that follows the instruction, whether
or not it is right; chains of thought; other text, such as the prompt once more; and none at all. A
sentence such as "The correct answer is True." follows it; a chain of thought that ends in one does
not. Only text that a model wrote can be told apart so: where labels are scored it writes none.
"""

from __future__ import annotations

import re
from enum import StrEnum

from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.plain import CLOSED, OPENED, plain

__all__ = ["MOST_WORDS", "Response", "response_of"]

MOST_WORDS = 8
"""Words of a bare answer; numbers of what is selected, such as P2, are not counted."""

_BREAK = re.compile(r"\n|[.!?;]\s+\S")
_WORD = re.compile(r"[^\W\d_]{2,}|[^\W\d_](?!\d)")


class Response(StrEnum):
    """A kind of text, from the one that was asked for to none."""

    BARE = "bare answer"
    REASONED = "answer within other text"
    OTHER = "no answer"
    EMPTY = "empty"


def response_of(outcome: Outcome, text: str, *, scored: bool) -> Response | None:
    """The kind of a reply that was read with this outcome; None where labels were scored.

    >>> response_of(Outcome.ANSWER, "The correct answer is True, P1, P2.", scored=False)
    <Response.BARE: 'bare answer'>
    >>> response_of(Outcome.ANSWER, "P1 names every gene. So it is True.", scored=False)
    <Response.REASONED: 'answer within other text'>
    """
    if scored:
        return None
    if outcome in (Outcome.EMPTY, Outcome.ERROR) or not text.strip():
        return Response.EMPTY
    if outcome is not Outcome.ANSWER:
        return Response.OTHER
    bare = plain(text).replace(OPENED, "").replace(CLOSED, "").strip()
    short = len(_WORD.findall(bare)) <= MOST_WORDS and not _BREAK.search(bare)
    return Response.BARE if short else Response.REASONED
