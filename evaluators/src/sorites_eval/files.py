"""Files that appear whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sorites_eval.errors import RunError

__all__ = ["json_text", "write_json", "write_text", "write_whole"]


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
