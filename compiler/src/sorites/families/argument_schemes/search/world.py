"""A domain of discourse: an ontology's classes as bit rows over the individuals in it.

The domain is the whole ontology or the members of one class. Classes with the same members in
the domain are one row: no argument may bind two of them, whatever they are called.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sorites.characters import fold
from sorites.logic.truth import BitRows
from sorites.sources.ontologies.ontology import Ontology

__all__ = [
    "BoolMatrix",
    "Positions",
    "Space",
    "World",
    "build_world",
    "packed_rows",
    "positions",
    "unpacked_rows",
]

BoolMatrix = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Positions = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class World:
    """An ontology as integers: class and individual number i is the i-th in sorted order.

    ``members`` holds a set of individuals for each class, as the bits of a Python integer.
    ``usable`` are the classes that a sentence can name without ambiguity: those whose name no
    class with other members shares, as a reader tells names apart, and that the ontology lets
    be named. ``nameable`` are the individuals that a sentence may name, as bits; -1 for all.
    """

    ontology: Ontology
    individuals: tuple[str, ...]
    members: tuple[int, ...]
    usable: tuple[int, ...]
    ambiguous: tuple[str, ...]
    nameable: int = -1

    @property
    def universe(self) -> int:
        """Every individual that is a member of some class."""
        return (1 << len(self.individuals)) - 1

    def whole(self, *, trivial: bool = False) -> Space:
        """The domain that holds every individual."""
        return self._space(None, self.universe, trivial=trivial)

    def local(self, domain: int, *, trivial: bool = False) -> Space:
        """The domain that holds the members of a class."""
        return self._space(domain, self.members[domain], trivial=trivial)

    def inner_domains(self, *, at_least: int) -> list[int]:
        """Classes that can be a domain: at least so many members, not all there are.

        Of classes with the same members the first alone.
        """
        first: dict[int, int] = {}
        for index in self.usable:
            bits = self.members[index]
            if bits.bit_count() >= at_least and bits != self.universe:
                first.setdefault(bits, index)
        return sorted(first.values())

    def _space(self, domain: int | None, universe: int, *, trivial: bool) -> Space:
        rows: dict[int, list[int]] = {}
        for index in self.usable:
            bits = self.members[index] & universe
            if bits and (trivial or bits != universe):
                rows.setdefault(bits, []).append(index)
        nameable = universe & self.nameable
        return _build_space(domain, universe, nameable, list(rows), list(rows.values()))


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """The distinct classes of a domain.

    Row ``r`` stands for the classes ``names[r]``, which have the same members ``bits[r]`` in
    the domain; ``rows`` is the same packed into words, over the individuals of the domain alone,
    and ``by_word`` its transpose. Bit r of ``some[s, t][q]`` says whether some
    individual is (s) or is not (not s) in row q and is (t) or is not (not t) in row r;
    ``packed_some`` holds the same as bytes. In ``apart`` a search remembers which rows have
    nothing in common in a part of the domain.
    """

    domain: int | None
    universe: int
    nameable: int
    bits: tuple[int, ...]
    names: tuple[tuple[int, ...], ...]
    universe_row: BitRows
    rows: BitRows
    by_word: BitRows
    some: dict[tuple[bool, bool], tuple[int, ...]]
    packed_some: dict[tuple[bool, bool], Bytes]
    row_of: dict[int, int]
    apart: dict[tuple[bytes, bool, bool], tuple[int, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.bits)


def build_world(ontology: Ontology) -> World:
    """Number the classes and individuals of an ontology."""
    individuals = sorted(set().union(*(entry.members for entry in ontology.classes)))
    bit = {name: 1 << index for index, name in enumerate(individuals)}
    members = tuple(sum(bit[name] for name in entry.members) for entry in ontology.classes)
    first: dict[str, int] = {}
    ambiguous: set[str] = set()
    for index, entry in enumerate(ontology.classes):
        other = first.setdefault(fold(entry.name), index)
        if members[other] != members[index]:
            ambiguous |= {entry.name, ontology.classes[other].name}
    usable = tuple(
        index
        for index, entry in enumerate(ontology.classes)
        if entry.id not in ontology.unnamed
        and entry.name not in ambiguous
        and first[fold(entry.name)] == index
    )
    return World(ontology, tuple(individuals), members, usable, tuple(sorted(ambiguous)))


def packed_rows(matrix: BoolMatrix) -> tuple[int, ...]:
    """The rows of a matrix as Python integers: bit r of an integer is column r."""
    packed = np.packbits(matrix, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def unpacked_rows(packed: Bytes, columns: int) -> BoolMatrix:
    """The rows of a matrix of so many columns that was packed into bytes."""
    return np.unpackbits(packed, axis=1, count=columns, bitorder="little").view(np.bool_)


def positions(bits: int, size: int) -> Positions:
    """The positions, rising from 0, of the bits that are set; they stand below ``size``."""
    data = np.frombuffer(bits.to_bytes((size + 7) // 8, "little"), dtype=np.uint8)
    found: Positions = unpacked_rows(data[None, :], size)[0].nonzero()[0]
    return found


def _build_space(
    domain: int | None, universe: int, nameable: int, bits: list[int], names: list[list[int]]
) -> Space:
    width = (universe.bit_length() + 7) // 8
    data = b"".join(each.to_bytes(width, "little") for each in [*bits, universe])
    packed = np.frombuffer(data, dtype=np.uint8).reshape(len(bits) + 1, width)
    dense = unpacked_rows(packed, universe.bit_length())
    # A small domain has few words: of all individuals, its own alone.
    dense = dense[:, dense[-1]]
    words = _words(dense)
    rows, universe_row, dense = words[:-1], words[-1], dense[:-1]
    # Counts up to 2^24 are exact in float32, and ontologies are far smaller.
    numbers = dense.astype(np.float32)
    both = (numbers @ numbers.T).astype(np.int64)
    size = both.diagonal()
    total = universe.bit_count()
    some = {
        (True, True): both > 0,
        (True, False): (size[:, None] - both) > 0,
        (False, True): (size[None, :] - both) > 0,
        (False, False): (total - size[:, None] - size[None, :] + both) > 0,
    }
    return Space(
        domain=domain,
        universe=universe,
        nameable=nameable,
        bits=tuple(bits),
        names=tuple(tuple(group) for group in names),
        universe_row=universe_row,
        rows=rows,
        by_word=np.ascontiguousarray(rows.T),
        some={key: packed_rows(matrix) for key, matrix in some.items()},
        packed_some={
            key: np.packbits(matrix, axis=1, bitorder="little") for key, matrix in some.items()
        },
        row_of={index: row for row, group in enumerate(names) for index in group},
    )


def _words(matrix: BoolMatrix) -> BitRows:
    """The rows of a matrix packed into 64-bit words, least significant word first."""
    packed = np.packbits(matrix, axis=1, bitorder="little")
    words = (packed.shape[1] + 7) // 8
    filled = np.zeros((len(packed), words * 8), dtype=np.uint8)
    filled[:, : packed.shape[1]] = packed
    return filled.view("<u8")
