"""Every label of a corrected release proved again, from its rows and its spec alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa

from sorites.canonical import Json
from sorites.engines.engine import Engine
from sorites.families.audit.judging import Judge
from sorites.families.audit.plan import AuditPlan, no_problem, read_plan
from sorites.families.audit.release_rows import APART, ITEMS, Value, item_values, reason_apart
from sorites.families.audit.rows import SourceRow

__all__ = ["reprove"]

_MOST = 100
"""Faults that are told before the rest is only counted."""


def reprove(
    tables: Mapping[tuple[str, str], pa.Table],
    document: Mapping[str, Json],
    *,
    engine: Engine | None = None,  # noqa: ARG001 - one core does it in seconds
) -> list[str]:
    """What is wrong with the rows of a release; empty if nothing is."""
    plan = read_plan(document, no_problem)
    if plan is None:
        return ["the spec of the release is not valid"]
    judge = Judge(plan)
    faults = [
        f"{config}/{split}: {row['id']}: {fault}"
        for (config, split), table in tables.items()
        for batch in table.to_batches(max_chunksize=1_000)
        for row in batch.to_pylist()
        for fault in _faults(plan, judge, config, split, row)
    ]
    if len(faults) > _MOST:
        return [*faults[:_MOST], f"and {len(faults) - _MOST:,} more"]
    return faults


def _faults(
    plan: AuditPlan, judge: Judge, config: str, split: str, row: Mapping[str, Value]
) -> Iterator[str]:
    if config not in (ITEMS, APART):
        yield f"a release of this kind has no config {config}"
        return
    source = _source_row(plan, config, split, row)
    judged = judge.row(source)
    reason = reason_apart(plan, judged)
    if config == APART:
        if reason is None:
            yield "it has a proved label"
        elif reason != row["reason"]:
            yield f"the reason is not the one given: {reason}"
        return
    if reason is not None:
        yield f"it has no proved label: {reason}"
        return
    proved = item_values(plan, judged)
    if source.words or plan.columns.words_conclusion is not None:
        # Words stand for formulas on the word of the source: they are not read.
        proved |= {"premises": row["premises"], "conclusion": row["conclusion"]}
    for name, value in row.items():
        if proved[name] != value:
            yield f"{name} is {value}, and {proved[name]} is proved"


def _source_row(plan: AuditPlan, config: str, split: str, row: Mapping[str, Value]) -> SourceRow:
    """The row as the source had it, for what is read."""
    premises, conclusion = row["premises"], row["conclusion"]
    if config == ITEMS and not plan.reader.reads_words:
        premises, conclusion = row["premise_formulas"], row["conclusion_formula"]
    assert isinstance(premises, list)
    return SourceRow(
        split,
        str(row["id"]),
        "",
        tuple(map(str, premises)),
        str(conclusion),
        str(row["label_given"]),
        bool(row.get("denied", False)),
        kept=tuple(str(row[name]) for name in plan.columns.keep),
    )
