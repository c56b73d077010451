"""Every sample, compiled twice in ways that must not matter: the same bytes in every file."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

SAMPLES = sorted((ROOT / "specs" / "sample").glob("*.yaml"))


def compiled(spec: Path, out: Path, *, workers: int, hash_seed: int, engine: str) -> dict[str, str]:
    """The SHA-256 of each file of a release, by its path."""
    command = [sys.executable, "-m", "sorites", "compile", str(spec)]
    command += ["--out", str(out), "--workers", str(workers), "--engine", engine]
    subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": str(hash_seed)},
        check=True,
        capture_output=True,
    )
    return {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in out.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("spec", SAMPLES, ids=lambda path: path.stem)
def test_workers_and_hash_seeds_change_no_byte(spec: Path, tmp_path: Path) -> None:
    first = compiled(spec, tmp_path / "first", workers=1, hash_seed=0, engine="serial")
    second = compiled(spec, tmp_path / "second", workers=2, hash_seed=1, engine="processes")
    assert len(first) >= 8
    assert first == second


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="needs ray (sorites[ray])")
@pytest.mark.parametrize("spec", SAMPLES, ids=lambda path: path.stem)
def test_a_ray_cluster_changes_no_byte(spec: Path, tmp_path: Path) -> None:
    first = compiled(spec, tmp_path / "first", workers=1, hash_seed=0, engine="serial")
    second = compiled(spec, tmp_path / "second", workers=2, hash_seed=1, engine="ray")
    assert len(first) >= 8
    assert first == second
