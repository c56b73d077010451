"""Folders are tried out before the work that fills them, and nothing is left of it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sorites.files import check_folder, write_whole


def test_a_folder_that_can_be_written_is_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    check_folder(tmp_path / "there" / "not" / "yet")
    check_folder(tmp_path / "there")
    assert [*tmp_path.rglob("*")] == [tmp_path / "there"]


def test_what_others_wrote_meanwhile_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "new" / "deep"
    monkeypatch.setattr(os, "fsync", lambda _: (folder / "theirs").write_text("1"))
    check_folder(folder)
    assert (folder / "theirs").read_text() == "1"


def test_a_file_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"):
        check_folder(tmp_path / "file" / "below")
    assert [*tmp_path.iterdir()] == [tmp_path / "file"]


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        check_folder(tmp_path / "new")
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "file", b"1")
    assert not [*tmp_path.iterdir()]
