"""Whether an analysis fits the rows of the release: its columns, and the values it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa

from sorites.canonical import json_line
from sorites.names import did_you_mean
from sorites.release.content import Split, SplitName
from sorites.release.tasks.findings import Finding, Path, unknown_column
from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.analyses.trend import Trend
from sorites_eval.contract.tasks import Scalar, Task

__all__ = ["check_analysis"]


def check_analysis(
    analysis: Analysis, tasks: Mapping[str, Task], splits: Mapping[SplitName, Split]
) -> Iterator[Finding]:
    """Columns that a task's items lack, and values that none of them has."""
    here: Path = ("analyses", analysis.name)
    for table in dict.fromkeys(tasks[name].data for name in analysis.tasks):
        split = splits[table]
        kinds = {column.name: column.type for column in split.columns}
        for path, column in analysis.places:
            if column not in kinds:
                yield unknown_column((*here, *path), column, split)
            elif pa.types.is_nested(kinds[column]):
                yield Finding((*here, *path), f"the column {column} holds no single values")
        for path, column, value in analysis.levels:
            if column in kinds and not pa.types.is_nested(kinds[column]):
                yield from _without(split, column, value, (*here, *path))
        if isinstance(analysis.design, Trend):
            kind = kinds.get(analysis.design.x)
            if kind is not None and not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
                yield Finding(
                    (*here, "x"), f"the column {analysis.design.x} holds no numbers but {kind}"
                )


def _without(split: Split, column: str, value: Scalar, path: Path) -> Iterator[Finding]:
    values = {json_line(found): found for found in split.table.column(column).unique().to_pylist()}
    if json_line(value) not in values:
        hint = did_you_mean(str(value), [str(found) for found in values.values()])
        yield Finding(
            path,
            f"no row of {split.config}/{split.name} has {json_line(value)} in the column {column}",
            hint,
        )
