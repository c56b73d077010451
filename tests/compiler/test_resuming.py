"""A compile that was killed goes on: the same bytes, and no unit is done twice."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections import defaultdict
from pathlib import Path

import pytest

from sorites import api
from sorites.errors import CutShort
from sorites.progress import Advance
from tests.processes import started
from tests.small_spec import small_spec


class Steps:
    """How far each stage had come at its first step, and what it came to."""

    def __init__(self) -> None:
        self.taken: dict[str, list[int]] = defaultdict(list)

    def stage(self, name: str, total: int) -> Advance:
        del total
        return self.taken[name].append


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def journals(cache: Path) -> int:
    """The units of rows that are kept."""
    return sum(
        path.read_bytes().count(b"\n") for path in cache.glob("unfinished/*/rows/*/units.jsonl")
    )


@pytest.mark.skipif(os.name == "nt", reason="kills as POSIX does")
@pytest.mark.parametrize("workers", [1, 2])
def test_a_compile_that_was_killed_goes_on(
    workers: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = small_spec(tmp_path / "spec", lambda data: data["items"].update(arguments=24))
    cache, out = tmp_path / "cache", tmp_path / "out"
    command = [sys.executable, "-m", "sorites", "compile", spec, "--out", out]
    with started(
        [*command, "--workers", str(workers)], env={"SORITES_CACHE": str(cache)}
    ) as process:
        while not journals(cache):
            assert process.poll() is None, "it ended before it was killed"
            time.sleep(0.005)
        process.kill()
    done = journals(cache)
    assert not [*out.rglob("release.json")]

    monkeypatch.setenv("SORITES_CACHE", str(cache))
    steps = Steps()
    again = api.compile(spec, out, workers=workers, progress=steps)
    first, *rest = steps.taken["proving items"]
    assert first >= done
    assert rest == [1] * (4 - first)
    assert not [*cache.glob("unfinished/*")]

    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "other cache"))
    whole = api.compile(spec, tmp_path / "whole")
    assert files(again) == files(whole)


def test_nothing_is_made_again_where_the_release_had_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, out = small_spec(tmp_path / "spec"), tmp_path / "out"
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("sorites.release.write._write_data", full)
        with pytest.raises(CutShort, match=r": cannot be written: No space left on device\. "):
            api.compile(spec, out)
    assert not out.exists()
    steps = Steps()
    api.compile(spec, out, progress=steps)
    assert steps.taken["proving items"] == [4]
    assert not [*(tmp_path / "cache").glob("unfinished/*")]
