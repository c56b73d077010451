"""What a compile that was stopped leaves, for the same compile alone."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from sorites.engines.engine import EngineError
from sorites.errors import CutShort, SoritesError
from sorites.unfinished import unfinished

DOCUMENT, SOURCES = {"name": "a"}, {"ontology": "00"}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "unfinished"


def stop(kind: type[BaseException]) -> None:
    """Stop a compile in its middle."""
    with unfinished(DOCUMENT, SOURCES) as place:
        (place / "rows").write_text("some")
        raise kind


def leave(cache: Path) -> Path:
    """What a compile that was stopped has left."""
    with pytest.raises(KeyboardInterrupt):
        stop(KeyboardInterrupt)
    (left,) = cache.iterdir()
    return left


@pytest.mark.parametrize(
    "kind", [KeyboardInterrupt, SystemExit, MemoryError, CutShort, EngineError]
)
def test_what_was_stopped_is_there_for_the_next_run(kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        stop(kind)
    with unfinished(DOCUMENT, SOURCES) as again:
        assert (again / "rows").read_text() == "some"


def test_nothing_is_left_of_what_ended(cache: Path) -> None:
    with unfinished(DOCUMENT, SOURCES) as place:
        (place / "rows").write_text("all")
    assert not cache.exists()


def test_nothing_is_left_of_what_would_fail_again(cache: Path) -> None:
    with pytest.raises(SoritesError):
        stop(SoritesError)
    assert not cache.exists()


@pytest.mark.parametrize(
    ("document", "sources"), [({"name": "b"}, SOURCES), (DOCUMENT, {"ontology": "01"})]
)
def test_another_spec_or_source_begins_anew(
    document: dict[str, str], sources: dict[str, str], cache: Path
) -> None:
    left = leave(cache)
    with unfinished(document, sources) as place:
        assert place != left
        assert [*place.iterdir()] == []


def test_another_program_begins_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cache: Path
) -> None:
    left = leave(cache)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "module.py").write_text("x = 1\n")
    monkeypatch.setattr("sorites.unfinished._PACKAGE", tmp_path / "other")
    with unfinished(DOCUMENT, SOURCES) as place:
        assert place != left


def test_two_of_one_kind_do_not_meet(cache: Path) -> None:
    with unfinished(DOCUMENT, SOURCES) as one, unfinished(DOCUMENT, SOURCES) as other:
        assert one != other
        (other / "rows").write_text("some")
        assert [*one.iterdir()] == []
    assert not cache.exists()


def test_what_nobody_came_back_for_goes(cache: Path) -> None:
    left = leave(cache)
    long_ago = time.time() - 8 * 86_400
    os.utime(left, (long_ago, long_ago))
    with unfinished({"name": "b"}, SOURCES):
        assert not left.exists()


def test_a_cache_that_cannot_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SORITES_CACHE", str(tmp_path / "file"))
    with pytest.raises(SoritesError) as caught, unfinished(DOCUMENT, SOURCES):
        pass
    assert str(caught.value) == (
        f"{tmp_path / 'file' / 'unfinished'}: cannot be written: Not a directory. What is made on "
        "the way lies there: let SORITES_CACHE name a folder that can be written"
    )
