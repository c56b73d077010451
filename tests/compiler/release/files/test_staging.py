from __future__ import annotations

import os
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sorites.errors import SoritesError
from sorites.release.files.staging import files_under, staged


def fill(directory: Path, **texts: str) -> None:
    for name, text in texts.items():
        (directory / name).write_text(text)


def test_a_directory_appears_when_the_block_ends(tmp_path: Path) -> None:
    target = tmp_path / "a" / "1.0.0"
    with staged(target) as work:
        fill(work, one="1")
        assert not target.exists()
    assert files_under(target.parent) == ["1.0.0/one"]


def test_nothing_is_left_of_a_block_that_raises(tmp_path: Path) -> None:
    def interrupted(target: Path) -> None:
        with staged(target) as work:
            fill(work, one="1")
            raise KeyboardInterrupt

    (tmp_path / "there").mkdir()
    with pytest.raises(KeyboardInterrupt):
        interrupted(tmp_path / "there" / "new" / "deep" / "1.0.0")
    assert [*tmp_path.rglob("*")] == [tmp_path / "there"]


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs Linux's /proc")
def test_all_is_on_the_disk_before_it_appears(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut after the rename must not leave empty files under the final name."""
    flushed: list[str] = []
    target = tmp_path / "1.0.0"

    def fsync(handle: int) -> None:
        if not target.exists():
            place = Path(f"/proc/self/fd/{handle}").readlink()
            flushed.append(place.relative_to(tmp_path).as_posix())

    monkeypatch.setattr(os, "fsync", fsync)
    with staged(target) as work:
        (work / "data").mkdir()
        fill(work, one="1")
        fill(work / "data", two="2")
    unfinished = ".1.0.0.partial"
    assert sorted(flushed) == [
        unfinished,
        f"{unfinished}/data",
        f"{unfinished}/data/two",
        f"{unfinished}/one",
    ]


def test_a_link_to_a_folder_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    fill(tmp_path / "there", one="1")
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "link").symlink_to(tmp_path / "there", target_is_directory=True)
    assert files_under(tmp_path / "release") == ["link"]


def test_a_link_named_like_an_unfinished_release_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    fill(tmp_path / "there", one="1")
    link = tmp_path / ".1.0.0.partial"
    link.symlink_to(tmp_path / "there", target_is_directory=True)
    (tmp_path / ".0.9.0.partial").mkdir()
    with staged(tmp_path / "2.0.0") as work:
        fill(work, two="2")
    assert files_under(tmp_path / "there") == ["one"]
    assert link.is_symlink()
    assert not (tmp_path / ".0.9.0.partial").exists()


def test_what_is_missing_is_completed_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "1.0.0"
    target.mkdir()
    fill(target, one="1")
    with staged(target) as work:
        fill(work, one="1", two="2")
    assert files_under(tmp_path) == ["1.0.0/one", "1.0.0/two"]
    with pytest.raises(SoritesError, match="with other content \\(two\\)"), staged(target) as work:
        fill(work, one="1")
    with pytest.raises(SoritesError, match="with other content \\(one\\)"), staged(target) as work:
        fill(work, one="other", two="2")
    assert (target / "one").read_text() == "1"


def test_runs_that_fail_and_succeed_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    def run(seed: int) -> bool:
        chance = random.Random(seed)
        target = tmp_path / "out" / f"set{chance.randrange(2)}" / f"1.0.{seed}"
        try:
            with staged(target) as work:
                fill(work, one="1")
                if chance.random() < 0.6:
                    raise ArithmeticError
        except ArithmeticError:
            return False
        return (target / "one").read_text() == "1"

    with ThreadPoolExecutor(8) as pool:
        done = [*pool.map(run, range(200))]
    succeeded = [seed for seed in range(200) if done[seed]]
    assert {int(path.name[4:]) for path in (tmp_path / "out").glob("*/*")} == {*succeeded}
    assert 20 < len(succeeded) < 180
