"""A written reply as it is scored: without its thought, and aware of where it was cut off."""

from __future__ import annotations

from dataclasses import replace

from sorites_eval.scoring.answers import Outcome, Reader, Reading
from sorites_eval.scoring.reasoning import LastAnswer
from sorites_eval.scoring.thought import part_thought

__all__ = ["read_answer_text", "read_reply_text"]


def read_reply_text(reader: Reader | LastAnswer, text: str, *, cut_off: bool = False) -> Reading:
    """Read all that a model wrote, thought included; ``cut_off`` if it met its limit of tokens.

    A thought that is still open at the end was cut off too.

    >>> read_reply_text(LastAnswer(["yes", "no"], Reader(["yes", "no"])), "<think>no</think>yes")
    Reading(outcome=<Outcome.ANSWER: 'answered'>, label='yes', selection=None)
    """
    parted = part_thought(text)
    shown = "" if parted.unfinished else parted.answer
    return read_answer_text(reader, shown, cut_off=cut_off or parted.unfinished)


def read_answer_text(reader: Reader | LastAnswer, text: str, *, cut_off: bool) -> Reading:
    """Read what a model wrote outside its thought.

    One that met its limit of tokens before there was an answer was cut off; a selection that
    reaches to where it was cut is unreadable.
    """
    reading = reader.read(text)
    if not cut_off:
        return reading
    # What a chain of thought says of a label before it is cut off is on the way to an answer.
    if reading.label is None or isinstance(reader, LastAnswer):
        return Reading(Outcome.CUT_OFF)
    if reading.selection and text.rstrip().endswith(tuple("0123456789")):
        return replace(reading, selection=None)
    return reading
