"""Training and validation splits, whose items share with others nothing that the spec names.

``disjoint: argument``: no binding of a scheme is in two splits. ``class``: the classes of the
ontology are dealt out, and a split speaks of its own alone, distractors and domains included.
``individual``: the same with the individuals that sentences name; no argument is in two splits
either. Who gets what depends on the seed and on the class or individual, on nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sorites.canonical import Json
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.families.argument_schemes.search.matching import PREDICATES
from sorites.families.argument_schemes.search.world import World
from sorites.families.argument_schemes.splits_plan import TEST, Disjoint
from sorites.seeds import random_for

__all__ = ["leakage", "plan_of", "promise_faults", "world_of"]


def plan_of(plan: ArgumentPlan, name: str) -> ArgumentPlan:
    """What a split is made by: the plan itself for the test, for others with their own size.

    Denials, counterfactual arguments and worked examples go with the test.
    """
    if name == TEST:
        return plan
    return replace(
        plan,
        seed=random_for(plan.seed, "split", name).getrandbits(48),
        arguments=plan.splits.arguments[name],
        denials=replace(plan.denials, arguments=0),
        counterfactual=replace(plan.counterfactual, arguments=0),
        exemplars=(),
    )


def world_of(world: World, plan: ArgumentPlan, name: str) -> World:
    """The part of an ontology that a split may speak of: as large for one split as for another."""
    names, seed = plan.splits.names, plan.seed

    def its(kind: str, identity: str) -> bool:
        return names[random_for(seed, "parts", kind, identity).randrange(len(names))] == name

    match plan.splits.disjoint if len(names) > 1 else Disjoint.ARGUMENT:
        case Disjoint.ARGUMENT:
            return world
        case Disjoint.CLASS:
            classes = world.ontology.classes
            # Classes with the same members stay together: they are one to any argument.
            kept = tuple(
                index for index in world.usable if its("class", classes[world.same[index]].id)
            )
            return replace(world, usable=kept)
        case Disjoint.INDIVIDUAL:
            own = [its("individual", individual) for individual in world.individuals]
            return replace(world, nameable=np.array(own, dtype=np.bool_))


def leakage(tables: Mapping[str, pa.Table]) -> list[dict[str, Json]]:
    """What each two splits share: arguments, classes, individuals, and sentences of premises."""
    found = {name: _spoken_of(table) for name, table in tables.items()}
    return [
        {
            "splits": [one, other],
            **{kind: len(found[one][kind] & found[other][kind]) for kind in found[one]},
        }
        for one, other in combinations(found, 2)
    ]


def promise_faults(disjoint: Disjoint, tables: Mapping[str, pa.Table]) -> Iterator[str]:
    """Where splits share what the spec says that they do not."""
    kinds = {
        Disjoint.ARGUMENT: ("arguments",),
        Disjoint.CLASS: ("arguments", "classes"),
        Disjoint.INDIVIDUAL: ("arguments", "individuals"),
    }[disjoint]
    for shared in leakage(tables):
        one, other = cast("list[str]", shared["splits"])
        for kind in kinds:
            if shared[kind]:
                yield f"the splits {one} and {other} have {kind} in common: {shared[kind]:,}"


def _spoken_of(table: pa.Table) -> dict[str, set[str]]:
    bound = table["bindings"].combine_chunks().flatten()
    symbols, names, ids = (bound.field(name) for name in ("symbol", "name", "id"))
    classes = pc.is_in(symbols, value_set=pa.array(PREDICATES))
    individuals = pc.and_(pc.invert(classes), pc.is_valid(ids))
    return {
        "arguments": {*table["argument"].unique().to_pylist()},
        "classes": {
            *names.filter(classes).unique().to_pylist(),
            *table["domain"].drop_null().unique().to_pylist(),
        },
        "individuals": {*ids.filter(individuals).unique().to_pylist()},
        "premises": {*table["premises"].combine_chunks().flatten().unique().to_pylist()},
    }
