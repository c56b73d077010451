"""Which bindings a sample takes: none that is used too often, before it or in it."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from sorites.families.argument_schemes.search.bindings import Binding
from sorites.families.argument_schemes.search.conditions import conditions
from sorites.families.argument_schemes.search.sampling import (
    LARGEST_SHARE,
    Identity,
    Spaces,
    sample_bindings,
)
from sorites.families.argument_schemes.search.world import World, build_world
from sorites.logic.prover import Prover
from sorites.sources.ontologies.ontology import Ontology, OntologyClass
from tests.compiler.logic.texts import parsed

OVERLAP = conditions(parsed(["exists x.(F(x) & G(x))"]), Prover())


def overlapping(classes: int) -> World:
    """Classes that overlap two by two, each with members of its own."""
    members = [
        {f"own {one}"} | {f"{min(one, other)} and {max(one, other)}" for other in range(classes)}
        for one in range(classes)
    ]
    entries = tuple(
        OntologyClass(f"c{index:02}", f"class {index}", (), frozenset(each))
        for index, each in enumerate(members)
    )
    everybody = sorted(set().union(*members))
    return build_world(Ontology(entries, {name: name for name in everybody}))


@pytest.mark.parametrize(
    ("classes", "used", "most"),
    # In the last, bindings without the class are scarce: others are used more often instead.
    [(14, 2, 2), (14, 3, 2), (14, 9, 2), (7, 5, 3)],
)
def test_a_class_that_was_used_too_often_before_is_avoided(
    classes: int, used: int, most: int
) -> None:
    world = overlapping(classes)
    before = [Binding({"F": 0, "G": other}, {}) for other in range(1, used + 1)]
    assert max(2, int((4 + used) * LARGEST_SHARE)) == 2, "what a class may be used"
    for seed in range(20):
        found = sample_bindings(
            Spaces(world, trivial=False),
            Identity(world, [{}, {"F": "G", "G": "F"}]),
            [OVERLAP],
            4,
            Random(seed),
            local=False,
            before=before,
        )
        uses = Counter(index for binding in found.bindings for index in binding.classes.values())
        assert len(found.bindings) == 4
        assert uses[0] == 0
        assert max(uses.values()) <= most
