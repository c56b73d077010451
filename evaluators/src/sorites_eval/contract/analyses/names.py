"""What an analysis may name: tasks, columns of their items, settings and metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from sorites_eval.contract.faults import Path
from sorites_eval.contract.metrics import METRICS
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.contract.values import Node, each

__all__ = ["RUN_DIMENSIONS", "Names", "lacks"]

RUN_DIMENSIONS = ("model", "setting", "task")
"""What tells runs apart; any other dimension is a column of the items.

The setting of a trained model is the set that it was trained on.
"""


_NamesOf = Callable[[Task], Iterable[str]]


class Names:
    """Reads the names in one analysis, over some tasks, and keeps the columns that it met.

    ``columns`` has every column with its place, ``values`` every value that a column must hold
    somewhere: both can be checked only against the rows.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tuple(tasks)
        self.columns: list[tuple[Path, str]] = []
        self.values: list[tuple[Path, str, Scalar]] = []

    def column(self, node: Node) -> str:
        """A column of the items."""
        name = node.column()
        if name in RUN_DIMENSIONS:
            raise node.fail(f'"{name}" is no column of the items, but a property of a run.')
        self.columns.append((node.path, name))
        return name

    def dimension(self, node: Node) -> str:
        """A property of runs, or a column of the items."""
        return node.column() if node.value in RUN_DIMENSIONS else self.column(node)

    def dimensions(self, node: Node) -> tuple[str, ...]:
        """Dimensions, each once."""
        return _once(node, each(node.items(), self.dimension))

    def column_list(self, node: Node) -> tuple[str, ...]:
        """Columns of the items, each once and at least one."""
        found = _once(node, each(node.items(), self.column))
        if not found:
            raise node.fail("expected at least one column.")
        return found

    def metric(self, node: Node) -> str:
        """A metric that at least one of the tasks can have, whether or not it asks for it."""
        name = node.one_of(tuple(METRICS))
        lacking = [lacks(task, name) for task in self.tasks]
        if need := lacking[0] if all(lacking) else None:
            raise node.fail(f'"{name}" needs {need}')
        return name

    def metrics(self, node: Node) -> tuple[str, ...]:
        """Metrics, each once and at least one."""
        found = _once(node, each(node.items(), self.metric))
        if not found:
            raise node.fail("expected at least one metric.")
        return found

    def level(self, dimension: str, node: Node) -> Scalar:
        """A value of a dimension: a setting or a training set, a task, a value of a column."""
        if dimension == "task":
            return node.one_of(tuple(task.name for task in self.tasks))
        if dimension == "setting":
            return node.one_of(self._settings())
        if dimension == "model":
            return node.text(200)
        value = node.scalar()
        self.values.append((node.path, dimension, value))
        return value

    def levels(self, dimension: str, node: Node) -> tuple[Scalar, Scalar]:
        """Two different values of a dimension."""
        nodes = node.items()
        if len(nodes) != 2 or nodes[0].value == nodes[1].value:
            raise node.fail("expected two different values.")
        found = each(nodes, lambda entry: self.level(dimension, entry))
        return found[0], found[1]

    def where(self, node: Node) -> Mapping[str, tuple[Scalar, ...]]:
        """Values of dimensions, of which an item, or its run, must have one each."""
        found: dict[str, tuple[Scalar, ...]] = {}
        for name, entry in node.mapping().items():
            column = self.dimension(Node(name, entry.path))
            values: list[Scalar] = [self.level(column, value) for value in entry.items()]
            if not values:
                raise entry.fail("expected at least one value.")
            found[column] = tuple(values)
        return found

    def curve(self, node: Node) -> str:
        """A curve that one of the tasks declares."""
        return node.one_of(self.curves())

    def curves(self) -> tuple[str, ...]:
        """Every curve that the tasks declare."""
        return self._of_tasks(lambda task: task.train.curves if task.train else ())

    def reference(self, node: Node) -> str:
        """A reference that one of the tasks declares."""
        return node.one_of(self._of_tasks(lambda task: task.references))

    def _settings(self) -> tuple[str, ...]:
        return self._of_tasks(
            lambda task: (*task.prompts, *(task.train.sets if task.train else ()))
        )

    def _of_tasks(self, names: _NamesOf) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for task in self.tasks for name in names(task)))


def _once(node: Node, found: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(found)) < len(found):
        raise node.fail("a name stands there twice.")
    return found


def lacks(task: Task, metric: str) -> str | None:
    """What a task would have to declare to have a metric; None if it declares it."""
    declared = {
        "positive": task.score.positive,
        "pairs": task.score.pairs,
        "selection": task.answer.selection,
        "graded": task.score.graded,
    }
    return METRICS[metric].missing(declared)
