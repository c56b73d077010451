"""What is written about verbs when networks are really trained, and people stand beside them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import pytest

from sorites.pipeline import compile_spec
from sorites.progress import Silent
from sorites_eval.contract.release import Release, open_release
from sorites_eval.contract.tasks import Task
from tests.conftest import ROOT
from tests.evaluators.training.tiny_bert import save_tiny_bert
from tests.test_papers import ask, opened, written

PEOPLE = ("people-by-verb", "people-by-verb-composites", "people-and-trained-models",
          "people-and-prompted-models")  # fmt: skip


@pytest.fixture(params=["sample", "release"])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Release:
    """The sample, and where the sources are at hand the whole release with what people said."""
    if request.param == "sample":
        return opened("veridical-transitivity", tmp_path_factory)
    sources: Path = request.getfixturevalue("shared_data")
    monkeypatch: pytest.MonkeyPatch = request.getfixturevalue("monkeypatch")
    monkeypatch.setenv("SORITES_SOURCES", str(sources))
    spec = ROOT / "specs" / "veridical-transitivity.yaml"
    out = tmp_path_factory.mktemp("whole")
    return open_release(str(compile_spec(spec, out, workers=2, progress=Silent())))


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_every_table_and_figure_from_networks_that_were_trained(
    release: Release, tmp_path: Path
) -> None:
    """A tiny LSTM and a tiny BERT on every set and curve: a taste of each, not its quality."""
    pytest.importorskip("torch", reason="training needs torch")
    from sorites_eval.training.growth import steps_of
    from sorites_eval.training.lstm import LstmSettings
    from sorites_eval.training.training_run import Request, train, write

    tasks = [task for task in release.benchmark.tasks.values() if task.train is not None]
    bert = save_tiny_bert(tmp_path / "tiny-bert", texts(release, tasks))
    small = LstmSettings(dimensions=8, hidden=8, layers=1)
    for task in tasks:
        for model in ("lstm", bert):
            taste = partial(Request, model, runs=1, epochs=1, batch=64, limit=200, lstm=small)
            place = tmp_path / "trained" / task.name / Path(model).name
            assert task.train is not None
            for name in task.train.sets:
                write(train(release, task, taste(training_set=name)), place / name)
            for name, curve in task.train.curves.items():
                asked = taste(curves=(name,), steps=steps_of(release, curve)[:2])
                write(train(release, task, asked), place / f"curve-{name}")
    for name in release.benchmark.tasks:
        ask(release, tmp_path / "runs", name, ("zero-shot",), 2_000)
    done = written(release, [tmp_path / "runs", tmp_path / "trained"], tmp_path / "out")
    assert done.keys() == release.benchmark.analyses.keys()
    told = {name: rows(tmp_path / "out" / f"{name}.csv") for name in done}
    assert {row["model"] for row in told["naturalistic-composites"]} >= {"lstm", "tiny-bert"}
    for name in {*PEOPLE} & done.keys():
        assert any("human majority" in value for row in told[name] for value in row.values())


def texts(release: Release, tasks: list[Task]) -> Iterator[str]:
    """Every text that is tested, which is all that a vocabulary must hold."""
    for task in tasks:
        assert task.train is not None
        for row in release.rows(task.data, list(task.train.text)):
            yield from map(str, row.values())


def rows(path: Path) -> list[Mapping[str, str]]:
    """The lines of a table."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
