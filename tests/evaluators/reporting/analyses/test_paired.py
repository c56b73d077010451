"""Families of paired tests: how many there are, and who is compared with whom."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from sorites_eval.contract.analyses.read import read_analyses
from sorites_eval.contract.release import Release, open_release
from sorites_eval.contract.values import Node
from sorites_eval.reporting.analyses.paired import paired_tests
from sorites_eval.reporting.analyses.samples import Evidence
from sorites_eval.reporting.analyses.trained import Breakdown, Trained
from sorites_eval.running.finished import Run
from sorites_eval.scoring.answers import Outcome
from sorites_eval.scoring.metrics import Prediction
from sorites_eval.scoring.scores import Scores

NAMES = ("skilled", "a", "b")
LANGUAGES = ("el", "en", "ja", "ro", "tr")
RELATIONS = ("1", "2", "3")
DESIGN = {
    "kind": "paired-tests",
    "title": "All tests",
    "tasks": ["relation"],
    "unit": ["language_1", "language_2"],
    "metric": "f1-by-label",
    "families": {
        "within": {"between": "model", "measures": "each"},
        "overall": {"between": "model", "measures": "pooled"},
        "settings": {"between": "setting", "measures": "both"},
    },
    "level": 0.01,
}


def predictions(seed: str) -> Iterator[Prediction]:
    """Three pairs of each relation for each pair of languages; who is skilled answers rightly."""
    chance = random.Random(seed)
    skill = 0.9 if "skilled" in seed else 0.4
    for first in LANGUAGES:
        for second in LANGUAGES:
            for number, gold in enumerate(RELATIONS * 3):
                said = gold if chance.random() < skill else chance.choice(RELATIONS)
                facts = {"language_1": first, "language_2": second}
                identity = f"{first}-{second}-{number}"
                yield Prediction(identity, "", gold, said, Outcome.ANSWER, facts)


def run(release: Release, model: str, setting: str, backend: str) -> Run:
    task = release.task("relation")
    about = {
        "setting": setting,
        "model": {"backend": backend, "model": model},
        "release": {"content_sha256": release.content},
    }
    scores = Scores.read({"overall": {}, "groups": [], "confusion": {}})
    seed = model if backend == "baseline" else f"{model} {setting}"
    return Run(Path(model), about, scores, task, pa.table({}), [*predictions(seed)])


def neural(release: Release) -> Trained:
    chance = random.Random("neural")
    rows = [
        Breakdown(
            {"language_1": first, "language_2": second},
            {f"f1 {label}": chance.random() for label in ("hypernym", "hyponym", "antonym")},
        )
        for first in LANGUAGES
        for second in LANGUAGES
    ]
    content = release.content
    return Trained(content, "relation", "neural", "cross-validation", (*rows,), everywhere=True)


def test_seventeen_models_and_two_baselines_give_1436_tests(small_release: Path) -> None:
    """Those of the paper on relations from gloss pairs: 25 F1 a relation, 75 a model."""
    release = open_release(str(small_release))
    (analysis,) = read_analyses(Node({"all": DESIGN}), release.benchmark.tasks).values()
    runs = [
        run(release, f"model {number}", setting, "local")
        for number in range(17)
        for setting in ("zero-shot", "two-shot")
    ]
    runs.append(run(release, "random", "zero-shot", "baseline"))
    families, tests = paired_tests(
        analysis, analysis.design, Evidence(runs, [neural(release)]), release
    )
    assert [line.values["tests"] for line in families.lines] == [1026, 342, 68]
    assert len(tests.lines) == 1436
    sizes = Counter((line.key["measure"], line.values["n"]) for line in tests.lines)
    assert {n for (measure, n) in sizes if measure != "all measures"} == {25}
    assert {n for (measure, n) in sizes if measure == "all measures"} == {75}
    assert {measure for measure, _ in sizes} == {
        "f1 hypernym", "f1 hyponym", "f1 antonym", "all measures"
    }  # fmt: skip
    assert not any(
        "random" in (line.key["model"], line.key["first"])
        for line in tests.lines
        if line.key["family"] == "settings"
    )


def test_no_family_is_corrected_alone(small_release: Path) -> None:
    release = open_release(str(small_release))
    (whole,) = read_analyses(Node({"all": DESIGN}), release.benchmark.tasks).values()
    runs = [run(release, name, s, "local") for name in NAMES for s in ("zero-shot", "two-shot")]
    one = {"within": DESIGN["families"]["within"]}  # type: ignore[index]
    (alone,) = read_analyses(
        Node({"all": {**DESIGN, "families": one}}), release.benchmark.tasks
    ).values()
    evidence = Evidence(runs)
    _, every = paired_tests(whole, whole.design, evidence, release)
    _, some = paired_tests(alone, alone.design, evidence, release)
    own = [line for line in every.lines if line.key["family"] == "within"]
    assert [line.values["p"] for line in own] == [line.values["p"] for line in some.lines]
    assert any(
        a.values["p adjusted"] > b.values["p adjusted"]
        for a, b in zip(own, some.lines, strict=True)
    )


def test_runs_that_are_alike_are_averaged(small_release: Path) -> None:
    release = open_release(str(small_release))
    (analysis,) = read_analyses(Node({"all": DESIGN}), release.benchmark.tasks).values()
    first = run(release, "a", "zero-shot", "local")
    again = replace(first, folder=Path("again"), predictions=[*predictions("other")])
    other = run(release, "b", "zero-shot", "local")
    families, _ = paired_tests(analysis, analysis.design, Evidence([first, again, other]), release)
    assert [line.values["tests"] for line in families.lines] == [3, 1, 0]
