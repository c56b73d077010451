"""Which codes name the same language: ISO 639 has two or three for many, and variants add more.

The table of codes is that of ``langcodes`` (IANA's registry and CLDR's aliases); no network.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from langcodes import standardize_tag
from langcodes.tag_parser import LanguageTagError

__all__ = ["Match", "base_language", "matcher", "standard_code"]


@dataclass(frozen=True, slots=True)
class Match:
    """The language asked for that a code stands for; ``exact`` unless it is a variant of it."""

    language: str
    exact: bool


@cache
def standard_code(code: str) -> str:
    """The shortest code of the same language and variant (BCP 47); what is no code stays as it is.

    >>> standard_code("jpn"), standard_code("eng_gb"), standard_code("cmn-Hans")
    ('ja', 'en-GB', 'cmn-Hans')
    """
    try:
        return standardize_tag(code)
    except LanguageTagError:
        return code


@cache
def base_language(code: str) -> str:
    """The standard code of a language without its script, region and variant.

    >>> base_language("ron"), base_language("pt-BR")
    ('ro', 'pt')
    """
    return standard_code(code).partition("-")[0]


def matcher(languages: Sequence[str]) -> Callable[[str], Match | None]:
    """A function from a code to the one of ``languages`` that it stands for, or None.

    A variant stands for the nearest language above it: ``en-GB`` for ``en``, unless ``en-GB`` is
    asked for itself.

    >>> match = matcher(["ja", "en"])
    >>> match("jpn"), match("en-GB"), match("el")
    (Match(language='ja', exact=True), Match(language='en', exact=False), None)
    """
    wanted = {standard_code(language): language for language in languages}

    @cache
    def match(code: str) -> Match | None:
        tag = standard = standard_code(code)
        while tag and tag not in wanted:
            tag = tag.rpartition("-")[0]
        return Match(wanted[tag], tag == standard) if tag else None

    return match
