"""Answers as they come, kept so that a run that stops can go on where it was.

Each answer is one line of JSON under a key that is a hash of everything that could change
it: release content, task, item, view, repeat, prompt text, and the model's identity. An answer is
found again only if all of that is the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sorites_eval.backends.protocol import Choice, Ended, Reply, Usage
from sorites_eval.contract.tasks import Scalar
from sorites_eval.files import write_text
from sorites_eval.prompts.requests import Request

__all__ = ["Journal", "answer_key", "read_answers", "write_answers"]

_UNTOLD = (None, "", Ended.STOP)
"""What a line leaves out, as most replies have it."""


def answer_key(content: str, task: str, identity: Mapping[str, Scalar], request: Request) -> str:
    """The key of one answer; ``content`` is the hash of all rows of the release."""
    parts: list[object] = [
        content,
        task,
        dict(identity),
        request.id,
        request.view,
        request.digest(),
    ]
    if request.repeat:
        parts.append(request.repeat)
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


class Journal:
    """An open file that answers are appended to, each complete before the next begins."""

    def __init__(self, path: Path) -> None:
        _drop_torn_line(path)
        self._stream = path.open("a", encoding="utf-8")

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Journal]:
        """A journal that is closed at the end, whatever happens."""
        journal = cls(path)
        try:
            yield journal
        finally:
            journal._stream.close()

    def add(self, key: str, reply: Reply) -> None:
        """Write one answer, so that not even a killed process loses it."""
        self._stream.write(_line(key, reply))
        self._stream.flush()


def read_answers(path: Path) -> dict[str, Reply]:
    """The answers in a journal by key; of a line that a crash cut short, nothing."""
    answers: dict[str, Reply] = {}
    if not path.exists():
        return answers
    with path.open(encoding="utf-8") as stream:
        for line in stream:
            try:
                entry = json.loads(line)
                answers[entry["key"]] = _reply(entry)
            except (ValueError, KeyError, TypeError):
                continue
    return answers


def write_answers(path: Path, answers: Mapping[str, Reply]) -> None:
    """Write a journal anew, whole or not at all: it may hold answers that were paid for."""
    write_text(path, "".join(_line(key, reply) for key, reply in answers.items()))


def _line(key: str, reply: Reply) -> str:
    told = {name: value for name, value in asdict(reply).items() if value not in _UNTOLD}
    entry = {"key": key, "text": reply.text, **told}
    return json.dumps(entry, ensure_ascii=True) + "\n"


def _reply(entry: Mapping[str, Any]) -> Reply:
    return Reply(
        entry["text"],
        Choice(**entry["choice"]) if "choice" in entry else None,
        thought=entry.get("thought", ""),
        ended=Ended(entry.get("ended", Ended.STOP)),
        trouble=entry.get("trouble", ""),
        usage=Usage(**entry["usage"]) if "usage" in entry else None,
    )


def _drop_torn_line(path: Path) -> None:
    if not path.exists():
        return
    with path.open("r+b") as stream:
        content = stream.read()
        stream.truncate(content.rfind(b"\n") + 1)
