"""A model's thought parted from its answer, by the marks that models put around it.

The marks of chat templates differ in their brackets and words: ``<think>``, ``[THINK]``,
``◁think▷``, ``<seed:think>``, ``<|begin_of_thought|>``, ``<|START_THINKING|>``, or channels with a
name. What they have in common is read: a bracket, a word for thinking, and whether it opens or
closes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Parted", "part_thought"]

_MARK = re.compile(
    r"(?:<\|?|◁)\s{0,2}(?P<closes>/|end[_ ](?:of[_ ])?)?(?:begin[_ ]of[_ ]|start[_ ])?"
    r"(?:\w{1,20}:)?(?:think|thinking|thought|thoughts|reasoning|reflection)\s{0,2}(?:\|?>|▷)"
    r"|\[(?P<closing>/?)THINK\]",
    re.IGNORECASE,
)
_CHANNEL = re.compile(
    r"<\|channel\|>\s{0,2}(?P<name>[a-z]{1,20})[^<\n]{0,80}<\|message\|>", re.IGNORECASE
)
_BARE_FIRST, _BARE_LAST = "analysis", "assistantfinal"
"""A channel's marks as they stand where a tokenizer left its special tokens out."""


@dataclass(frozen=True, slots=True)
class Parted:
    """The thought, the text outside it, and whether the thought was opened and never closed."""

    thought: str
    answer: str
    unfinished: bool = False


def part_thought(text: str) -> Parted:
    """Part a reply into thought and answer; without marks, all of it is the answer.

    What stands before a closing mark that nothing opened is thought too: some templates open it
    in the prompt.

    >>> part_thought("<think>Is it?</think>True")
    Parted(thought='Is it?', answer='True', unfinished=False)
    >>> part_thought("<think>Is it").unfinished
    True
    """
    if _CHANNEL.search(text):
        return _by_channels(text)
    if text.startswith(_BARE_FIRST) and _BARE_LAST in text:
        thought, _, answer = text.removeprefix(_BARE_FIRST).rpartition(_BARE_LAST)
        return Parted(thought.strip(), answer.strip())
    outside: list[str] = []
    inside: list[str] = []
    position = depth = 0
    for mark in _MARK.finditer(text):
        piece, position = text[position : mark.start()], mark.end()
        (inside if depth else outside).append(piece)
        if not (mark["closes"] or mark["closing"]):
            depth += 1
        elif depth:
            depth -= 1
        else:
            inside += outside
            outside = []
    (inside if depth else outside).append(text[position:])
    if not inside:
        return Parted("", text)
    return Parted(_joined(inside), _joined(outside), depth > 0)


def _by_channels(text: str) -> Parted:
    """Channels: the one named final is the answer, every other is thought."""
    marks = [*_CHANNEL.finditer(text)]
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    parts = [
        (mark["name"].casefold() == "final", _until_end(text[mark.end() : end]))
        for mark, end in zip(marks, ends, strict=True)
    ]
    answers = [part for final, part in parts if final]
    return Parted(
        _joined([part for final, part in parts if not final]), _joined(answers), not answers
    )


def _until_end(part: str) -> str:
    return re.split(r"<\|(?:end|return|start|call)\|>", part, maxsplit=1)[0]


def _joined(pieces: list[str]) -> str:
    return "\n".join(stripped for piece in pieces if (stripped := piece.strip()))
