"""The core schema of YAML 1.2.2 (section 10.3.2): which plain texts are numbers, true or null.

ruamel.yaml's own resolver also knows the dates, merge keys and underscores of YAML 1.1, none
of which JSON has.
"""

from __future__ import annotations

import math
import re

__all__ = ["LIST_TAGS", "MAPPING_TAGS", "SCALAR_TAGS", "NotJson", "resolve", "show_tag"]

_CORE = "tag:yaml.org,2002:"
_UNSPECIFIC = "!"
_TYPES: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "null": (type(None),),
}

SCALAR_TAGS = frozenset({_UNSPECIFIC, _CORE + "str", *(_CORE + name for name in _TYPES)})
LIST_TAGS = frozenset({_UNSPECIFIC, _CORE + "seq"})
MAPPING_TAGS = frozenset({_UNSPECIFIC, _CORE + "map"})

_NULL = re.compile(r"null|Null|NULL|~|")
_BOOL = re.compile(r"true|True|TRUE|false|False|FALSE")
_INT = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_LONGEST_NUMBER = 40
_QUOTE = "Write it in quotes if it is text."


class NotJson(ValueError):
    """A scalar that JSON cannot hold, or that is not what its tag says."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.hint = hint
        super().__init__(message)


def show_tag(tag: str) -> str:
    """A tag as it is written.

    >>> show_tag("tag:yaml.org,2002:str")
    '!!str'
    """
    return "!!" + tag.removeprefix(_CORE) if tag.startswith(_CORE) else f"!<{tag}>"


def resolve(text: str, tag: str | None, *, plain: bool) -> bool | int | float | str | None:
    """The value of a scalar with one of SCALAR_TAGS or none; ``plain``: without quotes.

    Raises NotJson for numbers that are infinite, not a number, or beyond 64 bits.
    """
    if tag is None:
        return _plain(text) if plain else text
    kind = tag.removeprefix(_CORE)
    if kind not in _TYPES:
        return text
    value = _plain(text)
    # To Python, true is a whole number.
    if not isinstance(value, _TYPES[kind]) or (isinstance(value, bool) and kind != "bool"):
        raise NotJson(f"this is not a value of the tag {show_tag(tag)}")
    return value


def _plain(text: str) -> bool | int | float | str | None:
    if _NULL.fullmatch(text):
        return None
    if _BOOL.fullmatch(text):
        return text[0] in "tT"
    whole = _INT.fullmatch(text)
    if whole or _FLOAT.fullmatch(text):
        if len(text) <= _LONGEST_NUMBER:
            number = int(text, _radix(text)) if whole else float(text)
            if math.isfinite(number) and (not whole or -(2**63) <= number < 2**63):
                return number
        raise NotJson("a number out of range", _QUOTE)
    if _INFINITE.fullmatch(text):
        raise NotJson(f"{text} is not a number that JSON has", _QUOTE)
    return text


def _radix(text: str) -> int:
    return {"0o": 8, "0x": 16}.get(text[:2], 10)
