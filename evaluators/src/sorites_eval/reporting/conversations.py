"""What a model was told before a question: system text and worked examples.

A run keeps the hash of each conversation and not its text. The text is rendered again from the
release, and counts only where the hash is the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sorites_eval.contract.release import Release, open_release
from sorites_eval.errors import SoritesError
from sorites_eval.prompts.requests import Message, Request, ask, prepare
from sorites_eval.running.finished import Run

__all__ = ["before_questions"]


def before_questions(run: Run, release: Release | None = None) -> Mapping[str, Sequence[Message]]:
    """For the hash of each conversation of a run, its turns before the question.

    Empty if the release is no longer where the run found it, or holds other rows now: what was
    asked is then not known. A release on the Hub is not fetched; give it as ``release``.
    """
    wanted = {str(row["prompt_sha256"]) for row in run.rows}
    found: dict[str, Sequence[Message]] = {}
    try:
        release = release or _on_disk(run)
        if release is None or release.content != run.content:
            return {}
        ids = {str(row["id"]) for row in run.rows}
        items = [item for item in prepare(release, run.task) if item.id in ids]
        for request in ask(release, run.task, run.setting, items):
            request = _as_asked(run, request)
            digest = request.digest()
            if digest in wanted:
                found[digest] = request.messages[:-1]
    except SoritesError:
        # A page about a run must not fail for a release that was changed since.
        return found
    return found


def _on_disk(run: Run) -> Release | None:
    told = run.about["release"]
    origin = str(told.get("origin") or "") if isinstance(told, dict) else ""
    return open_release(origin) if origin and Path(origin).is_dir() else None


def _as_asked(run: Run, request: Request) -> Request:
    """The request with a system text of the user's own in front, where the run had one."""
    model = run.about["model"]
    own = model.get("system_prompt") if isinstance(model, dict) else None
    if not isinstance(own, str) or not own:
        return request
    first, *others = request.messages
    if first.role == "system":
        turns = (Message("system", f"{own}\n\n{first.content}"), *others)
    else:
        turns = (Message("system", own), *request.messages)
    return replace(request, messages=turns)
