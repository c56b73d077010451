"""Characters that no spec and no name may hold: they hide, reorder or break what a person reads."""

from __future__ import annotations

import re

__all__ = ["find_hidden", "name_of"]

# C0 and C1 controls, line and paragraph separators, the bidirectional overrides and isolates
# that make text read differently from what it is (CVE-2021-42574), a byte order mark inside
# text, surrogates and noncharacters. Tab and line feed are for the caller to decide.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\ud800-\udfff]"
)


def find_hidden(text: str, *, allowed: str = "") -> int | None:
    """The position of the first hidden or control character that is not in ``allowed``."""
    for match in _HIDDEN.finditer(text):
        if match.group() not in allowed:
            return match.start()
    return None


def name_of(character: str) -> str:
    """A character as Unicode writes its number: ``U+0007``.

    >>> name_of(chr(7))
    'U+0007'
    """
    return f"U+{ord(character):04X}"
