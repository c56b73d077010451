"""JSON in one canonical form, so that equal values have equal bytes and equal digests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

__all__ = ["Json", "digest", "json_file", "json_line"]

Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"


def json_line(value: Json) -> str:
    """A value on one line: sorted keys, no spaces, no escapes beyond those JSON needs."""
    return json.dumps(
        value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def json_file(value: Json) -> str:
    """A value as the content of a file: sorted keys, two spaces of indent, a final newline."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def digest(value: Json) -> str:
    """SHA-256, in hexadecimal, of the canonical form of a value."""
    return hashlib.sha256(json_line(value).encode()).hexdigest()
