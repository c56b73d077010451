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
    from sorites_eval.analysis import compare, report, select
    from sorites_eval.backends.opening import Options
    from sorites_eval.backends.protocol import Backend, Choice, Reply
    from sorites_eval.contract.faults import InvalidBenchmark
    from sorites_eval.contract.release import Release, open_release
    from sorites_eval.contract.tasks import Task
    from sorites_eval.errors import InvalidRelease, ModelError, RunError, SoritesError
    from sorites_eval.evaluation import evaluate
    from sorites_eval.prompts.requests import Request
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
    "__version__",
    "compare",
    "evaluate",
    "find_runs",
    "open_release",
    "read_run",
    "report",
    "select",
]

_HOMES = {
    "analysis": ("compare", "report", "select"),
    "backends.opening": ("Options",),
    "backends.protocol": ("Backend", "Choice", "Reply"),
    "contract.faults": ("InvalidBenchmark",),
    "contract.release": ("Release", "open_release"),
    "contract.tasks": ("Task",),
    "errors": ("InvalidRelease", "ModelError", "RunError", "SoritesError"),
    "evaluation": ("evaluate",),
    "prompts.requests": ("Request",),
    "reporting.compare": ("Comparison", "Finding", "Standing"),
    "running.finished": ("Run", "find_runs", "read_run"),
    "scoring.prediction": ("Prediction",),
    "scoring.scores": ("Group", "Scores"),
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
            value = getattr(import_module(f"{__name__}.{home}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
