"""What the tests of exports for training share: an export as a module, and an environment."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType

import pytest

from sorites_eval.contract.release import open_release
from sorites_eval.running.run import Plan, plan
from tests.conftest import ROOT


def planned(root: Path, task: str, setting: str) -> Plan:
    release = open_release(root)
    return plan(release, release.task(task), setting)


def rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def loaded(path: Path) -> ModuleType:
    """A module from its file, with nothing of this project on its way."""
    spec = importlib.util.spec_from_file_location(f"exported_{path.stem}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def python_of(library: str) -> Path:
    """The Python of a library's own environment, which ``make test-all`` makes; skips without."""
    chosen = os.environ.get(f"SORITES_{library.upper()}")
    found = Path(chosen) if chosen else ROOT / f".venv-{library}" / "bin" / "python"
    if not found.is_file():
        pytest.skip(f"no environment with {library}: make test-all makes .venv-{library}")
    return found
