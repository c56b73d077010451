"""What several commands show on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

__all__ = ["progress", "watch", "written"]


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
