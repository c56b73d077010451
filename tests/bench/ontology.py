"""Ontologies drawn at random in the shape of Reactome's human pathways, of any size.

The hierarchy is as deep, with as large a share of its classes on each level; classes are named
within it as often by their own members, a few of them by many and most by few; an individual is
named by as many classes. What grows is the number of classes and of individuals alone. The same
sizes and seed give the same ontology.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sorites.sources.ontologies.ontology import Ontology, build_ontology

__all__ = ["LEVELS", "OWN", "synthetic_ontology"]

LEVELS = (1, 12, 44, 275, 251, 77, 46, 28, 4, 1)
"""Classes on each level below the root of Reactome's branch of diseases, release 93."""

OWN = ((0.0, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0), (0.0, 0.4, 1.0, 5.0, 19.0, 80.0, 196.0))
"""Members of a class that none below it has: shares of the classes, and how many at most."""

NAMED = 2.5
"""Classes that name an individual themselves, on average."""

TAIL = 1.2
"""Shape of the Pareto distribution by which some classes have more below them than others."""

Integers = NDArray[np.int64]


def synthetic_ontology(classes: int, individuals: int, *, seed: int = 1) -> Ontology:
    """So many classes, at least 100, and so many individuals, at least as many as classes.

    Raises ValueError for fewer.
    """
    if not 100 <= classes <= individuals:
        raise ValueError(f"{classes} classes and {individuals} individuals have no such shape")
    random = np.random.default_rng(seed)
    parents = _parents(classes, random)
    owners, named = _memberships(classes, individuals, parents, random)
    return build_ontology(
        {_class(number): f"Pathway {number}" for number in range(classes)},
        ((_class(child), _class(parent)) for child, parent in enumerate(parents, 1)),
        zip(map(_class, owners.tolist()), map(_individual, named.tolist()), strict=True),
        {_individual(number): f"GENE{number}" for number in range(individuals)},
        where="a synthetic ontology",
        drop_empty=True,
    )


def _class(number: int) -> str:
    return f"C{number:07}"


def _individual(number: int) -> str:
    return f"I{number:07}"


def _parents(classes: int, random: np.random.Generator) -> list[int]:
    """The parent of each class but the root, which is number 0; levels follow one another."""
    below = np.array(LEVELS[1:], dtype=np.float64)
    widths = np.maximum((below / below.sum() * (classes - 1)).astype(np.int64), 1)
    widths[below.argmax()] += classes - 1 - widths.sum()
    parents: list[int] = []
    start, width = 0, 1
    for next_width in widths.tolist():
        weights = random.pareto(TAIL, width) + 1
        chosen = random.choice(width, next_width, p=weights / weights.sum())
        parents += (start + np.sort(chosen)).tolist()
        start, width = start + width, next_width
    return parents


def _memberships(
    classes: int, individuals: int, parents: list[int], random: np.random.Generator
) -> tuple[Integers, Integers]:
    """Classes and the individuals that they name themselves, side by side."""
    sizes = np.interp(random.random(classes), *OWN)
    leaf = np.ones(classes, dtype=np.bool_)
    leaf[parents] = False
    sizes[leaf] = np.maximum(sizes[leaf], 1)
    owners = np.repeat(
        np.arange(classes), np.rint(sizes * individuals * NAMED / sizes.sum()).astype(np.int64)
    )
    # Everybody is named once; who is named again, and how often, has a long tail as well.
    weights = random.pareto(2.0, individuals) + 1
    again = max(len(owners) - individuals, 0)
    named = np.concatenate(
        [
            random.permutation(individuals),
            random.choice(individuals, again, p=weights / weights.sum()),
        ]
    )[: len(owners)]
    return owners, random.permutation(named)
