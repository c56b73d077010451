"""The section ``analyses`` of a ``benchmark.json``, or of a spec, which holds the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorites_eval.contract.analyses.contrast import Contrast
from sorites_eval.contract.analyses.curve import LearningCurve
from sorites_eval.contract.analyses.distribution import Distribution
from sorites_eval.contract.analyses.heat import Heat
from sorites_eval.contract.analyses.kinds import KINDS, Design
from sorites_eval.contract.analyses.names import Names
from sorites_eval.contract.analyses.paired_tests import PairedTests
from sorites_eval.contract.analyses.reference import Beside
from sorites_eval.contract.analyses.table import Table
from sorites_eval.contract.analyses.trend import Trend
from sorites_eval.contract.faults import Path
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.contract.values import Node, each, entries, optional
from sorites_eval.names import did_you_mean

__all__ = ["Analysis", "read_analyses"]


@dataclass(frozen=True, slots=True)
class Analysis:
    """An analysis of the runs of some tasks, of the runs and items that ``where`` lets through.

    ``source`` says which table or figure of which paper it gives, as text. ``places`` names every
    column that it reads, ``levels`` every value that a column must hold, each with its place
    below the analysis.
    """

    name: str
    kind: str
    title: str
    source: str
    tasks: tuple[str, ...]
    where: Mapping[str, tuple[Scalar, ...]]
    design: Design
    places: tuple[tuple[Path, str], ...] = ()
    levels: tuple[tuple[Path, str, Scalar], ...] = ()

    def metrics(self) -> tuple[str, ...]:
        """The metrics that it shows."""
        match self.design:
            case Trend() | Heat() | PairedTests() | LearningCurve():
                return (self.design.metric,)
            case Table() | Contrast() | Beside():
                return self.design.metrics
            case Distribution():
                return ()

    def columns(self) -> tuple[str, ...]:
        """The columns of the items that it reads, each once."""
        return tuple(dict.fromkeys(column for _, column in self.places))


def read_analyses(node: Node, tasks: Mapping[str, Task]) -> dict[str, Analysis]:
    """Read and check analyses of these tasks; InvalidBenchmark with every fault and its place."""
    return entries(node, lambda name, entry: _analysis(name, entry, tasks))


def _analysis(name: str, node: Node, tasks: Mapping[str, Task]) -> Analysis:
    Node(name, node.path).name()
    every = node.mapping()
    if "kind" not in every:
        raise node.fail('the key "kind" is missing.', f"Known: {', '.join(KINDS)}.")
    kind = KINDS[every["kind"].one_of(tuple(KINDS))]
    found = node.fields(
        ("kind", "title", "tasks", *kind.required), ("source", "where", *kind.optional)
    )
    asked = each(found["tasks"].items(), lambda entry: _task(entry, tasks))
    if not asked or len(set(asked)) < len(asked):
        raise found["tasks"].fail("expected at least one task, and each once.")
    names = Names([tasks[task] for task in asked])
    title, source = found["title"].text(500), optional(found, "source", lambda n: n.text(500))
    where = optional(found, "where", names.where) or {}
    design = kind.read(found, names)
    return Analysis(
        name=name,
        kind=str(found["kind"].value),
        title=title,
        source=source or "",
        tasks=asked,
        where=where,
        design=design,
        places=tuple((path[len(node.path) :], column) for path, column in names.columns),
        levels=tuple(
            (path[len(node.path) :], column, value) for path, column, value in names.values
        ),
    )


def _task(node: Node, tasks: Mapping[str, Task]) -> str:
    name = node.text(200)
    if name not in tasks:
        raise node.fail(f'unknown task "{name}".', did_you_mean(name, tasks))
    return name
