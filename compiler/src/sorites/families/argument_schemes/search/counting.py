"""How many bindings of a scheme an ontology holds, as far as little work tells."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from sorites.families.argument_schemes.search.bindings import Steps
from sorites.families.argument_schemes.search.conditions import Conditions
from sorites.families.argument_schemes.search.sampling import Identity
from sorites.families.argument_schemes.search.spaces import Spaces

__all__ = ["MOST_BINDINGS", "Count", "count_bindings"]

MOST_BINDINGS = 1_000
"""Bindings after which a count stops: more than any scheme needs."""

MOST_STEPS = 20_000
"""Partial bindings that a count visits, in all domains together."""

_STEPS_OF_A_DOMAIN = 200


@dataclass(frozen=True, slots=True)
class Count:
    """Bindings over distinct sets of members; there may be more unless it is ``complete``."""

    bindings: int
    complete: bool

    def __str__(self) -> str:
        return f"{self.bindings:,}" if self.complete else f"{self.bindings:,} or more"


def count_bindings(
    spaces: Spaces, identity: Identity, wanted: Conditions, random: Random, *, local: bool
) -> Count:
    """Count the bindings that a compile would tell apart, in the whole domain or in local ones."""
    found: set[tuple[object, ...]] = set()
    domains = spaces.domains(local=local)
    complete = True
    each = max(_STEPS_OF_A_DOMAIN, MOST_STEPS // max(len(domains), 1))
    for domain in domains[: MOST_STEPS // each]:
        search = spaces.search(domain, wanted)
        if search.exhausted:
            continue
        for binding in search.all(random, Steps(each)):
            found.add(identity.key(binding))
            if len(found) >= MOST_BINDINGS:
                return Count(len(found), complete=False)
        complete = complete and not search.cut_short
    return Count(len(found), complete and len(domains) <= MOST_STEPS // each)
