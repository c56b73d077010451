"""Part of a finished run: some of its items, broken down by columns of one's own choice.

A column that the run did not keep is read again from its release, which must hold the same rows
as it did then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from sorites_eval.contract.release import Release, open_release
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.errors import InvalidRelease, RunError
from sorites_eval.prompts.asked import with_groups
from sorites_eval.prompts.conditions import Condition, matching
from sorites_eval.running.finished import Run, prediction_of
from sorites_eval.running.predictions import FACT
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import Prediction, combine, score
from sorites_eval.scoring.repeats import repeated
from sorites_eval.scoring.scores import Scores

__all__ = ["part_of"]


def part_of(
    run: Run,
    where: Sequence[Condition] = (),
    by: Sequence[tuple[str, ...]] = (),
    release: Release | str | None = None,
) -> Run:
    """The items of a run that meet all conditions, scored again, by more groups.

    ``release`` is where the release is now, if not where the run found it. Raises RunError for a
    column that is neither in the run nor in its release, a release with other rows, and conditions
    that no item meets.
    """
    if not where and not by:
        return run
    named = [condition.column for condition in where] + [c for group in by for c in group]
    table = _with_columns(run, list(dict.fromkeys(named)), release)
    rows: list[dict[str, Scalar]] = table.to_pylist()
    seen = [{condition.column: row[FACT + condition.column] for condition in where} for row in rows]
    kept = matching(where, seen)
    table = table.filter(pa.array(kept))
    document = run.about["contract"]
    assert isinstance(document, dict)
    task, document = with_groups(run.task, document, by)
    free, scores = _scored(task, table)
    ids = {str(row["id"]) for row, keep in zip(rows, kept, strict=True) if keep}
    before = run.about.get("where")
    about = {
        **run.about,
        "contract": document,
        "items": len(ids),
        "where": [*(before if isinstance(before, list) else []), *map(str, where)],
    }
    heading = {k: v for k, v in run.scores.document.items() if k in about}
    changed = {key: about[key] for key in heading}
    return replace(
        run,
        about=about,
        scores=Scores.read({**changed, **scores}),
        task=task,
        table=table,
        predictions=combine(task, free),
    )


def _with_columns(run: Run, columns: Sequence[str], release: Release | str | None) -> pa.Table:
    table = run.table
    missing = [column for column in columns if FACT + column not in table.column_names]
    if not missing:
        return table
    values = _read_again(run, missing, release)
    ids = table.column("id").to_pylist()
    for column in missing:
        found = [values[str(identity)][column] for identity in ids]
        table = table.append_column(FACT + column, pa.array(found))
    return table


def _read_again(
    run: Run, columns: Sequence[str], place: Release | str | None
) -> dict[str, Mapping[str, object]]:
    names = ", ".join(columns)
    told = run.about["release"]
    assert isinstance(told, dict)
    there = place or (f"{told['repo']}@{told['commit']}" if told["repo"] else str(told["origin"]))
    try:
        release = there if isinstance(there, Release) else open_release(there)
    except InvalidRelease as error:
        raise RunError(
            f"{run.folder}: the run did not keep {names}, and its release is not at {there}: "
            f"{error} Say where it is: --release."
        ) from error
    if release.content != run.content:
        raise RunError(
            f"{run.folder}: the run did not keep {names}, and {release.origin} has other rows "
            "than the release that was run. Say where that one is: --release."
        )
    known = release.columns(run.task.data)
    for column in columns:
        if column not in known:
            raise RunError(
                f'{run.folder}: neither the run nor its release has a column "{column}". '
                f"There are: {', '.join(known)}."
            )
    rows = release.rows(run.task.data, {run.task.id, *columns})
    for row in rows:
        for column in columns:
            if not isinstance(row[column], str | int | float | bool | None):
                raise RunError(
                    f'{run.folder}: the column "{column}" holds lists, so items cannot be told '
                    "apart by it."
                )
    return {str(row[run.task.id]): row for row in rows}


def _scored(task: Task, table: pa.Table) -> tuple[list[Prediction], dict[str, object]]:
    """All scores of a table's answers, as when the run was finished."""
    rows: list[Mapping[str, object]] = table.to_pylist()
    free = [prediction_of(task, row) for row in rows]
    scores = score(task, free)
    if any(p.repeat for p in free):
        scores["repeats"] = repeated(task, free)
    chosen = [row for row in rows if row["mass"] is not None]
    if chosen:
        scores["constrained"] = score(task, [_constrained(task, row) for row in chosen])
        ties = sum(bool(row["near_tie"]) for row in chosen)
        scores["near_ties"] = {"count": ties, "share": ties / len(chosen)}
        masses = [row["mass"] for row in chosen]
        total = sum(mass for mass in masses if isinstance(mass, float))
        scores["mean_label_mass"] = total / len(chosen)
    return free, scores


def _constrained(task: Task, row: Mapping[str, object]) -> Prediction:
    label = row["constrained"]
    found = prediction_of(task, {**row, "answer": label})
    outcome = Outcome.ANSWER if label else Outcome.UNREADABLE
    return replace(found, outcome=outcome, right_selection=None, selection=None)
