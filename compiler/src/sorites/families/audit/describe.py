"""What the rows to be audited hold: columns, labels with what they mean, premises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from sorites.errors import Problem, SoritesError
from sorites.families.audit.build import plan_of
from sorites.families.audit.plan import AuditPlan
from sorites.families.audit.rows import source_rows
from sorites.families.description import Cell, Description, Table, examples
from sorites.sources.sentence_pairs.table_formats import column_names
from sorites.specfile.model import Spec

__all__ = ["describe"]

UNKNOWN = "nothing that the spec knows"


def describe(spec: Spec, files: Mapping[str, Path]) -> Description:
    """Columns, rows, labels and numbers of premises of each split; nothing is proved."""
    plan = plan_of(spec)
    at_hand = {split: source for split, source in plan.splits.items() if source in files}
    labels: Counter[str] = Counter()
    splits: list[tuple[Cell, ...]] = []
    problems: list[Problem] = []
    for split, source in at_hand.items():
        try:
            names = column_names(files[source], plan.layout)
            rows = [*source_rows(plan.only(split), files)]
        except SoritesError as error:
            problems.append(spec.document.problem(("data", "splits", split), str(error)))
            continue
        labels.update(row.label for row in rows)
        sizes = sorted(len(row.premises) for row in rows)
        splits.append((split, len(rows), f"{sizes[0]} to {sizes[-1]}", examples(names, most=8)))
    tables = (
        Table("Splits", ("Split", "Rows", "Premises", "Columns"), tuple(splits)),
        Table("Labels", ("Label", "Rows", "Means"), tuple(_labels(plan, labels))),
    )
    return Description(tuple(table for table in tables if table.rows), tuple(problems))


def _labels(plan: AuditPlan, counts: Counter[str]) -> list[tuple[Cell, ...]]:
    return [
        (
            examples([label]),
            count,
            ", ".join(each.value for each in plan.labels.get(label, ())) or UNKNOWN,
        )
        for label, count in counts.most_common(_SHOWN)
    ]


_SHOWN = 20
"""Labels that are listed, the most frequent ones."""
