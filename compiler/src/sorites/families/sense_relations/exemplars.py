"""The sense pairs that a prompt shows as examples, and what they take out of the items."""

from __future__ import annotations

from collections.abc import Sequence

from sorites.errors import SourceError
from sorites.families.sense_relations.pairs import SensePair
from sorites.families.sense_relations.plan import Relation
from sorites.seeds import random_for

__all__ = ["choose_exemplars", "without_shared_synsets"]


def choose_exemplars(
    pairs: Sequence[SensePair],
    relations: Sequence[Relation],
    each_label: int,
    seed: int,
    *,
    where: str,
) -> list[SensePair]:
    """Draw sense pairs for every label, in the order label, inverse of each relation.

    A pair for the inverse label is a pair of the relation turned round. No two exemplars share a
    concept. The draw depends on the seed and the pairs alone.

    Raises SourceError when a relation has too few pairs.
    """
    chosen: list[SensePair] = []
    taken: set[str] = set()
    for relation in relations:
        for label in dict.fromkeys((relation.label, relation.inverse)):
            candidates = [pair for pair in pairs if pair.relation == relation.name]
            random_for(seed, "exemplars", label, separator="\0").shuffle(candidates)
            drawn: list[SensePair] = []
            for pair in candidates:
                if len(drawn) < each_label and not pair.ends & taken:
                    drawn.append(pair if pair.label == label else _turned(pair, label))
                    taken |= pair.ends
            if len(drawn) < each_label:
                raise SourceError(
                    f"{where}: the relation '{relation.name}' has too few pairs for "
                    f"{each_label} exemplar(s) of the label '{label}' that share no synset with "
                    "the others; lower `exemplars.each_label`"
                )
            chosen.extend(drawn)
    return chosen


def without_shared_synsets(
    pairs: Sequence[SensePair], exemplars: Sequence[SensePair]
) -> list[SensePair]:
    """The pairs that have no concept in common with an exemplar."""
    shown = frozenset[str]().union(*(pair.ends for pair in exemplars))
    return [pair for pair in pairs if not pair.ends & shown]


def _turned(pair: SensePair, label: str) -> SensePair:
    return SensePair(pair.relation, label, pair.second, pair.first, pair.types)
