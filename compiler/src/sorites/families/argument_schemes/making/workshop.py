"""What a worker needs to work on any scheme, and what it makes of arguments: rows, proved."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.units import Made
from sorites.errors import SoritesError
from sorites.families.argument_schemes.making.arguments import (
    Pair,
    SchemeArguments,
    denial_of,
    phrased,
)
from sorites.families.argument_schemes.making.counterfactual import counterfactual_pairs
from sorites.families.argument_schemes.making.distractors import Distracted, Distractors
from sorites.families.argument_schemes.making.items import COLUMNS, ItemWriter
from sorites.families.argument_schemes.making.pairs import add_arguments, build_arguments
from sorites.families.argument_schemes.making.read_back import refuse_unreadable
from sorites.families.argument_schemes.making.statements import LocalPools, Pool
from sorites.families.argument_schemes.plan import ArgumentPlan
from sorites.families.argument_schemes.read_rows import RowReader
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.families.argument_schemes.search.world import World
from sorites.logic.prover import Prover, Verdict
from sorites.logic.types import TypeProver
from sorites.release.content import schema_of
from sorites.seeds import random_for

__all__ = [
    "NO_DISTRACTORS",
    "SCHEMA",
    "Unit",
    "Workshop",
    "first_round",
    "second_round",
]

NO_DISTRACTORS = "pairs left out: no distractors were found"
"""Why a pair is in no item, as the audit counts it."""

SCHEMA = schema_of(COLUMNS)
"""The schema of every table of this family."""

Row: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class Unit:
    """Some of a scheme's pairs in a row, from the one at ``start`` on, to be made into items.

    ``spares`` stand in for those for which no distractors are found; the first ``denied`` of the
    pairs are shown beside their denials as well. A scheme's first unit has the ``scheme`` itself,
    of which worked examples and counterfactual arguments are made.
    """

    pairs: tuple[Pair, ...]
    spares: tuple[Pair, ...]
    start: int
    denied: int
    scheme: SchemeArguments | None


class Workshop:
    """What a worker needs: a plan, a world, and the premises that may be distractors."""

    def __init__(self, plan: ArgumentPlan, world: World, pool: Pool | None = None) -> None:
        self.plan = plan
        self.world = world
        self.pool = Pool((), (), {}) if pool is None else pool
        self.spaces = Spaces(world, trivial=plan.trivial_premises)
        self.local = LocalPools(self.spaces, plan.seed)

    def __reduce__(self) -> tuple[object, ...]:
        """A worker gets what is needed to begin: what was found here is found again there."""
        return Workshop, (self.plan, self.world, self.pool)

    @cached_property
    def writer(self) -> ItemWriter:
        """Turns arguments into rows."""
        return ItemWriter(self.plan, self.world)

    @cached_property
    def reader(self) -> RowReader:
        """Reads the sentences of rows back."""
        return RowReader(self.plan.words, self.plan.assumptions)

    def prover(self) -> Prover:
        """A prover of its own for each unit: what it answers depends on nothing before."""
        return Prover(
            existential_import=self.plan.existential_import,
            resource_limit=self.plan.resource_limit,
        )

    def search(self) -> TypeProver:
        """What decides while bindings and matches are looked for."""
        return TypeProver(
            existential_import=self.plan.existential_import,
            resource_limit=self.plan.resource_limit,
        )

    def arguments(self, taken: SchemeArguments) -> SchemeArguments:
        """The first round for a scheme, some of whose arguments are taken by another split."""
        if not taken.pairs:
            return build_arguments(self.plan, taken.scheme, self.spaces, self.search())
        number = len(taken.pairs)
        plan = replace(self.plan, arguments=self.plan.arguments + number)
        found = add_arguments(plan, taken, (), self.spaces, self.search())
        return replace(found, pairs=found.pairs[number:], held_out=())

    def more(self, made: SchemeArguments, said: Iterable[Hashable]) -> SchemeArguments:
        """The first round for a scheme that has lost some to others, which said the same."""
        return add_arguments(self.plan, made, said, self.spaces, self.search())


def first_round(workshop: Workshop, taken: SchemeArguments) -> SchemeArguments:
    """Bindings and arguments of a scheme, other than those that are taken."""
    return workshop.arguments(taken)


def second_round(workshop: Workshop, unit: Unit) -> Made:
    """Distractors, proofs and rows of a unit, all of whose sentences can be read back.

    Raises SoritesError for names that make a sentence readable in two ways, or in none.
    """
    work = _UnitWork(workshop)
    tables = {name: table_of(rows) for name, rows in work.rows_of(unit).items() if rows}
    for table in tables.values():
        refuse_unreadable(workshop.reader, table)
    return Made(tables, work.tally({name: table.num_rows for name, table in tables.items()}))


class _UnitWork:
    """The work on one unit, and its share of the audit."""

    def __init__(self, workshop: Workshop) -> None:
        plan = workshop.plan
        self.plan = plan
        self.workshop = workshop
        self.writer = workshop.writer
        self.prover = workshop.prover()
        arguments = 2 * len(plan.schemes) * (plan.arguments + plan.counterfactual.arguments)
        self.distractors = Distractors(
            workshop.pool, workshop.spaces, self.prover, workshop.local, arguments
        )
        self.kept: list[str] = []

    def rows_of(self, unit: Unit) -> Mapping[str, list[Row]]:
        """The rows of a unit by the config that they are for."""
        kept = [
            *self._kept(
                (*unit.pairs, *unit.spares), unit.start, len(unit.pairs), self.plan.distractors
            )
        ]
        self.kept = [pair.key for pair, _ in kept]
        rows = {
            "items": [
                row
                for pair, drawn in kept
                for row in self.writer.rows(pair, drawn, range(self.plan.distractors + 1))
            ]
        }
        if unit.scheme is not None:
            rows["exemplars"] = self._exemplars(unit.scheme)
        rows["denials"] = self._denials(kept[: unit.denied])
        if unit.scheme is not None:
            rows["counterfactual"] = self._counterfactual(unit.scheme)
        return rows

    def tally(self, rows: Mapping[str, int]) -> Json:
        """What adds up over units: rows, pairs that became items, rejections and proofs."""
        return {
            "rows": dict(rows),
            "kept": self.kept,
            "rejected": dict(self.distractors.rejected),
            "checks": self.prover.checks,
            "repeated": self.prover.repeated,
            "whole": self.distractors.whole,
        }

    def _kept(
        self, pairs: Iterable[Pair], start: int, count: int, level: int
    ) -> Iterator[tuple[Pair, Distracted]]:
        """The first pairs for which distractors are found, with those; phrases take turns.

        They are the pairs of a scheme from the one at ``start`` on.
        """
        made = 0
        for found in pairs:
            if made == count:
                return
            pair = found if found.opposed else phrased(found, denied=(start + made) % 2 == 1)
            drawn = self._distracted(pair, level)
            if drawn is None:
                self.distractors.rejected[NO_DISTRACTORS] += 1
                continue
            made += 1
            yield pair, drawn

    def _distracted(self, pair: Pair, count: int) -> Distracted | None:
        random = random_for(self.plan.seed, "distractors", pair.key)
        return self.distractors.draw(pair, count, random)

    def _denials(self, kept: Sequence[tuple[Pair, Distracted]]) -> list[Row]:
        """The entailed arguments of some pairs, each beside its own denial."""
        rows: list[Row] = []
        for pair, drawn in kept:
            denied = replace(pair, other=denial_of(pair.entailed), extra=())
            if self.prover.verdict(pair.entailed.premises, denied.other.conclusion) is not (
                Verdict.CONTRADICTED
            ):
                raise SoritesError(f"the denial of {pair.key} is not contradicted")
            both = replace(drawn, other=drawn.entailed)
            levels = [level for level in self.plan.denials.levels if level >= len(pair.extra)]
            rows += self.writer.rows(denied, both, levels)
        return rows

    def _counterfactual(self, made: SchemeArguments) -> list[Row]:
        asked = self.plan.counterfactual
        rows: list[Row] = []
        for true, count in ((True, (asked.arguments + 1) // 2), (False, asked.arguments // 2)):
            pairs = counterfactual_pairs(
                self.plan, made.scheme, made.matches, made.pairs, self.workshop.spaces,
                self.workshop.search(), true=true,
            )  # fmt: skip
            for pair, drawn in self._kept(pairs, 0, count, max(asked.levels)):
                rows += self.writer.rows(pair, drawn, asked.levels, synthetic=False)
        return rows

    def _exemplars(self, made: SchemeArguments) -> list[Row]:
        asked = [
            (place, entry)
            for place, entry in enumerate(self.plan.exemplars)
            if entry.scheme == made.scheme.key
        ]
        rows: list[Row] = []
        for (place, exemplar), held in zip(asked, made.held_out, strict=False):
            # Phrases take turns so that, of each two verdicts, one is asserted and one denied.
            denied = (place + 1) // 2 % 2 == 1
            pair = held if held.opposed else phrased(held, denied=denied)
            shown = pair
            if exemplar.verdict == Verdict.CONTRADICTED.value and not pair.opposed:
                shown = replace(pair, other=denial_of(pair.entailed), extra=())
            drawn = self._distracted(shown, exemplar.distractors)
            if drawn is None:
                continue
            real = [
                row
                for row in self.writer.rows(shown, drawn, [exemplar.distractors], synthetic=False)
                if row["verdict"] == exemplar.verdict
            ]
            # A worked example stands alone: nothing of the items is its partner.
            rows += [{**row, "partner": None} for row in real]
        return rows


def table_of(rows: Sequence[Row]) -> pa.Table:
    """Rows as a table of this family."""
    return pa.Table.from_pylist(list(rows), schema=SCHEMA)
