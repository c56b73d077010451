"""Arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "ByOption",
    "LimitOption",
    "MovedOption",
    "ReleaseArgument",
    "RunsArgument",
    "SeedOption",
    "WhereOption",
]

ReleaseArgument = Annotated[
    str,
    typer.Argument(help="Folder of a release, or ORG/NAME@vVERSION on the Hub.", metavar="RELEASE"),
]
RunsArgument = Annotated[
    list[Path], typer.Argument(help="Folders of runs, or folders above them.", metavar="RUN...")
]
LimitOption = Annotated[
    int | None,
    typer.Option(min=1, help="At most this many items: a seeded, stratified sample, pairs kept."),
]
SeedOption = Annotated[int, typer.Option(help="Seed of the sample and of random answers.")]
WhereOption = Annotated[
    list[str] | None,
    typer.Option(help="Only items with these values: COLUMN=VALUE,… May be repeated."),
]
ByOption = Annotated[
    list[str] | None,
    typer.Option(help="Break scores down by these columns: COLUMN,… May be repeated."),
]
MovedOption = Annotated[
    str | None,
    typer.Option(
        "--release", help="Where the release is now, for columns that the runs did not keep."
    ),
]
