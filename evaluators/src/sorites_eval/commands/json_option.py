"""Options that take a JSON object."""

from __future__ import annotations

import json

from sorites_eval.errors import RunError

__all__ = ["json_object"]

_MOST = 10_000


def json_object(text: str, option: str) -> dict[str, object]:
    """The object that an option gives; RunError, naming the option, for anything else."""
    if len(text) > _MOST:
        raise RunError(f"{option}: {len(text)} characters; at most {_MOST} are read.")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RunError(f"{option}: not valid JSON: {error}.") from error
    if not isinstance(found, dict):
        raise RunError(f'{option}: must be a JSON object, such as {{"key": 1}}.')
    return found
