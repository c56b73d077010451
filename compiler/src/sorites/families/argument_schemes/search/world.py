"""An ontology as numbers, and the domains of discourse that it has.

The domain is the whole ontology or the members of one class. Classes with the same members in
the domain are one row: no argument may bind two of them, whatever they are called.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sorites.characters import fold
from sorites.families.argument_schemes.search.memberships import (
    Integers,
    Memberships,
    Positions,
    compressed,
)
from sorites.families.argument_schemes.search.space import DenseSpace, Space
from sorites.families.argument_schemes.search.sparse_space import SparseSpace
from sorites.sources.ontologies.ontology import Ontology

__all__ = ["DENSE_BYTES", "World", "build_world"]

DENSE_BYTES = 32 << 20
"""Memory of a domain's classes and of their relations up to which both are held as bits."""


@dataclass(frozen=True, eq=False)
class World:
    """An ontology as integers: class and individual number i is the i-th in sorted order.

    ``members`` holds the numbers of each class's individuals; ``same[i]`` is the first class with
    the members of class i. ``usable`` are the classes that a sentence can name without ambiguity:
    those whose name no class with other members shares, as a reader tells names apart, and that
    the ontology lets be named. ``nameable`` says of each individual whether a sentence may name
    it; None: of all.
    """

    ontology: Ontology
    individuals: tuple[str, ...]
    members: Memberships
    same: Integers
    usable: tuple[int, ...]
    ambiguous: tuple[str, ...]
    nameable: NDArray[np.bool_] | None = None

    def whole(self, *, trivial: bool = False) -> Space:
        """The domain that holds every individual."""
        return self._space(None, np.arange(len(self.individuals)), self.members, trivial=trivial)

    def local(self, domain: int, *, trivial: bool = False) -> Space:
        """The domain that holds the members of a class."""
        own = self.members[domain].astype(np.intp)
        classes = self._classes_of.gathered(own)
        at = np.repeat(np.arange(len(own), dtype=np.int32), self._classes_of.sizes[own])
        rows = compressed(classes, at, len(self.members), len(own))
        return self._space(domain, own, rows, trivial=trivial)

    def bits(self, index: int | None, within: int | None = None) -> int:
        """The members of a class, or all individuals, that are members of another, as bits."""
        held = np.zeros((2, len(self.individuals)), dtype=np.bool_)
        for row, of in zip(held, (index, within), strict=True):
            row[slice(None) if of is None else self.members[of]] = True
        packed = np.packbits(held.all(axis=0), bitorder="little")
        return int.from_bytes(packed.tobytes(), "little")

    def told_apart(self, index: int, domain: int | None) -> bytes | int:
        """Equal for two classes that have the same members in a domain."""
        if domain is None:
            return int(self.same[index])
        shared = np.intersect1d(self.members[index], self.members[domain], assume_unique=True)
        return shared.tobytes()

    def inner_domains(self, *, at_least: int) -> list[int]:
        """Classes that can be a domain: at least so many members, not all there are.

        Of classes with the same members the first alone.
        """
        sizes = self.members.sizes
        first: dict[int, int] = {}
        for index in self.usable:
            if at_least <= sizes[index] < len(self.individuals):
                first.setdefault(int(self.same[index]), index)
        return sorted(first.values())

    @cached_property
    def _classes_of(self) -> Memberships:
        return self.members.transposed()

    @cached_property
    def _usable(self) -> NDArray[np.bool_]:
        usable = np.zeros(len(self.members), dtype=np.bool_)
        usable[list(self.usable)] = True
        return usable

    def _space(
        self, domain: int | None, own: Positions, members: Memberships, *, trivial: bool
    ) -> Space:
        """A domain of discourse: rows in the order of their first classes."""
        sizes = members.sizes
        fits = self._usable & (sizes > 0) & (trivial | (sizes < len(own)))
        groups: dict[bytes, list[int]] = {}
        for index in fits.nonzero()[0].tolist():
            groups.setdefault(members[index].tobytes(), []).append(index)
        names = list(groups.values())
        first = np.array([group[0] for group in names], dtype=np.intp)
        starts = np.concatenate([[0], sizes[first].cumsum()]).astype(np.int64)
        rows = Memberships(starts, members.gathered(first), len(own))
        bits = 4 * len(names) * (len(names) + len(own))
        kind = DenseSpace if bits <= DENSE_BYTES else SparseSpace
        space = kind(domain, own, names, rows)
        space.nameable = self.nameable
        return space


def build_world(ontology: Ontology) -> World:
    """Number the classes and individuals of an ontology."""
    individuals = sorted(set().union(*(entry.members for entry in ontology.classes)))
    number = {name: index for index, name in enumerate(individuals)}
    rows = [
        np.sort(np.fromiter(map(number.__getitem__, entry.members), np.int32, len(entry.members)))
        for entry in ontology.classes
    ]
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    columns = np.concatenate(rows) if rows else np.zeros(0, dtype=np.int32)
    members = Memberships(starts, columns, len(individuals))
    with_members: dict[bytes, int] = {}
    same = [with_members.setdefault(row.tobytes(), index) for index, row in enumerate(rows)]
    first: dict[str, int] = {}
    ambiguous: set[str] = set()
    for index, entry in enumerate(ontology.classes):
        other = first.setdefault(fold(entry.name), index)
        if same[other] != same[index]:
            ambiguous |= {entry.name, ontology.classes[other].name}
    usable = tuple(
        index
        for index, entry in enumerate(ontology.classes)
        if entry.id not in ontology.unnamed
        and entry.name not in ambiguous
        and first[fold(entry.name)] == index
    )
    return World(
        ontology,
        tuple(individuals),
        members,
        np.array(same, dtype=np.int64),
        usable,
        tuple(sorted(ambiguous)),
    )
