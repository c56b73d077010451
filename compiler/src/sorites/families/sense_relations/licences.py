"""Licences merged: which licence a release may bear that is made of several wordnets.

The table says, for each licence, under which licences a work that adapts the licensed one may
be released. It follows the licences' own compatibility clauses (Creative Commons' list of
compatible licences; GNU's list of licences) and is not legal advice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from sorites.errors import SoritesError

__all__ = ["LICENCES", "NAMES", "IncompatibleLicences", "compatible", "merge_licences"]

_FREE_TO_ADAPT = (
    "cc0-1.0",
    "unlicense",
    "mit",
    "bsd-2-clause",
    "bsd-3-clause",
    "wordnet",
    "wordnet-ja",
    "apache-2.0",
    "odc-by",
    "cc-by-3.0",
    "cc-by-4.0",
)
_SHARE_ALIKE: Mapping[str, frozenset[str]] = {
    "cc-by-sa-3.0": frozenset({"cc-by-sa-3.0", "cc-by-sa-4.0", "gpl-3.0", "agpl-3.0"}),
    "cc-by-sa-4.0": frozenset({"cc-by-sa-4.0", "gpl-3.0", "agpl-3.0"}),
    "odbl": frozenset({"odbl"}),
    "lgpl-3.0": frozenset({"lgpl-3.0", "gpl-3.0", "agpl-3.0"}),
    "gpl-3.0": frozenset({"gpl-3.0", "agpl-3.0"}),
    "agpl-3.0": frozenset({"agpl-3.0"}),
    "cc-by-nc-3.0": frozenset(
        {"cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"}
    ),
    "cc-by-nc-4.0": frozenset({"cc-by-nc-4.0", "cc-by-nc-sa-4.0"}),
    "cc-by-nc-sa-3.0": frozenset({"cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0"}),
    "cc-by-nc-sa-4.0": frozenset({"cc-by-nc-sa-4.0"}),
    "cc-by-nd-4.0": frozenset(),
    "cc-by-nc-nd-4.0": frozenset(),
}

LICENCES: tuple[str, ...] = (*_FREE_TO_ADAPT, *_SHARE_ALIKE)
"""Every licence that is known, from the laxest to the strictest."""

NAMES: Mapping[str, str] = {
    "apache-2.0": "Apache 2.0",
    "cc0-1.0": "CC0 1.0",
    "mit": "MIT",
    "wordnet": "WordNet licence",
    "wordnet-ja": "Japanese WordNet licence",
}
"""Names for people, where upper case does not do."""


class IncompatibleLicences(SoritesError):
    """Wordnets whose licences allow no common release."""


def compatible(licence: str) -> frozenset[str]:
    """The licences that a release may bear which adapts a work under ``licence``."""
    if licence in _SHARE_ALIKE:
        return _SHARE_ALIKE[licence]
    laxest = LICENCES.index(licence)
    return frozenset(
        each for each in LICENCES[laxest:] if each not in ("cc-by-nd-4.0", "cc-by-nc-nd-4.0")
    )


def merge_licences(works: Sequence[tuple[str, str]]) -> tuple[str, frozenset[str]]:
    """The laxest licence that all works allow, and every licence that they allow.

    ``works`` are (name, licence). Raises IncompatibleLicences, naming the two that clash or the
    one that forbids adaptations.

    >>> merge_licences([("A", "cc-by-4.0"), ("B", "cc-by-sa-4.0"), ("C", "apache-2.0")])[0]
    'cc-by-sa-4.0'
    """
    for name, licence in works:
        if not compatible(licence):
            raise IncompatibleLicences(
                f"'{name}' is under {name_of(licence)}, which allows no adapted work to be "
                "released; leave it out"
            )
    for (name, licence), (other, others) in combinations(works, 2):
        if not compatible(licence) & compatible(others):
            raise IncompatibleLicences(
                f"'{name}' ({name_of(licence)}) and '{other}' ({name_of(others)}) cannot be "
                "released together: no licence is allowed by both; leave one of them out"
            )
    allowed = frozenset.intersection(*(compatible(licence) for _, licence in works))
    if not allowed:
        listed = ", ".join(f"'{name}' ({name_of(licence)})" for name, licence in works)
        raise IncompatibleLicences(f"no licence is allowed by all of {listed}; leave one out")
    return min(allowed, key=LICENCES.index), allowed


def name_of(licence: str) -> str:
    """A licence's name for people.

    >>> name_of("cc-by-sa-4.0"), name_of("wordnet")
    ('CC BY-SA 4.0', 'WordNet licence')
    """
    if licence in NAMES:
        return NAMES[licence]
    if licence.startswith("cc-by"):
        parts = licence.removeprefix("cc-").upper().split("-")
        return f"CC {'-'.join(parts[:-1])} {parts[-1]}"
    return licence.upper()
