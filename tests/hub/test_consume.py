"""A third party's path: from the built wheel and the Hub to scores, with nothing else at hand."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.hub.client import Client
from tests.hub.repository import Blob
from tests.hub.server import Hub
from tests.wheels import closure, installed

REPO = "cafe/cafe-menu"


@pytest.fixture(scope="session")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new virtual environment that has the evaluators' wheel, not the checkout.

    It holds what the wheel says it depends on, linked from this environment, and nothing else:
    nothing is fetched in a test.
    """
    return installed(tmp_path_factory.mktemp("stranger"), "sorites-eval")


def test_the_evaluators_bring_few_packages_and_none_of_the_compilers() -> None:
    brought = {"sorites-eval", *closure("sorites-eval")}
    assert len(brought) <= 32, sorted(brought)
    heavy = {"rdflib", "z3-solver", "wn", "nltk", "janome", "lemminflect", "datasets", "pandas"}
    assert not brought & {*heavy, "sorites", "torch"}


def evaluate(
    python: Path, hub: Hub, folder: Path, release: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """``sorites-eval run RELEASE --model random`` in a folder of its own."""
    folder.mkdir(exist_ok=True)
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name[:3] != "HF_" and name != "PYTHONPATH"
    }
    settings = {
        "HF_ENDPOINT": hub.url,
        "HF_HOME": str(folder / "cache"),
        "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    }
    command = ["run", release, "--model", "random", "--task", "entailment", "--out", "runs"]
    return subprocess.run(
        [str(python.parent / "sorites-eval"), *command],
        cwd=folder,
        env={**inherited, **settings, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def scores(folder: Path) -> dict[str, object]:
    (path,) = folder.glob("runs/**/scores.json")
    loaded: dict[str, object] = json.loads(path.read_bytes())
    return loaded


def test_a_stranger_evaluates_an_exact_version(
    stranger: Path, hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    for version in ("1.0.0", "1.1.0"):
        barista.result("publish", str(releases[version]), REPO)
    for version, rows in (("1.0.0", 40), ("1.1.0", 44)):
        folder = tmp_path / version
        run = evaluate(stranger, hub, folder, f"{REPO}@v{version}")
        assert run.returncode == 0, run.stderr
        assert f'"n": {rows}' in json.dumps(scores(folder))


def test_a_version_that_is_not_there_is_an_error(
    stranger: Path, hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    assert evaluate(stranger, hub, tmp_path, f"{REPO}@v1.0.0").returncode == 0
    missing = evaluate(stranger, hub, tmp_path, f"{REPO}@v1.1.0")
    assert missing.returncode != 0
    assert f"{REPO}@v1.1.0" in missing.stderr.replace("\n", "")
    assert "Traceback" not in missing.stderr
    # The cache holds 1.0.0 by now: it must not be taken for 1.1.0.
    offline = evaluate(stranger, hub, tmp_path, f"{REPO}@v1.1.0", HF_HUB_OFFLINE="1")
    assert offline.returncode != 0
    assert "Traceback" not in offline.stderr
    gone = evaluate(stranger, hub, tmp_path, f"{REPO}@v1.1.0", HF_ENDPOINT="http://127.0.0.1:9")
    assert gone.returncode != 0
    assert "Traceback" not in gone.stderr


def test_what_was_downloaded_is_there_offline(
    stranger: Path, hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    assert evaluate(stranger, hub, tmp_path, f"{REPO}@v1.0.0").returncode == 0
    shutil.rmtree(tmp_path / "runs")
    again = evaluate(stranger, hub, tmp_path, f"{REPO}@v1.0.0", HF_HUB_OFFLINE="1")
    assert again.returncode == 0, again.stderr
    assert '"n": 40' in json.dumps(scores(tmp_path))


def test_a_tampered_release_is_not_evaluated(
    stranger: Path, hub: Hub, barista: Client, releases: dict[str, Path], tmp_path: Path
) -> None:
    barista.result("publish", str(releases["1.0.0"]), REPO)
    repository = hub.dataset(REPO)
    path = "data/items/test-00000-of-00001.parquet"
    data = bytearray(repository.head.files[path].content)
    data[100] ^= 1
    altered = {**repository.head.files, path: Blob(bytes(data), lfs=True)}
    lacking = {name: blob for name, blob in repository.head.files.items() if name != path}
    for files, complaint in ((altered, "altered"), (lacking, "missing")):
        repository.tags["v1.0.0"] = repository.commit(complaint, files).oid
        run = evaluate(stranger, hub, tmp_path, f"{REPO}@v1.0.0")
        assert run.returncode != 0
        assert complaint in run.stderr
        assert "Traceback" not in run.stderr
        assert not (tmp_path / "runs").exists()
