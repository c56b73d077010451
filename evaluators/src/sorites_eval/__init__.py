"""Evaluate models on any benchmark release: a release and a model in, scores out.

    import sorites_eval

    release = sorites_eval.open_release("ORG/NAME@v1.0.0")
    run = sorites_eval.evaluate(release, "random", task="entailment", limit=200)
    print(run.scores.overall)

What the command ``sorites-eval`` does is the same code. Nothing is imported before it is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sorites_eval.analysis import analyse, compare, report, select
    from sorites_eval.backends.opening import Options
    from sorites_eval.backends.protocol import Backend, Choice, Reply
    from sorites_eval.contract.faults import InvalidBenchmark
    from sorites_eval.contract.identity import Version
    from sorites_eval.contract.release import Release, open_release
    from sorites_eval.contract.tasks import Task
    from sorites_eval.errors import InvalidRelease, ModelError, RunError, SoritesError
    from sorites_eval.evaluation import evaluate
    from sorites_eval.prompts.requests import Request
    from sorites_eval.reporting.analyses.found import Found
    from sorites_eval.reporting.compare import Comparison, Finding, Standing
    from sorites_eval.running.finished import Run, find_runs, read_run
    from sorites_eval.scoring.prediction import Prediction
    from sorites_eval.scoring.scores import Group, Scores

    __version__: str

__all__ = [
    "Backend",
    "Choice",
    "Comparison",
    "Finding",
    "Found",
    "Group",
    "InvalidBenchmark",
    "InvalidRelease",
    "ModelError",
    "Options",
    "Prediction",
    "Release",
    "Reply",
    "Request",
    "Run",
    "RunError",
    "Scores",
    "SoritesError",
    "Standing",
    "Task",
    "Version",
    "__version__",
    "analyse",
    "compare",
    "evaluate",
    "find_runs",
    "open_release",
    "read_run",
    "report",
    "select",
]

_HOMES = {
    "sorites_eval.analysis": ("analyse", "compare", "report", "select"),
    "sorites_eval.backends.opening": ("Options",),
    "sorites_eval.backends.protocol": ("Backend", "Choice", "Reply"),
    "sorites_eval.contract.faults": ("InvalidBenchmark",),
    "sorites_eval.contract.identity": ("Version",),
    "sorites_eval.contract.release": ("Release", "open_release"),
    "sorites_eval.contract.tasks": ("Task",),
    "sorites_eval.errors": ("InvalidRelease", "ModelError", "RunError", "SoritesError"),
    "sorites_eval.evaluation": ("evaluate",),
    "sorites_eval.prompts.requests": ("Request",),
    "sorites_eval.reporting.analyses.found": ("Found",),
    "sorites_eval.reporting.compare": ("Comparison", "Finding", "Standing"),
    "sorites_eval.running.finished": ("Run", "find_runs", "read_run"),
    "sorites_eval.scoring.prediction": ("Prediction",),
    "sorites_eval.scoring.scores": ("Group", "Scores"),
}
"""Where each public name is defined; imported when it is asked for (PEP 562)."""


# Hidden from type checkers, to which it would say that every name there is exists.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name == "__version__":
            from importlib.metadata import version

            value: object = version("sorites-eval")
        else:
            from importlib import import_module

            home = next((home for home, names in _HOMES.items() if name in names), None)
            if home is None:
                raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
            value = getattr(import_module(home), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
