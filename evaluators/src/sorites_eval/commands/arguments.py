"""Arguments and output that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

__all__ = [
    "LimitOption",
    "ReleaseArgument",
    "RunsArgument",
    "SeedOption",
    "progress",
    "watch",
    "written",
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


def progress(console: Console) -> Progress:
    """A bar that leaves nothing behind."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )


def watch(bar: Progress, job: TaskID) -> Callable[[int, int], None]:
    """What tells a bar how many are done, of how many."""
    return lambda done, total: bar.update(job, completed=done, total=total)


def written(place: Path) -> None:
    """Say where something was written."""
    Console(soft_wrap=True).print(f"Written to {place}", highlight=False, markup=False)
