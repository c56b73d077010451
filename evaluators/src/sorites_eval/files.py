"""Files that appear whole or not at all, and folders that are tried out before they are needed."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

from sorites_eval.errors import RunError

__all__ = ["check_folder", "json_text", "write_json", "write_text", "write_whole"]


_PROBE = b"\0" * (64 << 10)


def check_folder(folder: Path) -> None:
    """Raise RunError where no file could be written into a folder: before the work that fills it.

    What is tried out leaves nothing behind, nor do folders that are made for it.
    """
    missing = [*takewhile(lambda path: not path.exists(), (folder, *folder.parents))]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(_PROBE)
            probe.flush()
    except OSError as error:
        raise RunError(f"{folder}: cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            for made in missing:
                made.rmdir()


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Let ``write`` fill a file beside the path, then move it there; folders are made.

    Raises RunError where that cannot be done; what stood there before then stands there still.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            write(part)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise RunError(f"{path}: cannot be written: {error.strerror or error}.") from error


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8; lines end as they do in the text, on every system."""

    def write(part: Path) -> None:
        part.write_text(text, encoding="utf-8", newline="")

    write_whole(path, write)


def write_json(path: Path, value: Mapping[str, object] | Sequence[object]) -> None:
    """Write JSON in the form of ``json_text``."""
    write_text(path, json_text(value))


def json_text(value: Mapping[str, object] | Sequence[object]) -> str:
    """JSON as people and diffs like it: sorted keys, indented, with a newline at the end."""
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
