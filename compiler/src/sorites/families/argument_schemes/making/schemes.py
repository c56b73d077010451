"""The work of a compile, scheme by scheme, on one process or several with the same result.

Two rounds: bindings and arguments for every scheme; then, with the premises of all of them as a
pool, distractors, proofs and rows.
"""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import active_children, get_context
from typing import TypeVar

import pyarrow as pa

from sorites.families.argument_schemes.making.arguments import (
    Argument,
    Pair,
    SchemeArguments,
    build_arguments,
)
from sorites.families.argument_schemes.making.distractors import (
    Distracted,
    Distractors,
    LocalPools,
    Pool,
    build_pool,
)
from sorites.families.argument_schemes.making.items import COLUMNS, ItemWriter
from sorites.families.argument_schemes.plan import ArgumentPlan, Scheme
from sorites.families.argument_schemes.search.sampling import Spaces
from sorites.families.argument_schemes.search.world import World
from sorites.families.argument_schemes.seeds import random_for
from sorites.logic.prover import Prover
from sorites.progress import Progress
from sorites.release.content import schema_of

__all__ = ["NO_DISTRACTORS", "SchemeItems", "build_items"]

NO_DISTRACTORS = "pairs left out: no distractors were found"
"""Why a pair is in no item, as the audit counts it."""

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class SchemeItems:
    """A scheme's rows and its share of the audit."""

    scheme: Scheme
    items: pa.Table
    exemplars: pa.Table
    pairs: tuple[Pair, ...]
    rejected: Counter[str] = field(default_factory=Counter)
    checks: int = 0
    repeated: int = 0


class _Workshop:
    """What a process needs to work on any scheme."""

    def __init__(self, plan: ArgumentPlan, world: World) -> None:
        self.plan = plan
        self.world = world
        self.spaces = Spaces(world, trivial=plan.trivial_premises)
        self.pool = Pool((), (), {}, {}, ())
        self.local = LocalPools(self.spaces, plan.seed)

    def prover(self) -> Prover:
        """A prover of its own for each scheme: what it answers depends on nothing before."""
        return Prover(
            existential_import=self.plan.existential_import,
            resource_limit=self.plan.resource_limit,
        )

    def arguments(self, scheme: Scheme) -> SchemeArguments:
        """The first round for a scheme."""
        return build_arguments(self.plan, scheme, self.spaces, self.prover())

    def items(self, made: SchemeArguments) -> SchemeItems:
        """The second round for a scheme."""
        prover = self.prover()
        distractors = Distractors(self.pool, self.spaces, prover, self.local)
        writer = ItemWriter(self.plan, self.world)
        levels = range(self.plan.distractors + 1)
        rows: list[dict[str, object]] = []
        kept: list[Pair] = []
        for pair in made.pairs:
            if len(kept) == self.plan.arguments:
                break
            drawn = self._distracted(pair, distractors, self.plan.distractors)
            if drawn is None:
                distractors.rejected[NO_DISTRACTORS] += 1
                continue
            kept.append(pair)
            rows += writer.rows(pair, drawn, levels)
        exemplars = self._exemplars(made, distractors, writer)
        return SchemeItems(
            made.scheme,
            _table(rows),
            _table(exemplars),
            tuple(kept),
            distractors.rejected,
            prover.checks,
            prover.repeated,
        )

    def _distracted(
        self, pair: Pair, distractors: Distractors, count: int
    ) -> tuple[Distracted, Distracted] | None:
        random = random_for(self.plan.seed, "distractors", pair.key)
        groups: list[list[Argument]] = (
            [[pair.entailed, pair.other]] if pair.opposed else [[pair.entailed], [pair.other]]
        )
        drawn = []
        for group in groups:
            found = distractors.draw(group, count, random)
            if found is None:
                return None
            drawn.append(found)
        return drawn[0], drawn[-1]

    def _exemplars(
        self, made: SchemeArguments, distractors: Distractors, writer: ItemWriter
    ) -> list[dict[str, object]]:
        asked = [entry for entry in self.plan.exemplars if entry.scheme == made.scheme.key]
        rows = []
        for exemplar, pair in zip(asked, made.held_out, strict=False):
            drawn = self._distracted(pair, distractors, exemplar.distractors)
            if drawn is None:
                continue
            real = [
                row
                for row in writer.rows(pair, drawn, [exemplar.distractors])
                if row["names"] == "real" and row["verdict"] == exemplar.verdict
            ]
            # A worked example stands alone: nothing of the items is its partner.
            rows += [{**row, "partner": None} for row in real]
        return rows


