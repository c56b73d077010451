"""Runs of two baselines and of a model that does not always answer, on a release with analyses."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from sorites_eval.backends.baselines import Random
from sorites_eval.backends.protocol import Reply
from sorites_eval.contract.release import Release, open_release
from sorites_eval.contract.tasks import Scalar
from sorites_eval.prompts.requests import Request
from sorites_eval.running.finished import Run, find_runs
from sorites_eval.running.run import perform, plan
from tests.evaluators.conftest import DOCUMENT, small_tables, write_release

ANALYSES = {
    "results": {
        "kind": "table",
        "title": "Results | all",
        "source": "A paper, table 1",
        "tasks": ["entailment"],
        "rows": ["model"],
        "columns": ["setting"],
        "totals": ["model"],
        "metrics": [
            "response-types",
            "accuracy",
            "recall",
            "precision",
            "f1",
            "precision-unanswered-wrong",
            "f1-unanswered-wrong",
        ],
    },
    "change": {
        "kind": "table",
        "title": "What examples change",
        "tasks": ["entailment"],
        "rows": ["scheme"],
        "columns": ["model"],
        "metrics": ["accuracy"],
        "difference": {"of": "setting", "levels": ["zero-shot", "few-shot"]},
    },
    "distractors": {
        "kind": "trend",
        "title": "Over distractors",
        "tasks": ["entailment"],
        "x": "distractors",
        "metric": "accuracy",
        "within": ["scheme"],
        "pooled": ["label"],
    },
    "settings": {
        "kind": "contrast",
        "title": "Settings",
        "tasks": ["entailment"],
        "between": "setting",
        "levels": ["zero-shot", "few-shot"],
        "lines": ["scheme", "distractors"],
        "panels": ["model"],
        "metrics": ["accuracy"],
    },
    "texts": {
        "kind": "distribution",
        "title": "Kinds of text",
        "tasks": ["entailment"],
        "of": "responses",
        "bars": ["model"],
        "panels": ["setting"],
    },
    "grid": {
        "kind": "heat",
        "title": "Schemes and distractors",
        "tasks": ["entailment"],
        "rows": "scheme",
        "columns": "distractors",
        "panels": ["model", "setting"],
        "metric": "f1",
    },
    "tests": {
        "kind": "paired-tests",
        "title": "Paired tests",
        "tasks": ["entailment"],
        "unit": ["scheme", "distractors", "label"],
        "metric": "accuracy",
        "families": {
            "models": {"between": "model"},
            "settings": {"between": "setting", "levels": ["zero-shot", "few-shot"]},
        },
        "level": 0.01,
    },
}


class Hesitant:
    """Answers every third item in a chain of thought, every fifth not at all, some wrongly."""

    def identity(self) -> Mapping[str, Scalar]:
        return {"backend": "test", "model": "hesitant"}

    def notes(self) -> Mapping[str, Scalar]:
        return {}

    def answer(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        for position, request in enumerate(requests):
            text = f"{request.id} {len(request.messages)}"
            draw = int(hashlib.sha256(text.encode()).hexdigest()[:4], 16)
            other = {"True": "False", "False": "True"}[request.gold]
            said = request.gold if draw % 7 < 4 else other
            if draw % 5 == 0:
                yield position, Reply("I cannot say." if draw % 2 else "")
            elif draw % 3 == 0:
                yield position, Reply(f"P1 names a group. P2 is about it. So the answer is {said}.")
            else:
                yield position, Reply(said)


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    document = json.loads(json.dumps(DOCUMENT)) | {"analyses": ANALYSES}
    # The label is a column by which scores are broken down here.
    document["tasks"]["entailment"]["score"]["groups"].append(["label"])
    root = tmp_path_factory.mktemp("analyses") / "small" / "1.0.0"
    return open_release(str(write_release(root, document, small_tables(items=240))))


@pytest.fixture(scope="session")
def folder(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs in both settings, of two models."""
    out = tmp_path_factory.mktemp("runs")
    task = release.task("entailment")
    models: Sequence[tuple[str, Callable[[], object]]] = (
        ("hesitant", Hesitant),
        ("random", lambda: Random(task, 0)),
    )
    for setting in ("zero-shot", "few-shot"):
        drawn = plan(release, task, setting)
        for name, model in models:
            perform(drawn, model(), out / name / setting)  # type: ignore[arg-type]
    return out


@pytest.fixture(scope="session")
def runs(folder: Path) -> list[Run]:
    return find_runs([folder])
