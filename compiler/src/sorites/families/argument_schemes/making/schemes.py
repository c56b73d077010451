"""The work of a compile, scheme by scheme, on one process or several with the same result.

Two rounds: bindings and arguments for every scheme; then, with the premises of all of them as a
pool, distractors, proofs and rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import pyarrow as pa

from sorites.errors import SoritesError
from sorites.families.argument_schemes.making.arguments import (
    Pair,
    Scarcity,
    SchemeArguments,
    denial_of,
    phrased,
)
from sorites.families.argument_schemes.making.counterfactual import counterfactual_pairs
from sorites.families.argument_schemes.making.distractors import Distracted, Distractors
from sorites.families.argument_schemes.making.items import COLUMNS, ItemWriter
from sorites.families.argument_schemes.making.pairs import add_arguments, build_arguments
from sorites.families.argument_schemes.making.said_once import said_once
from sorites.families.argument_schemes.making.statements import LocalPools, Pool, build_pool
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.spaces import Spaces
from sorites.families.argument_schemes.search.world import World
from sorites.logic.prover import Prover, Verdict
from sorites.logic.types import TypeProver
from sorites.progress import Progress
from sorites.release.content import schema_of
from sorites.seeds import random_for
from sorites.workers import spread

__all__ = ["NO_DISTRACTORS", "SchemeItems", "build_items"]

NO_DISTRACTORS = "pairs left out: no distractors were found"
"""Why a pair is in no item, as the audit counts it."""


@dataclass(frozen=True, slots=True)
class SchemeItems:
    """A scheme's rows and its share of the audit."""

    scheme: Scheme
    items: pa.Table
    exemplars: pa.Table
    denials: pa.Table
    counterfactual: pa.Table
    pairs: tuple[Pair, ...]
    scarcity: Scarcity | None = None
    rejected: Counter[str] = field(default_factory=Counter)
    checks: int = 0
    repeated: int = 0
    whole: int = 0