def build_items(
    plan: ArgumentPlan, world: World, *, workers: int, progress: Progress
) -> list[SchemeItems]:
    """Rows for every scheme, in the order of the spec, whatever the number of workers."""
    crew = _Alone(plan, world) if workers == 1 else _Together(plan, world, workers)
    made = []
    advance = progress.stage("finding bindings", len(plan.schemes))
    for arguments in crew.run(_Workshop.arguments, plan.schemes, _predicates):
        made.append(arguments)
        advance(1)
    crew.share(build_pool(made))
    done = []
    advance = progress.stage("proving items", len(plan.schemes))
    for items in crew.run(_Workshop.items, made, lambda entry: _predicates(entry.scheme)):
        done.append(items)
        advance(1)
    return done


class _Alone:
    """Works in this process."""

    def __init__(self, plan: ArgumentPlan, world: World) -> None:
        self._workshop = _Workshop(plan, world)

    def share(self, pool: Pool) -> None:
        self._workshop.pool = pool

    def run(
        self,
        step: Callable[[_Workshop, Task], Result],
        tasks: Sequence[Task],
        weight: Callable[[Task], int],
    ) -> Iterator[Result]:
        for task in tasks:
            yield step(self._workshop, task)


class _Together:
    """Works in several processes; results come in the order of the tasks."""

    def __init__(self, plan: ArgumentPlan, world: World, workers: int) -> None:
        self._plan = plan
        self._world = world
        self._workers = workers
        self._pool: Pool | None = None

    def share(self, pool: Pool) -> None:
        self._pool = pool

    def run(
        self,
        step: Callable[[_Workshop, Task], Result],
        tasks: Sequence[Task],
        weight: Callable[[Task], int],
    ) -> Iterator[Result]:
        executor = ProcessPoolExecutor(
            self._workers,
            # Not fork: Arrow and Z3 may hold locks in threads that a fork would not copy.
            mp_context=get_context("spawn"),
            initializer=_enter,
            initargs=(self._plan, self._world, self._pool),
        )
        try:
            # The schemes with the most predicates take longest: last, they would be waited for.
            order = sorted(range(len(tasks)), key=lambda index: -weight(tasks[index]))
            with _interrupts_held():
                futures = {
                    position: executor.submit(_work, step, tasks[position]) for position in order
                }
            for position in range(len(tasks)):
                yield futures[position].result()
        except BaseException:
            # Whoever interrupts does not want to wait for the schemes that are being worked on.
            for worker in active_children():
                worker.terminate()
            raise
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


_HERE: list[_Workshop] = []
"""The workshop of a worker process."""


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Keep Ctrl-C from processes that are just starting: they would print a traceback each."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _enter(plan: ArgumentPlan, world: World, pool: Pool | None) -> None:
    # A worker that is interrupted has nothing to say; its parent does.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    workshop = _Workshop(plan, world)
    if pool is not None:
        workshop.pool = pool
    _HERE[:] = [workshop]


def _work(step: Callable[[_Workshop, Task], Result], task: Task) -> Result:
    return step(_HERE[0], task)


def _predicates(scheme: Scheme) -> int:
    return len({name for premise in scheme.premises for name in premise.symbols.predicates})


def _table(rows: Sequence[dict[str, object]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=schema_of(COLUMNS))
