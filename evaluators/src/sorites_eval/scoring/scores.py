"""The scores of a run as values with types, and as a table for Arrow and pandas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sorites_eval.contract.tasks import Scalar
from sorites_eval.scoring.tables import arrow_table, data_frame

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["Group", "Number", "Scores"]

Number = float | int | None
"""A measure; None where it is undefined, such as a precision where nothing was said."""


@dataclass(frozen=True, slots=True)
class Group:
    """The items with the same values of some columns, and their measures.

    ``by`` are the columns, ``values`` the value of each. ``measures`` has ``n``, how many items
    they are, and the metrics of the task by name.
    """

    by: tuple[str, ...]
    values: Mapping[str, Scalar]
    measures: Mapping[str, Number]


@dataclass(frozen=True, slots=True)
class Scores:
    """The scores of a run.

    ``overall`` holds ``n``, the number of items, and each metric of the task by name, as a share
    from 0 to 1. ``groups`` breaks them down by the columns that the task names. ``confusion``
    counts answers: gold label, then answer. ``constrained`` are the same scores where the model
    was held to the labels; None if it was not. ``document`` is all of ``scores.json``.
    """

    overall: Mapping[str, Number]
    groups: tuple[Group, ...]
    confusion: Mapping[str, Mapping[str, int]]
    constrained: Scores | None
    document: Mapping[str, object]

    @classmethod
    def read(cls, document: Mapping[str, object]) -> Scores:
        """Scores from the content of a ``scores.json``; ValueError if it is of another shape."""
        # What a release's own task made of a model's answers: only its outline is checked.
        found = cast("Mapping[str, Any]", document)
        try:
            groups = [
                Group(
                    tuple(entry["by"]),
                    dict(row["values"]),
                    {name: value for name, value in row.items() if name != "values"},
                )
                for entry in found["groups"]
                for row in entry["rows"]
            ]
            constrained = found.get("constrained")
            return cls(
                overall=dict(found["overall"]),
                groups=tuple(groups),
                confusion={gold: dict(row) for gold, row in found["confusion"].items()},
                constrained=None if constrained is None else cls.read(constrained),
                document=document,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not scores: {error!r}") from error

    def to_arrow(self) -> pa.Table:
        """The scores as a table: first the row of all items, then a row for each group.

        ``reading`` is ``free`` or ``constrained``; ``by`` the columns of the group, empty for all
        items. Each of those columns is there as ``item.COLUMN``, and each metric by its name.
        """
        return arrow_table(list(self._rows("free")), ("reading", "by"))

    def to_pandas(self) -> pd.DataFrame:
        """As ``to_arrow``, as a data frame; SoritesError if pandas is not installed."""
        return data_frame(self.to_arrow())

    def _rows(self, reading: str) -> Iterator[dict[str, object]]:
        yield {"reading": reading, "by": "", **self.overall}
        for group in self.groups:
            named = {f"item.{column}": value for column, value in group.values.items()}
            by = " × ".join(group.by)
            yield {"reading": reading, "by": by, **named, **group.measures}
        if self.constrained is not None:
            yield from self.constrained._rows("constrained")
