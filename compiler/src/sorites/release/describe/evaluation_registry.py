"""eval.yaml: the file by which the Hub registers a data set as a benchmark."""

from __future__ import annotations

from collections.abc import Sequence

from huggingface_hub import CardData

from sorites.specfile.model import Spec
from sorites_eval.contract.tasks import Task

__all__ = ["evaluation_registry"]


def evaluation_registry(spec: Spec, tasks: Sequence[Task]) -> str:
    """The content of eval.yaml: each task with the config and split that it scores.

    No ``evaluation_framework`` is named: the Hub accepts those of a list of its own alone, and
    this project's evaluator is not on it.
    """
    entries = [
        {"id": task.name, "config": task.data.config, "split": task.data.split} for task in tasks
    ]
    document = CardData(
        name=spec.title,
        description=" ".join(spec.summary.split()),
        tasks=entries,
    )
    return document.to_yaml(line_break="\n") + "\n"
