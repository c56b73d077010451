"""Scores in the form in which the Hub takes them into a model's repository.

A file under ``.eval_results/`` there puts the scores on the model's page and on the leaderboard of
the data set. Each entry is one run: the first of the task's metrics, over everything.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import httpx2
import yaml
from huggingface_hub import (
    CommitOperationAdd,
    EvalResultEntry,
    HfApi,
    eval_result_entries_to_yaml,
)
from huggingface_hub.errors import HfHubHTTPError, HFValidationError

from sorites_eval.errors import RunError
from sorites_eval.reporting.measure_intervals import intervals
from sorites_eval.running.finished import Run

__all__ = ["push_results", "results_yaml"]


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
    entries = eval_result_entries_to_yaml([_entry(run, dataset) for run in runs])
    return str(yaml.safe_dump(entries, sort_keys=False, allow_unicode=True))


def push_results(runs: Sequence[Run], repo: str, dataset: str | None = None) -> str:
    """Commit the scores to a model's repository on the Hub, at once; returns where they are.

    Each data set and task has a file of its own under ``.eval_results/``, so that scores of another
    task stay as they are. The token is HF_TOKEN of the environment. Raises RunError, saying what
    to do, for a repository that is not there, one that the token may not write, and a Hub that
    cannot be reached; then nothing was changed.
    """
    files: dict[str, list[Run]] = {}
    for run in runs:
        name = _dataset(run, dataset).rpartition("/")[2]
        files.setdefault(f".eval_results/{name}-{run.task.name}.yaml", []).append(run)
    results_yaml(runs, dataset)
    adds = [
        CommitOperationAdd(path, results_yaml(some, dataset).encode())
        for path, some in files.items()
    ]
    token = os.environ.get("HF_TOKEN")
    if not token:
        raise RunError(f"{repo}: set HF_TOKEN to a token with the right to write there.")
    title = f"Add scores on {', '.join(dict.fromkeys(map(_version, runs)))}"
    api = HfApi(token=token)
    try:
        if not api.repo_exists(repo):
            raise RunError(
                f"{repo}: no such model on {api.endpoint}. The scores go into the repository of "
                "the model that was run; it must be there and visible with your HF_TOKEN."
            )
        done = api.create_commit(repo, adds, commit_message=title[:200])
    except HFValidationError as error:
        raise RunError(f"{repo}: not ORG/NAME of a model on the Hub.") from error
    except HfHubHTTPError as error:
        status = error.response.status_code
        if status in {401, 403}:
            raise RunError(
                f"{repo}: the Hub refused to write ({status}). Set HF_TOKEN to a token with the "
                "right to write there."
            ) from error
        raise RunError(f"{repo}: the Hub answered {status}; nothing was pushed.") from error
    except (OSError, httpx2.HTTPError) as error:
        raise RunError(f"{repo}: the Hub cannot be reached: {type(error).__name__}.") from error
    return f"{api.endpoint}/{repo}/tree/{done.oid}/.eval_results"


def _version(run: Run) -> str:
    release = run.about["release"]
    assert isinstance(release, dict)
    return f"{release['name']} {release['version']}"


def _dataset(run: Run, dataset: str | None) -> str:
    release = run.about["release"]
    assert isinstance(release, dict)
    repo = dataset or release["repo"]
    if not repo:
        raise RunError(
            f"{run.folder}: its release was a folder. Name the data set on the Hub: "
            "--dataset ORG/NAME."
        )
    return str(repo)


def _entry(run: Run, dataset: str | None) -> EvalResultEntry:
    release = run.about["release"]
    assert isinstance(release, dict)
    overall = run.scores.overall
    metric = next(metric for metric in run.task.score.metrics if overall.get(metric) is not None)
    return EvalResultEntry(
        dataset_id=_dataset(run, dataset),
        task_id=run.task.name,
        value=overall[metric],
        dataset_revision=str(release["commit"]) or None,
        notes=_notes(run, metric, release["version"]),
    )


def _notes(run: Run, metric: str, version: object) -> str:
    asked, whole = run.about["items"], run.about["items_in_release"]
    parts = [f"{metric}, {run.setting}, version {version}"]
    if asked != whole:
        parts.append(_sampled(run.about))
    found = intervals(run.task, run.predictions, {metric: run.scores.overall[metric]})
    if metric in found:
        parts.append(f"95 % interval {found[metric].low:.3f} to {found[metric].high:.3f}")
    return "; ".join(parts)


def _sampled(about: Mapping[str, object]) -> str:
    asked, whole, where = about["items"], about["items_in_release"], about.get("where")
    if not where:
        return f"a stratified sample of {asked} of {whole} items"
    conditions = ", ".join(map(str, where if isinstance(where, list) else [where]))
    return f"{asked} of {whole} items, with {conditions}"
