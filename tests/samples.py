"""The sample releases, each compiled once for all tests of a process that share its folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock

from sorites.pipeline import check_spec, compile_spec
from sorites.progress import Silent
from tests.conftest import ROOT

__all__ = ["SAMPLES", "compiled"]

SAMPLES = sorted((ROOT / "specs" / "sample").glob("*.yaml"))


def compiled(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample release; processes of one run of the tests share it."""
    shared = tmp_path_factory.getbasetemp()
    if shared.name.startswith("popen-"):
        shared = shared.parent
    spec = check_spec(path)
    out = shared / spec.kind
    with FileLock(shared / f"{spec.kind}.lock"):
        folder = out / spec.name / str(spec.version)
        if not folder.is_dir():
            compile_spec(path, out, workers=1, progress=Silent())
    return folder
