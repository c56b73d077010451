"""Names that are not known: which one was meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["closest", "did_you_mean"]

_LISTED = 12
_LONGEST = 100
"""Characters of a name that are compared: the time that it takes grows with their square."""


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that another one is most like, None if it is like none.

    >>> closest("premise", ["premises", "conclusion"])
    'premises'
    """
    found = difflib.get_close_matches(name[:_LONGEST], sorted(known), n=1)
    return found[0] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint for a name that is not known: the closest that is, or the first of all.

    >>> did_you_mean("premise", ["premises", "conclusion"])
    'did you mean "premises"?'
    >>> did_you_mean("xyz", ["premises", "conclusion"])
    'known: conclusion, premises'
    """
    choices = sorted(known)
    if (meant := closest(name, choices)) is not None:
        return f'did you mean "{meant}"?'
    listed = ", ".join(choices[:_LISTED]) + (", …" if len(choices) > _LISTED else "")
    return f"known: {listed}" if choices else ""
