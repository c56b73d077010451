"""No two items of a release say the same: of two schemes the first keeps what both have made."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import replace

from sorites.families.argument_schemes.making.arguments import Pair, SchemeArguments, content

__all__ = ["said_once"]

More = Callable[[SchemeArguments, Iterable[Hashable]], SchemeArguments]
"""Makes more pairs for a scheme, none of which says what is said already."""


def said_once(
    made: Sequence[SchemeArguments], wanted: int, more: More, before: Sequence[Pair] = ()
) -> list[SchemeArguments]:
    """Without the pairs whose open argument another scheme has made before, or is ``before``.

    A scheme that has fewer than ``wanted`` for that reason gets others in their place.
    """
    seen: set[tuple[bool, Hashable]] = set()
    _new(before, seen)
    done = []
    for scheme in made:
        new = _new(scheme.pairs, seen)
        if len(new) < min(wanted, len(scheme.pairs)):
            said = [what for opposed, what in seen if not opposed]
            found = more(replace(scheme, pairs=tuple(new)), said)
            new += _new(found.pairs[len(new) :], seen)
        done.append(replace(scheme, pairs=tuple(new)))
    return done


def _new(pairs: Sequence[Pair], seen: set[tuple[bool, Hashable]]) -> list[Pair]:
    """Those of the pairs that say what none has said; takes note of it."""
    kept = []
    for pair in pairs:
        other = pair.other
        said = pair.opposed, content((*other.premises, other.core), other.binding)
        if said not in seen:
            seen.add(said)
            kept.append(pair)
    return kept
