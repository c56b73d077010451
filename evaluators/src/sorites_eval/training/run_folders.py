"""What each trained model answered, as a run's folder: compared and shown as any run is.

A folder holds ``predictions.parquet``, ``scores.json`` and ``run.json``, like one that
``sorites-eval run`` wrote; ``run.json`` has the section ``training`` beside what all runs have.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.release import Release
from sorites_eval.contract.tasks import Scalar, Task
from sorites_eval.files import write_json, write_whole
from sorites_eval.prompts.requests import Item, Message, Request
from sorites_eval.running.journal import answer_key
from sorites_eval.running.predictions import Answered, write_table
from sorites_eval.running.run import folder, sorites_version
from sorites_eval.scoring.answers import Outcome, Reading
from sorites_eval.scoring.outcomes import count_outcomes, warn_of
from sorites_eval.training.examples import Example
from sorites_eval.training.fine_tuning import Run, Summary
from sorites_eval.training.run_records import Record

__all__ = ["write_run_folders"]


def write_run_folders(
    release: Release,
    task: Task,
    summaries: Sequence[Summary],
    records: Sequence[Record],
    out: Path,
) -> None:
    """Write ``OUT/MODEL/TASK/SETTING/seed-N`` for each run of each summary.

    ``records`` are those of the same runs, in the same order. The setting of a point of a curve
    is ``CURVE + STEP``.
    """
    runs = ((summary, run) for summary in summaries for run in summary.runs)
    trained = (record for record in records if record["seed"] is not None)
    for (summary, run), record in zip(runs, trained, strict=True):
        setting = summary.training_set
        safe = re.sub(r"[^\w.@+=-]+", "-", setting).strip(".-")[:120] or "setting"
        where = folder(out, summary.model, task.name, safe) / f"seed-{run.seed}"
        _write(release, task, summary, run, record, where)


def _write(
    release: Release, task: Task, summary: Summary, run: Run, record: Record, where: Path
) -> None:
    identity: dict[str, Scalar] = {"backend": "trained", "model": summary.model}
    labels = list(task.answer.labels)
    answered = [
        _answered(release, task, identity, run.seed, row, labels[row.label], labels[label])
        for row, label in zip(summary.test, run.predicted, strict=True)
    ]
    counts = count_outcomes(entry.reading.outcome for entry in answered)
    about: dict[str, object] = {
        "run": 1,
        "release": {
            "name": release.name,
            "version": release.version,
            "content_sha256": release.content,
            "origin": release.origin,
            "repo": release.repo,
            "commit": release.commit,
        },
        "task": task.name,
        "setting": summary.training_set,
        "model": identity,
        "items": len(answered),
        "items_in_release": len(answered),
        "limit": None,
        "seed": run.seed,
        "where": [],
        "by": [],
        "repeats": 1,
        "prompts_sha256": "",
        "training": {key: record[key] for key in _TRAINING},
    }
    write_whole(where / "predictions.parquet", partial(write_table, answered=answered))
    scores: Mapping[str, object] = {"outcomes": counts, "warnings": warn_of(counts), **run.scores}
    write_json(where / "scores.json", {**about, **scores})
    document = release.benchmark.documents[task.name]
    details = {"notes": {}, "requests": len(answered), "asked": len(answered)}
    version = sorites_version()
    write_json(where / "run.json", {**about, **details, "sorites": version, "contract": document})


_TRAINING = (
    "setting",
    "curve",
    "step",
    "rows",
    "rows_added",
    "held_out",
    "added",
    "seed",
    "epochs",
    "best_epoch",
    "dropout",
    "validation",
)
"""What of a record the section ``training`` of ``run.json`` holds."""


def _answered(
    release: Release,
    task: Task,
    identity: Mapping[str, Scalar],
    seed: int,
    row: Example,
    gold: str,
    label: str,
) -> Answered:
    facts = {column: row.facts.get(column) for column in task.score.columns()}
    text = "\n".join(row.texts)
    request = Request(row.id, task.views[0].name, (Message("user", text),), "", gold)
    key = answer_key(release.content, task.name, {**identity, "seed": seed}, request)
    return Answered(
        key=key,
        item=Item(row.id, gold, None, facts, {}),
        request=request,
        gold=gold,
        reply=Reply(label),
        reading=Reading(Outcome.ANSWER, label),
    )
