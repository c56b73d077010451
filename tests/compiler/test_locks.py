from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sorites.locks import locked


def test_a_lock_is_held_by_one_and_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "new" / ".lock"
    with locked(path) as held, locked(path, wait=False) as also:
        assert (held, also) == (True, False)
    assert list(path.parent.iterdir()) == []


def test_what_a_killed_process_left_holds_up_no_one(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    path.touch()
    with locked(path, wait=False) as held:
        assert held
    assert not path.exists()


def test_many_at_once_take_turns(tmp_path: Path) -> None:
    """Each removes the file that the next one waits for."""
    path, inside = tmp_path / ".lock", []

    def turn(number: int) -> bool:
        with locked(path):
            inside.append(number)
            alone = inside == [number]
            inside.remove(number)
        return alone

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(turn, range(100)))
    assert not path.exists()


def test_a_place_where_no_folder_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError), locked(tmp_path / "file" / "new" / ".lock"):  # noqa: PT011
        pass
