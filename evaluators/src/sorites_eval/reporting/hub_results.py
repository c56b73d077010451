"""Scores in the form in which the Hub takes them into a model's repository.

A file under ``.eval_results/`` there puts the scores on the model's page and on the leaderboard of
the data set. Each entry is one run: the first of the task's metrics, over everything.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml
from ruamel.yaml import YAML

from sorites_eval.errors import RunError
from sorites_eval.running.finished import Run

__all__ = ["results_yaml"]


def results_yaml(runs: Sequence[Run], dataset: str | None = None) -> str:
    """The content of a file for ``.eval_results/``.

    ``dataset`` names the data set for releases that were read from a folder. Raises RunError for
    one that is not known to be on the Hub, and for runs of more than one model.
    """
    models = {run.model for run in runs}
    if len(models) > 1:
        raise RunError(
            f"runs of {len(models)} models: {', '.join(sorted(models))}. A file belongs into the "
            "repository of one model: give the runs of one."
        )
    stream = io.StringIO()
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.dump(eval_result_entries_to_yaml([_entry(run, dataset) for run in runs]), stream)
    return stream.getvalue()


def _entry(run: Run, dataset: str | None) -> EvalResultEntry:
    release = run.about["release"]
    assert isinstance(release, dict)
    repo = dataset or release["repo"]
    if not repo:
        raise RunError(
            f"{run.folder}: its release was a folder. Name the data set on the Hub: "
            "--dataset ORG/NAME."
        )
    overall = run.scores.overall
    metric = next(metric for metric in run.task.score.metrics if overall.get(metric) is not None)
    return EvalResultEntry(
        dataset_id=str(repo),
        task_id=run.task.name,
        value=overall[metric],
        dataset_revision=str(release["commit"]) or None,
        notes=_notes(run, metric, release["version"]),
    )


def _notes(run: Run, metric: str, version: object) -> str:
    asked, whole = run.about["items"], run.about["items_in_release"]
    parts = [f"{metric}, {run.setting}, version {version}"]
    if asked != whole:
        parts.append(f"a stratified sample of {asked} of {whole} items")
    return "; ".join(parts)
