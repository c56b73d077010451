"""Licences: which one a release may have that is made of several works, and where each is read.

The table says, for each licence, under which licences a work that adapts the licensed one may
be released. It follows the licences' own compatibility clauses (Creative Commons' list of
compatible licences; GNU's list of licences) and is not legal advice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from sorites.errors import Problem, SoritesError
from sorites.specfile.model import Spec

__all__ = [
    "LICENCES",
    "NAMES",
    "IncompatibleLicences",
    "compatible",
    "licence_problems",
    "licence_url",
    "merge_licences",
    "name_of",
]

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
    "cc-by-nd-3.0": frozenset(),
    "cc-by-nd-4.0": frozenset(),
    "cc-by-nc-nd-3.0": frozenset(),
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
    """Works whose licences allow no common release."""


def compatible(licence: str) -> frozenset[str]:
    """The licences that a release may bear which adapts a work under ``licence``."""
    if licence in _SHARE_ALIKE:
        return _SHARE_ALIKE[licence]
    laxest = LICENCES.index(licence)
    return frozenset(each for each in LICENCES[laxest:] if _SHARE_ALIKE.get(each) != frozenset())


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


def licence_problems(spec: Spec, *, adapted: bool = True) -> Iterator[Problem]:
    """Sources whose licences do not allow the licence of the release.

    A source that the spec calls ``separate`` is only collected with the rows of the release, as a
    config of its own, and keeps its licence. Of a licence that is not in the table nothing is
    known: it is for the spec's author to look at. A source that allows no adapted work is no
    problem where the spec is of use without one (``adapted`` is not set).
    """
    for name, pin in spec.sources.items():
        if pin.separate or pin.license not in LICENCES or spec.license in compatible(pin.license):
            continue
        if not adapted and not compatible(pin.license):
            continue
        allowed = [each for each in LICENCES if each in compatible(pin.license)]
        yield spec.document.problem(
            ("license",),
            f"{spec.license} is not a licence that the source {name} allows, which is under "
            f"{name_of(pin.license)}",
            f"it allows: {', '.join(allowed)}"
            if allowed
            else "it allows no adapted work to be released: leave the source out",
        )


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


_CREATIVE_COMMONS = re.compile(r"cc-(by(?:-nc)?(?:-sa|-nd)?)-(\d\.\d)", re.ASCII)

_URLS: Mapping[str, str] = {
    "apache-2.0": "https://www.apache.org/licenses/LICENSE-2.0",
    "bsd-2-clause": "https://opensource.org/license/bsd-2-clause",
    "bsd-3-clause": "https://opensource.org/license/bsd-3-clause",
    "cc0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "cdla-permissive-2.0": "https://cdla.dev/permissive-2-0/",
    "gpl-3.0": "https://www.gnu.org/licenses/gpl-3.0.html",
    "mit": "https://opensource.org/license/mit",
    "odbl": "https://opendatacommons.org/licenses/odbl/1-0/",
    "odc-by": "https://opendatacommons.org/licenses/by/1-0/",
    "pddl": "https://opendatacommons.org/licenses/pddl/1-0/",
}


def licence_url(licence: str) -> str | None:
    """The address of a licence's text, or None for one that is not known here.

    >>> licence_url("cc-by-sa-4.0")
    'https://creativecommons.org/licenses/by-sa/4.0/'
    """
    match = _CREATIVE_COMMONS.fullmatch(licence)
    if match:
        return f"https://creativecommons.org/licenses/{match[1]}/{match[2]}/"
    return _URLS.get(licence)
