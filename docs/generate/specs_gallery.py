"""The specs that come with the checkout, each with what it makes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generate.markdown import cell, table
from sorites.errors import SoritesError
from sorites.specfile.load import load

__all__ = ["specs_page"]

_FOLDERS = {
    ".": "Datasets after papers",
    "papers": "Papers in their own design",
    "gallery": "Beyond the papers",
    "audits": "Audits of other people's labels",
    "sample": "Samples, from sources written for this project",
}


def specs_page(specs: Path) -> str:
    """A table of each folder of specs."""
    lines = [
        "# Specs",
        "",
        "Each of these is a file to start from; `sorites check FILE` explains it.",
        "",
    ]
    for folder, title in _FOLDERS.items():
        rows = [*_rows(specs, specs / folder)]
        if rows:
            lines += [f"## {title}", "", table(["spec", "kind", "what it makes"], rows), ""]
    return "\n".join(lines)


def _rows(specs: Path, folder: Path) -> Iterator[tuple[str, str, str]]:
    for path in sorted(folder.glob("*.yaml")):
        try:
            spec = load(path)
        except SoritesError:
            continue  # A section that other specs include.
        yield f"`specs/{path.relative_to(specs).as_posix()}`", f"`{spec.kind}`", cell(spec.summary)
