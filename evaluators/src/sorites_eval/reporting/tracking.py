"""The scores of finished runs in a tracker of experiments, beside their files."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Protocol, cast

from sorites_eval.errors import RunError
from sorites_eval.names import did_you_mean
from sorites_eval.running.finished import Run

__all__ = ["Tracker", "measures", "open_tracker"]


class _Trackio(Protocol):
    """As much of trackio as is used here."""

    def init(
        self,
        project: str,
        *,
        name: str,
        group: str,
        config: dict[str, object],
        embed: bool,
        auto_log_gpu: bool,
        auto_log_cpu: bool,
    ) -> object: ...
    def log(self, metrics: dict[str, object]) -> None: ...
    def finish(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Tracker:
    """A project of trackio, local unless TRACKIO_SPACE_ID in the environment names a place."""

    project: str
    _library: _Trackio

    def log(self, run: Run) -> None:
        """Log one run: its identity as the configuration, its scores as metrics.

        Raises RunError if the library cannot do it; the run itself is written before that.
        """
        try:
            # What the library says is for people; standard output is the command's own.
            with redirect_stdout(sys.stderr):
                self._library.init(
                    self.project,
                    name=run.name,
                    group=run.task.name,
                    config=_configuration(run),
                    embed=False,
                    auto_log_gpu=False,
                    auto_log_cpu=False,
                )
                self._library.log(dict(measures(run)))
                self._library.finish()
        except Exception as error:
            raise RunError(
                f"trackio:{self.project}: {type(error).__name__}: {error} The run is in "
                f"{run.folder}; the same command logs it again."
            ) from error


def open_tracker(target: str) -> Tracker:
    """The tracker for ``trackio:PROJECT``; RunError, before anything is run, if there is none."""
    kind, colon, project = target.partition(":")
    if kind != "trackio" or not colon or not project.strip():
        raise RunError(
            f"--log {target}: expected trackio:PROJECT. {did_you_mean(kind, ['trackio'])}"
        )
    try:
        library = importlib.import_module("trackio")
    except ModuleNotFoundError as error:
        raise RunError(
            f"--log {target}: {error.name} is needed: pip install 'sorites-eval[trackio]'."
        ) from error
    return Tracker(project, cast("_Trackio", library))


def measures(run: Run) -> Mapping[str, float]:
    """Every defined score of a run by a name such as ``overall/accuracy`` or ``pass_at/4``."""
    found = {f"overall/{name}": value for name, value in run.scores.overall.items()}
    if run.scores.constrained is not None:
        constrained = run.scores.constrained.overall
        found |= {f"constrained/{name}": value for name, value in constrained.items()}
    repeats = run.scores.document.get("repeats")
    if isinstance(repeats, Mapping):
        found["majority/accuracy"] = repeats["majority"]["estimate"]
        found |= {f"pass_at/{entry['k']}": entry["estimate"] for entry in repeats["pass_at_k"]}
    return {name: float(value) for name, value in found.items() if value is not None}


def _configuration(run: Run) -> dict[str, object]:
    release, model = run.about["release"], run.about["model"]
    assert isinstance(release, dict)
    assert isinstance(model, dict)
    asked = {key: run.about.get(key) for key in ("task", "setting", "items", "seed", "repeats")}
    told = {f"release.{key}": release[key] for key in ("name", "version", "content_sha256")}
    return {**asked, **told, **{f"model.{key}": value for key, value in model.items()}}
