"""The work of a compile, in units that an engine does, with the same result on every engine.

Two rounds: bindings and arguments for every scheme; then, with the premises of all of them as a
pool, distractors, proofs and rows, some pairs at a time. The rows lie on the disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.engines.spool import Spool, open_spool
from sorites.engines.units import do_units
from sorites.families.argument_schemes.making.arguments import Pair, Scarcity, SchemeArguments
from sorites.families.argument_schemes.making.said_once import said_once
from sorites.families.argument_schemes.making.statements import build_pool
from sorites.families.argument_schemes.making.workshop import (
    SCHEMA,
    Unit,
    Workshop,
    first_round,
    second_round,
)
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.world import World
from sorites.families.argument_schemes.splits_plan import TEST
from sorites.progress import Progress

__all__ = ["TABLES", "Arguments", "SchemeItems", "build_items"]

TABLES = ("items", "denials", "counterfactual", "exemplars")
"""The configs that are made, each a table."""

_PAIRS_AT_ONCE = 200
"""Pairs of a unit, an even number: phrases take turns. They are some five thousand rows."""


@dataclass(frozen=True, slots=True)
class SchemeItems:
    """A scheme's items and its share of the audit."""

    scheme: Scheme
    items: pa.Table
    pairs: tuple[Pair, ...]
    scarcity: Scarcity | None = None
    rejected: Counter[str] = field(default_factory=Counter)
    checks: int = 0
    repeated: int = 0
    whole: int = 0


@dataclass(frozen=True, slots=True)
class Arguments:
    """All that was made for a split: tables by config, and what each scheme has given to them.

    ``made`` are the arguments of all schemes as they were before distractors were looked for.
    """

    tables: Mapping[str, pa.Table]
    schemes: Sequence[SchemeItems]
    made: Sequence[SchemeArguments]


def build_items(
    plan: ArgumentPlan,
    world: World,
    *,
    engine: Engine,
    progress: Progress,
    scratch: Path | None = None,
    split: str = TEST,
    before: Sequence[SchemeArguments] = (),
) -> Arguments:
    """Rows of a split for every scheme, in the order of the spec, whatever the engine.

    None of its arguments is among those ``before``, by scheme, which other splits have. Units of
    the second round that an earlier run has left in the folder ``scratch`` are not done again.
    """
    which = "" if split == TEST else f", {split}"
    taken = [*before] or [SchemeArguments(scheme, (), (), ()) for scheme in plan.schemes]
    made = []
    advance = progress.stage(f"finding bindings{which}", len(plan.schemes))
    workshop = Workshop(plan, world)
    for arguments in engine.map(
        first_round, taken, shared=workshop, weight=lambda each: _predicates(each.scheme)
    ):
        made.append(arguments)
        advance(1)
    made = said_once(
        made,
        plan.arguments,
        lambda *lost: Workshop(plan, world).more(*lost),
        [pair for each in taken for pair in each.pairs],
    )
    units = [(place, unit) for place, each in enumerate(made) for unit in _units(plan, each)]
    with open_spool(scratch, dict.fromkeys(TABLES, SCHEMA)) as spool:
        do_units(
            engine,
            second_round,
            [unit for _, unit in units],
            shared=Workshop(plan, world, build_pool(made)),
            spool=spool,
            advance=progress.stage(f"proving items{which}", len(units)),
        )
        return _gathered(made, [place for place, _ in units], spool)


def _units(plan: ArgumentPlan, made: SchemeArguments) -> Iterator[Unit]:
    """The second round for a scheme: its pairs, some at a time, and what else is made of it."""
    wanted, spares = made.pairs[: plan.arguments], made.pairs[plan.arguments :]
    starts = range(0, max(1, len(wanted)), _PAIRS_AT_ONCE)
    for place, start in enumerate(starts):
        yield Unit(
            wanted[start : start + _PAIRS_AT_ONCE],
            # Dealt out, so that no unit waits for what another may need.
            spares[place :: len(starts)],
            start,
            max(0, plan.denials.arguments - start),
            made if start == 0 else None,
        )


def _gathered(made: Sequence[SchemeArguments], places: Sequence[int], spool: Spool) -> Arguments:
    """The tallies of all units added up by scheme; ``places`` are the schemes of the units."""
    tables = {name: spool.table(name) for name in TABLES}
    tallies: list[list[Mapping[str, Any]]] = [[] for _ in made]
    for place, tally in zip(places, spool.tallies, strict=True):
        tallies[place].append(cast("Mapping[str, Json]", tally))
    schemes = []
    first = 0
    for arguments, told in zip(made, tallies, strict=True):
        rows = sum(tally["rows"].get("items", 0) for tally in told)
        kept = {key for tally in told for key in tally["kept"]}
        schemes.append(
            SchemeItems(
                arguments.scheme,
                tables["items"].slice(first, rows),
                tuple(pair for pair in arguments.pairs if pair.key in kept),
                arguments.scarcity,
                sum((Counter(tally["rejected"]) for tally in told), Counter[str]()),
                *(sum(tally[name] for tally in told) for name in ("checks", "repeated", "whole")),
            )
        )
        first += rows
    return Arguments(tables, schemes, made)


def _predicates(scheme: Scheme) -> int:
    return len({name for premise in scheme.premises for name in premise.symbols.predicates})
