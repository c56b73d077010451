"""What was released, from the ledger."""

from __future__ import annotations

import json
from pathlib import Path

from generate.markdown import cell, table

__all__ = ["ledger_page"]


def ledger_page(ledger: Path) -> str:
    """A line for each release on record, newest version of a dataset first."""
    lines = ["# Releases", ""]
    rows = [_row(path) for path in sorted(ledger.glob("*/*/release.json"), reverse=True)]
    if rows:
        lines += [
            "Every release on record. `sorites rebuild releases` compiles each anew and compares",
            "every split with what the record says.",
            "",
            table(["dataset", "version", "licence", "rows", "what it holds"], rows),
        ]
    else:
        lines += ["Nothing is on record yet: `make release` writes the first entry."]
    return "\n".join(lines) + "\n"


def _row(path: Path) -> tuple[str, str, str, str, str]:
    manifest = json.loads(path.read_text(encoding="utf-8"))
    rows = sum(split["rows"] for split in manifest["splits"])
    return (
        f"`{manifest['name']}`",
        manifest["version"],
        f"`{manifest['license']}`",
        f"{rows:,}",
        cell(manifest["title"]),
    )
