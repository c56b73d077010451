from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sorites import locks
from sorites.errors import SoritesError
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


HOLD = """
import sys
from pathlib import Path
from sorites.locks import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_lock_that_another_keeps_is_not_waited_for_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever holds it is named, where the system tells it; it goes on undisturbed."""
    path = tmp_path / ".lock"
    monkeypatch.setattr(locks, "SECONDS", 0.2)
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ,
        text=True,
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(SoritesError) as caught, locked(path):
            pass
        other.stdin.close()
        assert other.wait() == 0
    who = f"process {other.pid} ({sys.executable} -c" if sys.platform == "linux" else "another"
    assert str(caught.value).startswith(f"{tmp_path}: {who}")
    assert str(caught.value).endswith(
        " has been writing there for 0 seconds and more. Wait until it ends, or end it, and run "
        "the command again"
    )
    with locked(path, wait=False) as held:
        assert held


def test_a_holder_that_the_system_does_not_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "SECONDS", 0.1)
    monkeypatch.setattr(locks.Path, "read_text", lambda *_, **__: "")
    path, said = tmp_path / ".lock", ": another process has been writing there"
    with locked(path), pytest.raises(SoritesError, match=said), locked(path):
        pass
