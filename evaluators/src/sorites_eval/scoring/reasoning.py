"""The answer at the end of a chain of thought that is part of the reply itself."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sorites_eval.scoring.answers import Reader, Reading

__all__ = ["LastAnswer"]

_SENTENCE = re.compile(r"\n+|(?<=[.!?])\s+")


class LastAnswer:
    """Reads the last thing that a reply says of any label, as the reader of replies reads it.

    Where a model was asked to think aloud, what it says of the labels on the way is no answer.
    What counts is the text from the last sentence that names a label to the end. If that is no
    answer (a doubt, a question), there is none: an earlier one was taken back.

    >>> last = LastAnswer(["True", "False"], Reader(["True", "False"]))
    >>> last.read("If P1 is true, so is C. P2 may be false.\\nAnswer: True").label
    'True'
    >>> last.read("Answer: True\\nWait, is it false?").label is None
    True
    """

    def __init__(self, labels: Iterable[str], reader: Reader) -> None:
        self._reader = reader
        words = sorted(labels, key=len, reverse=True)
        # A label of one letter is one only in its own case, as for the reader.
        parts = [re.escape(w) if len(w) == 1 else f"(?i:{re.escape(w)})" for w in words]
        self._label = re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?!\w)")

    def read(self, text: str) -> Reading:
        """The last answer in a text, if it is one."""
        starts = [0, *(found.end() for found in _SENTENCE.finditer(text))]
        ends = [*starts[1:], len(text)]
        for start, end in zip(reversed(starts), reversed(ends), strict=True):
            if self._label.search(text, start, end):
                return self._reader.read(text[start:])
        return self._reader.read(text)
