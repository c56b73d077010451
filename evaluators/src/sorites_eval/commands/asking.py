"""What a command says of how a model is asked, as values."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from sorites_eval.errors import RunError

__all__ = ["added_fields", "system_text"]

LONGEST = 100_000
"""Characters of a system prompt."""


def added_fields(pairs: Sequence[str]) -> tuple[tuple[str, object], ...]:
    """Fields of a request from ``KEY=JSON``; RunError for one that is not of that form.

    >>> added_fields(["top_k=1", 'provider={"order": ["x"]}'])
    (('top_k', 1), ('provider', {'order': ['x']}))
    """
    fields: dict[str, object] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        try:
            if not key.strip() or not equals:
                raise ValueError
            fields[key.strip()] = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RunError(
                f"--add-field {pair}: not of the form KEY=JSON. Text needs quotes of its own: "
                f"--add-field '{key.strip() or 'key'}=\"text\"'."
            ) from error
    return tuple(fields.items())


def system_text(given: str | None) -> str:
    """The system prompt that an option gives: the content of a file of that name, or the text."""
    if given is None:
        return ""
    try:
        path = Path(given)
        text = path.read_text(encoding="utf-8") if path.is_file() else given
    except UnicodeDecodeError as error:
        raise RunError(f"--system-prompt {given}: the file is not UTF-8 text.") from error
    except (OSError, ValueError):
        text = given
    if len(text) > LONGEST:
        raise RunError(f"--system-prompt: {len(text):,} characters; at most {LONGEST:,} are taken.")
    return text.strip()