class _Workshop:
    """What a process needs to work on any scheme."""

    def __init__(self, plan: ArgumentPlan, world: World) -> None:
        self.plan = plan
        self.world = world
        self.spaces = Spaces(world, trivial=plan.trivial_premises)
        self.pool = Pool((), (), {})
        self.local = LocalPools(self.spaces, plan.seed)

    def prover(self) -> Prover:
        """A prover of its own for each scheme: what it answers depends on nothing before."""
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

    def arguments(self, scheme: Scheme) -> SchemeArguments:
        """The first round for a scheme."""
        return build_arguments(self.plan, scheme, self.spaces, self.search())

    def more(self, made: SchemeArguments, said: Iterable[Hashable]) -> SchemeArguments:
        """The first round for a scheme that has lost some to others, which said the same."""
        return add_arguments(self.plan, made, said, self.spaces, self.search())

    def items(self, made: SchemeArguments) -> SchemeItems:
        """The second round for a scheme."""
        plan = self.plan
        prover = self.prover()
        arguments = 2 * len(plan.schemes) * (plan.arguments + plan.counterfactual.arguments)
        distractors = Distractors(self.pool, self.spaces, prover, self.local, arguments)
        writer = ItemWriter(plan, self.world)
        kept = list(self._kept(made.pairs, plan.arguments, plan.distractors, distractors))
        rows = [
            row
            for pair, drawn in kept
            for row in writer.rows(pair, drawn, range(plan.distractors + 1))
        ]
        return SchemeItems(
            made.scheme,
            _table(rows),
            _table(self._exemplars(made, distractors, writer)),
            _table(self._denials(kept, writer, prover)),
            _table(self._counterfactual(made, distractors, writer)),
            tuple(pair for pair, _ in kept),
            made.scarcity,
            distractors.rejected,
            prover.checks,
            prover.repeated,
            distractors.whole,
        )

    def _kept(
        self, pairs: Iterable[Pair], count: int, level: int, distractors: Distractors
    ) -> Iterator[tuple[Pair, Distracted]]:
        """The first pairs for which distractors are found, with those; phrases take turns."""
        made = 0
        for found in pairs:
            if made == count:
                return
            pair = found if found.opposed else phrased(found, denied=made % 2 == 1)
            drawn = self._distracted(pair, distractors, level)
            if drawn is None:
                distractors.rejected[NO_DISTRACTORS] += 1
                continue
            made += 1
            yield pair, drawn

    def _distracted(self, pair: Pair, distractors: Distractors, count: int) -> Distracted | None:
        random = random_for(self.plan.seed, "distractors", pair.key)
        return distractors.draw(pair, count, random)

    def _denials(
        self, kept: Sequence[tuple[Pair, Distracted]], writer: ItemWriter, prover: Prover
    ) -> list[dict[str, object]]:
        """The entailed arguments of some pairs, each beside its own denial."""
        asked = self.plan.denials
        rows: list[dict[str, object]] = []
        for pair, drawn in kept[: asked.arguments]:
            denied = replace(pair, other=denial_of(pair.entailed), extra=())
            if prover.verdict(pair.entailed.premises, denied.other.conclusion) is not (
                Verdict.CONTRADICTED
            ):
                raise SoritesError(f"the denial of {pair.key} is not contradicted")
            both = replace(drawn, other=drawn.entailed)
            levels = [level for level in asked.levels if level >= len(pair.extra)]
            rows += writer.rows(denied, both, levels)
        return rows

    def _counterfactual(
        self, made: SchemeArguments, distractors: Distractors, writer: ItemWriter
    ) -> list[dict[str, object]]:
        asked = self.plan.counterfactual
        rows: list[dict[str, object]] = []
        for true, count in ((True, (asked.arguments + 1) // 2), (False, asked.arguments // 2)):
            pairs = counterfactual_pairs(
                self.plan, made.scheme, made.matches, made.pairs, self.spaces, self.search(),
                true=true,
            )  # fmt: skip
            for pair, drawn in self._kept(pairs, count, max(asked.levels), distractors):
                rows += writer.rows(pair, drawn, asked.levels, synthetic=False)
        return rows

    def _exemplars(
        self, made: SchemeArguments, distractors: Distractors, writer: ItemWriter
    ) -> list[dict[str, object]]:
        asked = [
            (place, entry)
            for place, entry in enumerate(self.plan.exemplars)
            if entry.scheme == made.scheme.key
        ]
        rows = []
        for (place, exemplar), held in zip(asked, made.held_out, strict=False):
            # Phrases take turns so that, of each two verdicts, one is asserted and one denied.
            denied = (place + 1) // 2 % 2 == 1
            pair = held if held.opposed else phrased(held, denied=denied)
            shown = pair
            if exemplar.verdict == Verdict.CONTRADICTED.value and not pair.opposed:
                shown = replace(pair, other=denial_of(pair.entailed), extra=())
            drawn = self._distracted(shown, distractors, exemplar.distractors)
            if drawn is None:
                continue
            real = [
                row
                for row in writer.rows(shown, drawn, [exemplar.distractors], synthetic=False)
                if row["verdict"] == exemplar.verdict
            ]
            # A worked example stands alone: nothing of the items is its partner.
            rows += [{**row, "partner": None} for row in real]
        return rows


def build_items(
    plan: ArgumentPlan, world: World, *, workers: int, progress: Progress
) -> list[SchemeItems]:
    """Rows for every scheme, in the order of the spec, whatever the number of workers."""
    advance = progress.stage("finding bindings", len(plan.schemes))
    made = []
    try:
        for arguments in spread(
            _arguments,
            plan.schemes,
            workers=workers,
            weight=_predicates,
            begin=partial(_enter, plan, world),
        ):
            made.append(arguments)
            advance(1)
        made = said_once(made, plan.arguments, lambda *lost: _Workshop(plan, world).more(*lost))
        advance = progress.stage("proving items", len(plan.schemes))
        done = []
        for items in spread(
            _items,
            made,
            workers=workers,
            weight=lambda entry: _predicates(entry.scheme),
            begin=partial(_enter, plan, world, build_pool(made)),
        ):
            done.append(items)
            advance(1)
    finally:
        _HERE.clear()
    return done


_HERE: list[_Workshop] = []
"""The workshop of this process, for as long as it works."""


def _enter(plan: ArgumentPlan, world: World, pool: Pool | None = None) -> None:
    """Furnish this process; ``pool`` are the premises of all arguments, for distractors."""
    if not _HERE:
        _HERE.append(_Workshop(plan, world))
    if pool is not None:
        _HERE[0].pool = pool


def _arguments(scheme: Scheme) -> SchemeArguments:
    return _HERE[0].arguments(scheme)


def _items(made: SchemeArguments) -> SchemeItems:
    return _HERE[0].items(made)


def _predicates(scheme: Scheme) -> int:
    return len({name for premise in scheme.premises for name in premise.symbols.predicates})


def _table(rows: Sequence[dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=schema_of(COLUMNS))
