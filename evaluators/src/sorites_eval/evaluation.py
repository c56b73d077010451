"""Put a task of a release to a model: what ``sorites-eval run`` does, and Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sorites_eval.backends.api.oddities import silent
from sorites_eval.backends.custom import Model, as_backend
from sorites_eval.backends.opening import Open, Options, kind_of, open_backend
from sorites_eval.backends.protocol import Backend
from sorites_eval.backends.replicas.engine import opener
from sorites_eval.contract.release import Release, open_release
from sorites_eval.errors import InvalidRelease, ModelError, RunError
from sorites_eval.files import check_folder
from sorites_eval.prompts.asked import read_prompt_file
from sorites_eval.prompts.conditions import read_columns, read_conditions
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
    where: Sequence[str] = (),
    by: Sequence[str] = (),
    repeats: int = 1,
    prompts: str | Path | None = None,
    max_tokens: int | None = None,
    system_prompt: str = "",
    max_errors: int | None = None,
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

    ``where`` are conditions that items must meet, as ``["distractors=0,names=real"]``; ``by`` are
    groupings by which scores are broken down further, as ``["scheme,distractors"]``. Each item
    is asked ``repeats`` times, which asks for a temperature in the options where a model would
    else repeat itself. ``prompts`` is a file of settings, in the form of the section ``prompts`` of
    a task, which are there beside the task's own or instead of them.

    ``max_tokens`` is how much a model may write, thought included; ``system_prompt`` stands before
    the task's own instructions; a run in which more than ``max_errors`` requests fail stops.

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
    (planned,) = plans(
        opened,
        [name],
        settings,
        limit=limit,
        seed=chosen.seed,
        where=where,
        by=by,
        repeats=repeats,
        prompts=prompts,
        max_tokens=max_tokens,
        system_prompt=system_prompt,
    )
    with opener(chosen) as opening:
        backend, place = open_model(model, planned, chosen, Path(out), opening=opening)
        perform(planned, backend, place, progress, max_errors=max_errors)
    return read_run(place)


def plans(
    release: Release,
    tasks: Sequence[str] = (),
    settings: Sequence[str] = (),
    *,
    limit: int | None = None,
    seed: int = 0,
    where: Sequence[str] = (),
    by: Sequence[str] = (),
    repeats: int = 1,
    prompts: str | Path | None = None,
    max_tokens: int | None = None,
    system_prompt: str = "",
) -> list[Plan]:
    """A plan for each task in each setting, read and checked before any model is loaded.

    Without names, every task; without settings, ``zero-shot`` if a task has it, else its first;
    with a file of ``prompts`` the same of that file's settings, which are those of one task. Raises
    InvalidRelease for a task, setting or column that is not there, RunError for conditions
    that no item meets and for prompts that break the contract.
    """
    found = [release.task(name) for name in tasks or release.benchmark.tasks]
    file = None if prompts is None else read_prompt_file(Path(prompts))
    if file is not None and len(found) > 1:
        raise RunError(
            f"{file.path}: prompts are those of one task, and {len(found)} are to be run. "
            f"Name one: {', '.join(task.name for task in found)}."
        )
    conditions, groups = read_conditions(where), read_columns(by)
    return [
        plan(
            release,
            task,
            setting,
            limit=limit,
            seed=seed,
            where=conditions,
            by=groups,
            repeats=repeats,
            prompt_file=file,
            max_tokens=max_tokens,
            system_prompt=system_prompt,
        )
        for task in found
        for setting in settings or [_default_setting(file.settings if file else task.prompts)]
    ]


def open_model(
    model: str | Model,
    planned: Plan,
    options: Options,
    out: Path,
    tell: Callable[[str], None] = silent,
    opening: Open = open_backend,
) -> tuple[Backend, Path]:
    """The backend for a model, and the folder for its run: ``OUT/MODEL/TASK/SETTING``.

    ``tell`` hears of what should be seen at once, such as odd answers of an endpoint; ``opening``
    opens a model that is named, in this process or on a cluster. Raises ModelError for a model
    that cannot be opened, and RunError for a folder that cannot be written.
    """
    if not isinstance(model, str):
        if options.engine is not None:
            raise ModelError(
                "workers open a model by its name: with an engine, give python:package.module:name "
                "and not the object."
            )
        backend = as_backend(model, options.batch_size)
        name = str(backend.identity()["model"])
        where = folder(out, name, planned.task.name, planned.setting)
        check_folder(where)
        return backend, where
    kind = kind_of(model)
    if kind.greedy and planned.repeats > 1 and not options.temperature:
        raise ModelError(
            f"{model}: without a temperature every one of {planned.repeats} answers to an item is "
            "the same. Give one, such as --temperature 0.7."
        )
    # The same model may be run in several ways into the same folder.
    where = folder(out / kind.folder, kind.name(model), planned.task.name, planned.setting)
    # To open a model takes minutes.
    check_folder(where)
    return opening(model, planned.task, planned.everything, options, where, tell), where


def _default_setting(settings: Mapping[str, object]) -> str:
    return "zero-shot" if "zero-shot" in settings else next(iter(settings))


def _only_task(release: Release) -> str:
    names = list(release.benchmark.tasks)
    if len(names) > 1:
        raise InvalidRelease(
            f"{release.name} {release.version} has several tasks: give task= one of "
            f"{', '.join(names)}."
        )
    return names[0]
