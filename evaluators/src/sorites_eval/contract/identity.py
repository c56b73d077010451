"""What a release is called: its name and its version, read strictly wherever they come from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sorites_eval.errors import SoritesError

__all__ = ["InvalidIdentity", "Version", "parse_name", "parse_version"]

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z", re.ASCII)
_VERSION = re.compile(r"(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\Z", re.ASCII)
_LONGEST_NAME = 64


class InvalidIdentity(SoritesError):
    """A name or a version that no release can have."""


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """A version of a release, in the order of its numbers (Semantic Versioning 2.0.0).

    >>> Version(1, 9, 0) < Version(1, 10, 0)
    True
    """

    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


def parse_version(text: str) -> Version:
    """A version from its text: three numbers in ASCII digits, without leading zeros.

    Raises InvalidIdentity.

    >>> parse_version("1.10.0")
    Version(major=1, minor=10, patch=0)
    """
    match = _VERSION.match(text)
    if match is None:
        raise InvalidIdentity(
            f"{_shown(text)} is not a version: write three numbers with dots, such as 1.0.0."
        )
    return Version(int(match[1]), int(match[2]), int(match[3]))


def parse_name(text: str) -> str:
    """The name of a release, if it can be one, unchanged. Raises InvalidIdentity.

    >>> parse_name("syllobio-nli")
    'syllobio-nli'
    """
    if len(text) > _LONGEST_NAME or not _NAME.match(text):
        raise InvalidIdentity(
            f"{_shown(text)} is not the name of a release: write lower-case letters and digits, in "
            f"parts joined by single hyphens, at most {_LONGEST_NAME} characters."
        )
    return text


def _shown(text: str) -> str:
    """Text as a message may show it: short, and with what is invisible made visible."""
    return ascii(text if len(text) <= 100 else f"{text[:100]}…")
