"""Every column of a release, from the samples: they are compiled for it."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import sorites
from generate.markdown import cell, table
from sorites.specfile.schemas import load_schemas

__all__ = ["columns_page"]


def columns_page(root: Path) -> str:
    """For each kind of spec, the configs of its sample and what their columns hold."""
    lines = [
        "# Columns",
        "",
        "What each column of a release holds, config by config, read from the manifest of a sample",
        "of each kind. A release's own card lists its columns; for programs they are in",
        "`release.json`.",
        "",
    ]
    with TemporaryDirectory() as scratch:
        for kind in load_schemas().kinds():
            spec = root / "specs" / "sample" / load_schemas().starter(kind)
            folder = sorites.compile(spec, scratch)
            manifest = json.loads((folder / "release.json").read_text(encoding="utf-8"))
            lines += [f"## `{kind}`", "", *_configs(manifest)]
    return "\n".join(lines)


def _configs(manifest: dict) -> list[str]:  # type: ignore[type-arg]
    lines: list[str] = []
    shown: set[str] = set()
    for split in manifest["splits"]:
        if split["config"] in shown:
            continue
        shown.add(split["config"])
        lines += [f"### `{split['config']}`", "", cell(split["description"]), ""]
        lines += [
            table(
                ["column", "type", ""],
                [
                    (f"`{each['name']}`", f"`{each['type']}`", cell(each["description"]))
                    for each in split["columns"]
                ],
            ),
            "",
        ]
    return lines
