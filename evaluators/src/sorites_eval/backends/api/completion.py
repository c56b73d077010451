"""The reply in a chat completion, whichever fields a server puts it in.

Text may be a string or a list of parts; a thought may stand in a field of its own under several
names, among the parts, or in the text between marks; a refusal in its own field, a part, or the
reason why the text ended. Whatever is null is not there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sorites_eval.backends.protocol import Choice, Ended, Reply, Usage
from sorites_eval.errors import ModelError
from sorites_eval.scoring.answers import Reader

__all__ = ["read_choice", "read_completion"]

NEAR = 0.25
_LENGTH = frozenset({"length", "max_tokens", "max_output_tokens", "model_length", "incomplete"})
_REFUSED = frozenset(
    {"content_filter", "refusal", "safety", "recitation", "prohibited_content", "blocklist", "spii"}
)
_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "thought", "reasoning_details")
_THINKING_PARTS = frozenset({"thinking", "reasoning", "thought", "redacted_thinking"})


def read_completion(answer: Mapping[str, Any]) -> tuple[Reply, Sequence[Mapping[str, Any]]]:
    """The reply in the body of an answer, and the tokens whose probabilities it tells.

    Raises ModelError if it is no chat completion.
    """
    try:
        first = answer["choices"][0]
        message = first.get("message") or {"content": first.get("text")}
        told = first.get("logprobs") or {}
        content = message.get("content")
        refusal = message.get("refusal") or _of_parts(content, {"refusal"})
        text = content if isinstance(content, str) else _of_parts(content, {"text", "output_text"})
        thoughts = [_told(message.get(name)) for name in _THOUGHTS]
        thought = next((thought for thought in thoughts if thought), "")
        thought = thought or _of_parts(content, _THINKING_PARTS)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelError("the endpoint's answer is not a chat completion.") from error
    reason = str(first.get("finish_reason") or "").casefold()
    ended, trouble = Ended.STOP, ""
    if refusal or reason in _REFUSED:
        ended, trouble = Ended.REFUSED, str(refusal or f"the reply ended with {reason}")
    elif reason in _LENGTH:
        ended = Ended.LENGTH
    elif reason == "error":
        ended, trouble = Ended.ERROR, str(first.get("error") or "the reply ended with an error")
    tokens = told.get("content") if isinstance(told, dict) else None
    reply = Reply(
        text, thought=thought, ended=ended, trouble=trouble[:500], usage=_usage(answer.get("usage"))
    )
    return reply, tokens if isinstance(tokens, list) else []


def _of_parts(content: object, kinds: frozenset[str] | set[str]) -> str:
    """The text of the parts of some kinds, in order."""
    if not isinstance(content, list):
        return ""
    return "".join(_part(part) for part in content if _kind(part) in kinds)


def _kind(part: object) -> str:
    if isinstance(part, str):
        return "text"
    return str(part.get("type", "text")) if isinstance(part, dict) else ""


def _part(part: object) -> str:
    return _told(part) if isinstance(part, str | dict) else ""


def _told(value: object) -> str:
    """The text of a field that is a string, a part, or a list of them."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "".join(_told(entry) for entry in value)
    if isinstance(value, dict):
        names = ("text", "thinking", "reasoning", "content", "summary", "refusal")
        return next((told for name in names if (told := _told(value.get(name)))), "")
    return ""


def _usage(value: object) -> Usage | None:
    if not isinstance(value, dict):
        return None
    read = value.get("prompt_tokens", value.get("input_tokens"))
    written = value.get("completion_tokens", value.get("output_tokens"))
    return Usage(read, written) if isinstance(read, int) and isinstance(written, int) else None


def read_choice(
    reply: Reply, tokens: Sequence[Mapping[str, Any]], labels: Sequence[str], reader: Reader
) -> Choice | None:
    """What the probabilities of the first token of an answer say of the labels.

    None where there are none: an endpoint may tell of none, or of a thought's.
    """
    first = tokens[0] if tokens and isinstance(tokens[0], dict) else {}
    written = str(first.get("token") or "")
    if not reply.text.lstrip().startswith(written.strip() or "\0"):
        return None
    top = list(_top(first.get("top_logprobs")))
    if not top:
        return None
    found: dict[str, float] = {}
    for token, score in top:
        label = reader.read(token).label
        if label is not None:
            found[label] = max(found.get(label, -math.inf), score)
    ordered = sorted(found.items(), key=lambda entry: (-entry[1], labels.index(entry[0])))
    scores = sorted((score for _, score in top), reverse=True)
    second = ordered[1][1] if len(ordered) > 1 else scores[-1]
    margin = ordered[0][1] - second if ordered else 0.0
    lead = scores[0] - scores[1] if len(scores) > 1 else 0.0
    return Choice(
        free=reader.read(reply.text).label,
        constrained=ordered[0][0] if ordered else None,
        margin=margin,
        lead=lead,
        mass=min(1.0, sum(math.exp(value) for value in found.values())),
        near_tie=min(margin, lead) < NEAR,
    )


def _top(entries: object) -> Iterator[tuple[str, float]]:
    for entry in entries if isinstance(entries, list) else []:
        score = entry.get("logprob") if isinstance(entry, dict) else None
        if isinstance(score, int | float) and math.isfinite(score):
            yield str(entry.get("token") or ""), float(score)
