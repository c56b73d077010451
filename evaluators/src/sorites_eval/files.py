"""Files that appear whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from sorites_eval.errors import RunError

__all__ = ["write_json", "write_whole"]


def write_whole(path: Path, write: Callable[[Path], None]) -> None:
    """Let ``write`` fill a file beside the path, then move it there; RunError if it cannot."""
    part = path.with_name(f".{path.name}.part")
    try:
        write(part)
        part.replace(path)
    except OSError as error:
        raise RunError(f"{path}: cannot be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """JSON as people and diffs like it: sorted keys, indented, with a newline at the end."""
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"

    def write(part: Path) -> None:
        part.write_text(text, encoding="utf-8")

    write_whole(path, write)
