"""Characters that hide or reorder what a person reads, and when two texts look alike."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["find_hidden", "fold", "name_of", "shown", "tidy"]

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


# Soft hyphen, zero-width space, word joiner and invisible operators, directional marks: what
# has no width of its own. The joiners U+200C and U+200D shape letters in some scripts, and stay.
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff]")
_SPACES = re.compile(r"\s+")
_BREAKS = re.compile("\\s*[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029]\\s*")


def shown(text: str) -> str:
    """A text as it is seen: a break of lines is a space, and what is hidden is not there.

    >>> shown("a" + chr(10) + "  b" + chr(27) + "c")
    'a bc'
    """
    # What Python calls printable holds nothing that is hidden, and is told much faster.
    if text.isprintable() or find_hidden(text) is None:
        return text
    return _HIDDEN.sub("", _BREAKS.sub(" ", text))


def tidy(name: str) -> str:
    """A name as people mean it: composed (NFC), without invisible characters, spaces joined.

    >>> tidy(" Lung\u00ad  cancer")
    'Lung cancer'
    """
    return _SPACES.sub(" ", unicodedata.normalize("NFC", _INVISIBLE.sub("", name))).strip()


def fold(text: str) -> str:
    """A text as a reader tells it from others: case, invisible characters and joiners are gone.

    Spaces at the ends stay, one each, so that what is folded part by part is folded whole.

    >>> fold("Stra\u00dfe  in") == fold("STRASSE\u200b in")
    True
    """
    composed = unicodedata.normalize("NFC", text)
    shown = re.sub("[\u200c\u200d]", "", _INVISIBLE.sub("", composed))
    return _SPACES.sub(" ", unicodedata.normalize("NFC", shown.casefold()))
