"""Answers that a release holds, such as people's, as if a model had given them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Reference, Scalar, Task
from sorites_eval.errors import InvalidRelease
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import Prediction

__all__ = ["reference_predictions"]


def reference_predictions(
    release: Release, task: Task, reference: Reference, columns: Iterable[str] = ()
) -> list[Prediction]:
    """One prediction a row of the reference, with the columns of the task and further ones.

    A column that the table lacks is null. Raises InvalidRelease for a split or a column that is
    not there, or a value without a label.
    """
    table = reference.table
    there = release.columns(table)
    facts = dict.fromkeys((*task.score.columns(), *columns))
    kept = [column for column in facts if column in there]
    found = []
    for row in release.rows(table, {task.id, task.answer.gold, reference.answer, *kept}):
        values = cast("dict[str, Scalar]", row)
        gold, said = (task.answer.label_of(values[c]) for c in (task.answer.gold, reference.answer))
        if gold is None or said is None:
            raise InvalidRelease(
                f"{table.config}/{table.split}: {values[task.id]}: a value has no label"
            )
        of_row = {column: values.get(column) for column in facts}
        identity = str(values[task.id])
        found.append(Prediction(identity, task.views[0].name, gold, said, Outcome.ANSWER, of_row))
    return found
