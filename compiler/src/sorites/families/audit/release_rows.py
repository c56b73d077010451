"""The rows of the release: those with a proved label, and those without, apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import pyarrow as pa

from sorites.canonical import digest
from sorites.families.audit.judging import JudgedRow, numbers
from sorites.families.audit.plan import AuditPlan
from sorites.logic.first_order.prover import Check
from sorites.logic.prover import Verdict
from sorites.release.content import Column, Split, schema_of

__all__ = ["APART", "ITEMS", "item_values", "reason_apart", "splits_of"]

ITEMS, APART = "items", "apart"
"""The configs: rows whose label is proved, and rows that have none."""

Value: TypeAlias = "str | bool | list[str] | list[int] | None"

_TEXT = pa.string()
_TEXTS = pa.list_(pa.string())
_NUMBERS = pa.list_(pa.int32())


def item_columns(plan: AuditPlan) -> tuple[Column, ...]:
    """The columns of the config ``items``."""
    words = plan.columns.words_conclusion is not None
    shown = "in words, as the source has them" if words else "as the source has them"
    columns = [
        Column("id", _TEXT, "Identity of the row within its split, as in the source."),
        Column("premises", _TEXTS, f"The premises, {shown}."),
        Column("conclusion", _TEXT, f"The conclusion, {shown}."),
        Column("label", _TEXT, "The label that is proved."),
        Column("label_given", _TEXT, "The label that the source gives."),
        Column("corrected", pa.bool_(), "Whether the two differ."),
        Column(
            "verdict",
            _TEXT,
            "entailed, contradicted, undetermined, or inconsistent where the premises cannot all "
            "be true and the source has a label for that.",
        ),
        Column("premise_formulas", _TEXTS, "The premises as formulas: what was proved."),
        Column("conclusion_formula", _TEXT, "The conclusion as a formula."),
        Column("needed", _NUMBERS, "Premises, from 1, of a proof that needs each of them."),
        Column("redundant", _NUMBERS, "Premises, from 1, that follow from the others."),
        Column("check", _TEXT, "What says the same besides Z3."),
        Column("story", _TEXT, "Equal for rows with the same premises."),
    ]
    if plan.columns.denied is not None:
        columns.append(
            Column("denied", pa.bool_(), "Whether the label is about the negated conclusion.")
        )
    for universal in plan.universals[1:]:
        columns += [
            Column(
                f"verdict_{universal}", _TEXT, f"The verdict under the {universal} reading of all."
            ),
            Column(
                f"label_{universal}",
                _TEXT,
                f"The label under the {universal} reading of all; null for a verdict without one.",
            ),
        ]
    return (*columns, *_kept(plan))


def apart_columns(plan: AuditPlan) -> tuple[Column, ...]:
    """The columns of the config ``apart``."""
    return (
        Column("id", _TEXT, "Identity of the row within its split, as in the source."),
        Column("premises", _TEXTS, "The premises, as the source has them, to be read."),
        Column("conclusion", _TEXT, "The conclusion, as the source has it, to be read."),
        Column("label_given", _TEXT, "The label that the source gives."),
        Column("denied", pa.bool_(), "Whether the label is about the negated conclusion."),
        Column("reason", _TEXT, "Why there is no proved label."),
        *_kept(plan),
    )


def _kept(plan: AuditPlan) -> Iterator[Column]:
    for name in plan.columns.keep:
        yield Column(name, _TEXT, "A column of the source, kept as text.")


def item_values(plan: AuditPlan, judged: JudgedRow) -> dict[str, Value]:
    """A row of ``items`` by column; the row has a proved label."""
    row, read = judged.row, judged.read
    assert read is not None
    first = plan.universals[0]
    judgement = judged.judgements[first]
    words = row.words or (*row.premises, row.conclusion)
    label = judged.label(plan, first)
    values: dict[str, Value] = {
        "id": row.id,
        "premises": list(words[:-1]),
        "conclusion": words[-1],
        "label": label,
        "label_given": row.label,
        "corrected": label != row.label,
        "verdict": judgement.verdict.value,
        "premise_formulas": list(read.texts[:-1]),
        "conclusion_formula": read.texts[-1],
        "needed": numbers(judgement.needed),
        "redundant": numbers(judged.redundant),
        "check": judgement.check.value,
        "story": digest(list(judged.story))[:16],
        "denied": row.denied,
    }
    for universal in plan.universals[1:]:
        values[f"verdict_{universal}"] = judged.judgements[universal].verdict.value
        values[f"label_{universal}"] = judged.label(plan, universal)
    return {**values, **dict(zip(plan.columns.keep, row.kept, strict=True))}


def reason_apart(plan: AuditPlan, judged: JudgedRow) -> str | None:
    """Why a row has no proved label; None for one that has."""
    if judged.read is None:
        return "; ".join(map(str, judged.troubles))
    judgement = judged.judgements[plan.universals[0]]
    if plan.label_of(judgement.verdict) is not None:
        return None
    match judgement.verdict:
        case Verdict.INCONSISTENT:
            return "the premises cannot all be true"
        case Verdict.UNKNOWN if judgement.check is Check.DISAGREES:
            return "two ways to prove it disagree"
        case Verdict.UNKNOWN:
            return "the prover met its limit"
    return f"no label of the source says {judgement.verdict.value}"


def splits_of(plan: AuditPlan, rows: Sequence[JudgedRow]) -> tuple[Split, ...]:
    """The splits of the release; one without rows is left out."""
    items: dict[str, list[dict[str, Value]]] = {split: [] for split in plan.splits}
    apart: dict[str, list[dict[str, Value]]] = {split: [] for split in plan.splits}
    for judged in rows:
        row = judged.row
        reason = reason_apart(plan, judged)
        if reason is None:
            items[row.split].append(item_values(plan, judged))
            continue
        kept = dict(zip(plan.columns.keep, row.kept, strict=True))
        apart[row.split].append(
            {
                "id": row.id,
                "premises": list(row.premises),
                "conclusion": row.conclusion,
                "label_given": row.label,
                "denied": row.denied,
                "reason": reason,
                **kept,
            }
        )
    told = (
        (ITEMS, items, item_columns(plan), "Rows whose label is proved."),
        (APART, apart, apart_columns(plan), "Rows that have no proved label, and why."),
    )
    return tuple(
        Split(config, split, what, columns, _table(found, columns))
        for config, by_split, columns, what in told
        for split, found in by_split.items()
        if found
    )


def _table(rows: Sequence[dict[str, Value]], columns: Sequence[Column]) -> pa.Table:
    return pa.table(
        {column.name: [row[column.name] for row in rows] for column in columns},
        schema=schema_of(columns),
    )
