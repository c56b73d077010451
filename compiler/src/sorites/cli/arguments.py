"""Arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sorites.workers import default_workers

__all__ = ["WORKERS", "Directory", "Specs", "Workers"]

Specs = Annotated[list[Path], typer.Argument(help="Specs to read.", metavar="SPEC…")]
WORKERS = default_workers()
Workers = Annotated[
    int, typer.Option(min=1, help="Processes; the result is the same for any number.")
]
Directory = Annotated[Path, typer.Argument(help="A release: a folder NAME/VERSION.")]
