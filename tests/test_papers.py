"""From runs on the three samples every table and figure that they declare is written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from sorites.specfile.load import load
from sorites_eval.backends.baselines import Prior, Random
from sorites_eval.contract.analyses.curve import LearningCurve
from sorites_eval.contract.analyses.read import Analysis, read_analyses
from sorites_eval.contract.read import read_tasks
from sorites_eval.contract.release import Release, open_release
from sorites_eval.contract.tasks import Task
from sorites_eval.contract.values import Node
from sorites_eval.reporting.analyses.analyse import analysed, find_evidence, write_analyses
from sorites_eval.running.run import perform, plan
from tests.conftest import ROOT
from tests.samples import compiled

DRAWN = {"trend", "contrast", "distribution", "heat", "curve"}
SPECS = {
    "syllobio-nli": "arguments",
    "gloss-relations": "senses",
    "veridical-transitivity": "veridicality",
}


def opened(name: str, tmp_path_factory: pytest.TempPathFactory) -> Release:
    path = ROOT / "specs" / "sample" / f"{name}.yaml"
    return open_release(str(compiled(path, tmp_path_factory)))


def ask(release: Release, out: Path, task: str, settings: Sequence[str], limit: int) -> None:
    for setting in settings:
        drawn = plan(release, release.task(task), setting, limit=limit)
        models = {
            "random": Random(drawn.task, 0),
            "prior": Prior(drawn.task, drawn.everything, 1),
        }
        for name, model in models.items():
            perform(drawn, model, out / name / task / setting)


def written(release: Release, places: Sequence[Path], out: Path) -> Mapping[str, Analysis]:
    """The analyses that were written, with each of their files."""
    done = {}
    for one in write_analyses(analysed(find_evidence(places), release), out):
        analysis = one.analysed.analysis
        endings = {"csv", "md", "tex"} | ({"svg", "png"} if analysis.kind in DRAWN else set())
        if one.files:
            done[analysis.name] = analysis
            assert {path.suffix[1:] for path in one.files} == endings
            assert all(path.stat().st_size for path in one.files)
    return done


def test_every_table_and_figure_about_arguments(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    release = opened("syllobio-nli", tmp_path_factory)
    for task in ("entailment", "premise-selection", "faithfulness"):
        ask(release, tmp_path / "runs", task, ("zero-shot", "few-shot"), 200)
    done = written(release, [tmp_path / "runs"], tmp_path / "out")
    assert done.keys() == release.benchmark.analyses.keys()


def test_every_table_and_figure_about_glosses(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    from sorites_eval.training.bilinear import Settings
    from sorites_eval.training.bilinear_report import run_bilinear

    release = opened("gloss-relations", tmp_path_factory)
    task = release.task("relation")
    ask(
        release,
        tmp_path / "runs",
        "relation",
        ("zero-shot", "five-shot", "zero-shot-paper-order"),
        200,
    )
    texts = sorted(
        {str(t) for row in release.rows(task.data, ["gloss_1", "gloss_2"]) for t in row.values()}
    )
    vectors = np.random.default_rng(0).normal(size=(len(texts), 8)).astype("float32")
    np.savez(tmp_path / "vectors.npz", texts=np.array(texts), vectors=vectors)
    run_bilinear(
        release,
        task,
        embeddings=str(tmp_path / "vectors.npz"),
        prefix="",
        texts=("gloss_1", "gloss_2"),
        members=("ili_1", "ili_2"),
        settings=Settings(hidden=4, epochs=1, folds=2, repetitions=1),
        out=tmp_path / "bilinear",
    )
    places = [tmp_path / "runs", tmp_path / "bilinear"]
    done = written(release, places, tmp_path / "out")
    assert done.keys() == release.benchmark.analyses.keys()
    tests = (tmp_path / "out" / "paired-tests-tests.csv").read_text(encoding="utf-8")
    assert "bilinear, vectors.npz" in tests


def records(release: Release, task: Task) -> list[dict[str, object]]:
    """What models trained on each set, and at each step of each curve, would have scored."""
    assert task.train is not None
    by = list(task.score.groups[0])
    keys = sorted({tuple(map(str, row.values())) for row in release.rows(task.data, by)})
    places = [(name, None, None) for name in task.train.sets]
    places += [
        (curve.base, name, step) for name, curve in task.train.curves.items() for step in (0, 1, 2)
    ]
    return [
        {
            "release": {"content": release.content},
            "task": task.name,
            "model": "lstm",
            "setting": setting,
            "curve": curve,
            "step": step,
            "seed": seed,
            "n": 4 * len(keys),
            "accuracy": 0.5 + 0.1 * seed,
            "groups": [
                {
                    "by": by,
                    "rows": [
                        {"values": dict(zip(by, key, strict=True)), "n": 4, "accuracy": 0.25 * seed}
                        for key in keys
                    ],
                }
            ],
            "validation": None,
        }
        for setting, curve, step in places
        for seed in (0, 1)
    ]


def test_every_table_and_figure_about_verbs(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    release = opened("veridical-transitivity", tmp_path_factory)
    trained = tmp_path / "trained"
    trained.mkdir()
    lines = [
        json.dumps(record)
        for name in ("synthetic", "naturalistic")
        for record in records(release, release.task(name))
    ]
    (trained / "training-runs.jsonl").write_text("\n".join(lines), encoding="utf-8")
    for task in ("synthetic", "naturalistic"):
        ask(release, tmp_path / "runs", task, ("zero-shot",), 100)
    done = written(release, [tmp_path / "runs", trained], tmp_path / "out")
    assert done.keys() == release.benchmark.analyses.keys()
    (curve,) = [a.design for a in done.values() if isinstance(a.design, LearningCurve)]
    csv = (tmp_path / "out" / "learning-curves.csv").read_text(encoding="utf-8")
    assert {line.split(",")[0] for line in csv.splitlines()[1:]} == set(curve.curves)


@pytest.mark.parametrize("name", SPECS)
def test_the_page_about_the_papers_names_what_the_specs_declare(name: str) -> None:
    page = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    spec = load(ROOT / "specs" / f"{name}.yaml")
    tasks = read_tasks(spec.tasks)
    declared = read_analyses(Node(spec.analyses, ("analyses",)), tasks)
    named = set(re.findall(r"`([a-z0-9-]+)`", page))
    assert declared.keys() <= named
    assert f"specs/{SPECS[name]}/analyses.yaml" in page
    for analysis in declared.values():
        # Each says which table or figure it gives, unless it is not the paper's.
        assert analysis.source or analysis.name == "order-of-labels"


@pytest.mark.slow
@pytest.mark.timeout(7_200)
def test_a_real_model_of_six_hundred_items(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """SmolLM2 writes its answers, so that kinds of text can be told apart."""
    pytest.importorskip("transformers")
    from sorites_eval.backends.options import Options
    from sorites_eval.evaluation import evaluate
    from tests.bench.smollm2 import obtain

    release = opened("syllobio-nli", tmp_path_factory)
    for setting in ("zero-shot", "few-shot"):
        for task in ("entailment", "premise-selection", "faithfulness"):
            evaluate(
                release,
                str(obtain()),
                task=task,
                setting=setting,
                limit=100,
                out=tmp_path / "runs",
                options=Options(decode=True),
            )
    done = written(release, [tmp_path / "runs"], tmp_path / "out")
    assert done.keys() == release.benchmark.analyses.keys()
