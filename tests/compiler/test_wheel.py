"""The compiler as pip installs it, away from the checkout: a dataset in two commands."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sorites.specfile.starter import starter_kinds
from tests.wheels import installed

QUICKEST = "sense-relations"


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new virtual environment that has both wheels, not the checkout."""
    return installed(tmp_path_factory.mktemp("stranger"), "sorites-eval", "sorites")


def run(python: Path, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command of that environment, which sees neither the checkout nor a mirror of sources."""
    hidden = ("PYTHONPATH", "SORITES_SOURCES")
    return subprocess.run(
        [str(python.parent / command[0]), *command[1:]],
        cwd=folder,
        env={name: value for name, value in os.environ.items() if name not in hidden},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=() if kind == QUICKEST else pytest.mark.slow)
        for kind in starter_kinds()
    ],
)
def test_a_dataset_in_two_commands(stranger: Path, tmp_path: Path, kind: str) -> None:
    started = run(stranger, tmp_path, "sorites", "init", kind, "my-dataset")
    assert (started.returncode, started.stderr) == (0, "")
    # The commands that it names, word for word.
    for command in started.stdout.splitlines()[1:]:
        done = run(stranger, tmp_path, *command.split())
        assert (done.returncode, done.stderr) == (0, ""), command
    assert [*(tmp_path / "releases").glob("*/*/release.json")]


def test_what_is_imported_is_the_wheel(stranger: Path, tmp_path: Path) -> None:
    code = "import sorites, sorites_eval; print(sorites.__file__); print(sorites_eval.__file__)"
    done = run(stranger, tmp_path, "python", "-c", code)
    assert done.stderr == ""
    home = str(stranger.parents[1])
    assert all(place.startswith(home) for place in done.stdout.splitlines())
