"""Put a task of a release to a model: what ``sorites-eval run`` does, and Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sorites_eval.backends.custom import Model, as_backend
from sorites_eval.backends.opening import Options, kind_of, open_backend
from sorites_eval.backends.protocol import Backend
from sorites_eval.contract.release import Release, open_release
from sorites_eval.contract.tasks import Task
from sorites_eval.errors import InvalidRelease
from sorites_eval.running.finished import Run, read_run
from sorites_eval.running.run import Advance, Plan, folder, perform, plan

__all__ = ["evaluate", "open_model", "plans"]


def evaluate(
    release: Release | str | Path,
    model: str | Model,
    *,
    task: str | None = None,
    setting: str | None = None,
    limit: int | None = None,
    seed: int | None = None,
    out: str | Path = "runs",
    options: Options | None = None,
    progress: Advance | None = None,
) -> Run:
    """Put the items of a task to a model, score its answers, and read the run back.

    ``release`` is an open release, its folder, or ``ORG/NAME@vVERSION`` on the Hub. ``model`` is
    a name as ``sorites-eval run --model`` takes it, a function of a ``Request``, an object with
    ``answer_batch(requests)``, or a ``Backend``; the answers of the first two are texts, the
    labels' log-probabilities, or replies.

    ``task`` may be left out where the release has only one; without a ``setting`` it is
    ``zero-shot`` if there is one, else the first. ``limit`` takes a seeded sample of at most so
    many items, in which pairs stay together. ``seed`` is that of the sample and of random answers;
    without it, that of the ``options``, which say how a named model is loaded and asked.
    ``progress`` is told how many requests are answered, of how many.

    The run is written to ``OUT/MODEL/TASK/SETTING``. If it is interrupted, the same call goes on
    where it stopped; if it is there already, nothing is asked again.

    Raises SoritesError in one of its kinds: InvalidRelease for a release, task or setting that is
    not there, ModelError for a model that cannot answer, RunError for a folder that holds a run
    of something else.
    """
    opened = release if isinstance(release, Release) else open_release(release)
    chosen = options or Options()
    if seed is not None:
        chosen = replace(chosen, seed=seed)
    name = _only_task(opened) if task is None else task
    settings = [] if setting is None else [setting]
    (planned,) = plans(opened, [name], settings, limit=limit, seed=chosen.seed)
    backend, where = open_model(model, planned, chosen, Path(out))
    perform(planned, backend, where, progress)
    return read_run(where)


def plans(
    release: Release,
    tasks: Sequence[str] = (),
    settings: Sequence[str] = (),
    *,
    limit: int | None = None,
    seed: int = 0,
) -> list[Plan]:
    """A plan for each task in each setting, read and checked before any model is loaded.

    Without names, every task; without settings, ``zero-shot`` if a task has it, else its first.
    Raises InvalidRelease for a task or setting that is not there, with the nearest one.
    """
    found = [release.task(name) for name in tasks or release.benchmark.tasks]
    return [
        plan(release, task, setting, limit=limit, seed=seed)
        for task in found
        for setting in settings or [_default_setting(task)]
    ]


def open_model(
    model: str | Model, planned: Plan, options: Options, out: Path
) -> tuple[Backend, Path]:
    """The backend for a model, and the folder for its run: ``OUT/MODEL/TASK/SETTING``.

    Raises ModelError for a model that cannot be opened.
    """
    if not isinstance(model, str):
        backend = as_backend(model, options.batch_size)
        name = str(backend.identity()["model"])
        return backend, folder(out, name, planned.task.name, planned.setting)
    kind = kind_of(model)
    # The same model may be run in several ways into the same folder.
    where = folder(out / kind.folder, kind.name(model), planned.task.name, planned.setting)
    return open_backend(model, planned.task, planned.everything, options, where), where


def _default_setting(task: Task) -> str:
    return "zero-shot" if "zero-shot" in task.prompts else next(iter(task.prompts))


def _only_task(release: Release) -> str:
    names = list(release.benchmark.tasks)
    if len(names) > 1:
        raise InvalidRelease(
            f"{release.name} {release.version} has several tasks: give task= one of "
            f"{', '.join(names)}."
        )
    return names[0]
