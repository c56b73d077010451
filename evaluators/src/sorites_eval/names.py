"""Names that were not recognised: which one was meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["did_you_mean"]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint that ends a message about an unknown name.

    >>> did_you_mean("entailmnt", ["entailment", "premise-selection"])
    'Did you mean "entailment"? There are: entailment, premise-selection.'
    >>> did_you_mean("xyz", ["entailment", "premise-selection"])
    'There are: entailment, premise-selection.'
    """
    choices = sorted(known)
    if not choices:
        return "There are none."
    listing = f"There are: {', '.join(choices[:30])}{', …' if len(choices) > 30 else ''}."
    near = get_close_matches(name[:100], choices, n=1)
    return f'Did you mean "{near[0]}"? {listing}' if near else listing
