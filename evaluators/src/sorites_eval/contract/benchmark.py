"""The whole of a ``benchmark.json``: what a release asks, and what was made of the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sorites_eval.contract.analyses.read import Analysis
from sorites_eval.contract.identity import Version
from sorites_eval.contract.tasks import Task

__all__ = ["Benchmark"]


@dataclass(frozen=True, slots=True)
class Benchmark:
    """All tasks of one version of a release; ``documents`` holds each as it was written.

    ``analyses`` are those that its authors made of runs on it, by name.
    """

    name: str
    version: Version
    tasks: Mapping[str, Task]
    documents: Mapping[str, object] = field(default_factory=dict)
    analyses: Mapping[str, Analysis] = field(default_factory=dict)
