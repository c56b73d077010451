"""The commands as functions: text or paths in, values out, nothing printed."""

from __future__ import annotations

from pathlib import Path

import pytest

import sorites
from tests.small_spec import small_spec


def test_a_spec_becomes_a_release_that_is_proved_and_compared(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    first = small_spec(tmp_path / "first")
    second = small_spec(tmp_path / "second", lambda data: data.update(version="1.0.1", title="New"))
    assert sorites.check(str(first)).name == "small"
    releases = [sorites.compile(str(spec), str(tmp_path / "out")) for spec in (first, second)]
    assert releases == [tmp_path / "out" / "small" / version for version in ("1.0.0", "1.0.1")]
    verified = sorites.verify(str(releases[0]))
    assert (verified.name, str(verified.version)) == ("small", "1.0.0")
    found = sorites.diff(*map(str, releases))
    assert (found.old, found.new) == (sorites.Version(1, 0, 0), sorites.Version(1, 0, 1))
    assert found.weight == sorites.Weight.PATCH
    assert capfd.readouterr() == ("", "")


def test_problems_are_values(tmp_path: Path) -> None:
    spec = small_spec(tmp_path, lambda data: (data.pop("title"), data.update(seed="seven")))
    with pytest.raises(sorites.InvalidSpec) as caught:
        sorites.check(spec)
    assert len(caught.value.problems) == 2
    assert {problem.file for problem in caught.value.problems} == {str(spec)}


def test_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(sorites.UnreadableSpec):
        sorites.compile(tmp_path / "none.yaml", tmp_path / "out")
    with pytest.raises(sorites.InvalidRelease):
        sorites.verify(tmp_path)
    with pytest.raises(sorites.InvalidRelease):
        sorites.diff(tmp_path, tmp_path)
    assert not [*tmp_path.iterdir()]


def test_progress_is_told_of_each_stage(tmp_path: Path) -> None:
    stages: dict[str, list[int]] = {}

    class Told:
        def stage(self, name: str, total: int) -> sorites.progress.Advance:
            stages[name] = [total]
            return stages[name].append

    sorites.compile(small_spec(tmp_path), tmp_path / "out", progress=Told())
    assert stages
    assert all(sum(steps) == total for total, *steps in stages.values())


def test_a_release_that_is_not_whole_is_not_published(tmp_path: Path) -> None:
    with pytest.raises(sorites.InvalidRelease):
        sorites.publish(tmp_path, "org/name", dry_run=True)
