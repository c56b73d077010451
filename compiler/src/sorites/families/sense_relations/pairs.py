"""A lexicon's relations → sense pairs, each once and in one direction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from wn.constants import REVERSE_RELATIONS

from sorites.errors import SourceError
from sorites.families.sense_relations.plan import Relation
from sorites.sources.lexicons.cygnet import EARLIER_NAMES
from sorites.sources.lexicons.lexicon import Lexicon, Related, ili_order

__all__ = ["Extraction", "SensePair", "sense_pairs"]


@dataclass(frozen=True, slots=True)
class SensePair:
    """Two concepts and how the second is related to the first.

    ``types`` are the relation types of the lexicon that say so, sorted.
    """

    relation: str
    label: str
    first: str
    second: str
    types: tuple[str, ...]

    @property
    def id(self) -> str:
        """A name for the pair that stays the same from version to version."""
        return f"{self.relation}-{self.first}-{self.second}"

    @property
    def ends(self) -> frozenset[str]:
        """The two concepts."""
        return frozenset((self.first, self.second))


@dataclass(frozen=True, slots=True)
class Extraction:
    """The pairs of all relations in the spec's order, each relation's sorted by ILI.

    Left out and counted by relation: concepts related to themselves, and pairs that an
    asymmetric relation holds both ways round, which have no right label.
    """

    pairs: tuple[SensePair, ...]
    reflexive: Mapping[str, int]
    both_ways: Mapping[str, int]


def sense_pairs(lexicon: Lexicon, relations: Sequence[Relation], *, where: str) -> Extraction:
    """Read the relations of a spec from a lexicon.

    A relation that the lexicon states only from the other end (a part's whole, but not the
    whole's part) is found all the same, through WN-LMF's reverse of its type.

    Raises SourceError for a relation none of whose types the lexicon has.
    """
    pairs: list[SensePair] = []
    reflexive: dict[str, int] = {}
    both_ways: dict[str, int] = {}
    for relation in relations:
        types = _types_by_pair(lexicon, relation)
        if not types:
            raise SourceError(_absent(lexicon, relation, where))
        loops = {ends for ends in types if ends[0] == ends[1]}
        reflexive[relation.name] = len(loops)
        kept = {ends: names for ends, names in types.items() if ends not in loops}
        if relation.symmetric:
            kept = _unordered(kept)
            both_ways[relation.name] = 0
        else:
            mutual = {ends for ends in kept if ends[::-1] in kept}
            both_ways[relation.name] = len(mutual) // 2
            kept = {ends: names for ends, names in kept.items() if ends not in mutual}
        pairs.extend(_directed(relation, kept))
    return Extraction(tuple(pairs), reflexive, both_ways)


_Types = dict[tuple[str, str], set[str]]


def _types_by_pair(lexicon: Lexicon, relation: Relation) -> _Types:
    types: _Types = defaultdict(set)
    sources: tuple[tuple[Related, Iterable[str]], ...] = (
        (lexicon.synset_relations, relation.synset_types),
        (lexicon.sense_relations, relation.sense_types),
    )
    for related, names in sources:
        for given in names:
            name = EARLIER_NAMES.get(given, given)
            for ends in related.get(name, ()):
                types[ends].add(name)
            reverse = REVERSE_RELATIONS.get(name)
            if reverse is not None:
                for first, second in related.get(reverse, ()):
                    types[second, first].add(name)
    return types


def _unordered(types: _Types) -> _Types:
    merged: _Types = defaultdict(set)
    for (first, second), names in types.items():
        low, high = sorted((first, second), key=ili_order)
        merged[low, high] |= names
    return merged


def _directed(relation: Relation, types: _Types) -> Iterator[SensePair]:
    for first, second in sorted(types, key=lambda ends: (ili_order(ends[0]), ili_order(ends[1]))):
        names = tuple(sorted(types[first, second]))
        if relation.direction != "backward":
            yield SensePair(relation.name, relation.label, first, second, names)
        if relation.direction != "forward":
            yield SensePair(relation.name, relation.inverse, second, first, names)


def _absent(lexicon: Lexicon, relation: Relation, where: str) -> str:
    wanted = ", ".join((*relation.synset_types, *relation.sense_types))
    synset_level = ", ".join(sorted(lexicon.synset_relations)) or "none"
    sense_level = ", ".join(sorted(lexicon.sense_relations)) or "none"
    return (
        f"{where}: has no relation of the types of '{relation.name}' ({wanted}); between synsets "
        f"it has: {synset_level}; between senses: {sense_level}; correct `synset_types` or "
        "`sense_types`"
    )
