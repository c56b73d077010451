"""Arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sorites.engines.choose import EngineName, default_workers

__all__ = ["WORKERS", "Address", "Directory", "EngineOf", "Specs", "Workers"]

Specs = Annotated[list[Path], typer.Argument(help="Specs to read.", metavar="SPEC…")]
WORKERS = default_workers()
Workers = Annotated[
    int,
    typer.Option(min=1, help="How many work at one time; the result is the same for any number."),
]
EngineOf = Annotated[
    EngineName | None,
    typer.Option(
        "--engine",
        help="Who works: this process alone (serial), processes of this machine, or actors of a "
        "Ray cluster (ray; pip install 'sorites[ray]'). The result is the same. Without it: "
        "processes, if there are to be several workers.",
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        help="The Ray cluster to work on, such as 10.0.0.1:6379, or auto for the one of this "
        "machine. Without it, --engine ray starts one here for as long as the work lasts."
    ),
]
Directory = Annotated[Path, typer.Argument(help="A release: a folder NAME/VERSION.")]
