"""What the command line shows on a terminal while it works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.progress import Progress as Bars

from sorites.progress import Advance, Progress

__all__ = ["bars"]


class _Stages:
    """A progress whose stages are bars, one below the other."""

    def __init__(self, shown: Bars) -> None:
        self._shown = shown

    def stage(self, name: str, total: int) -> Advance:
        """Open a bar."""
        bar = self._shown.add_task(name, total=total)
        return lambda steps: self._shown.advance(bar, steps)


@contextmanager
def bars(console: Console) -> Iterator[Progress]:
    """Bars that stay on the screen when their stage is done; nothing if it is no terminal."""
    columns = (
        TextColumn("{task.description:<20}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=console, disable=not console.is_terminal) as shown:
        yield _Stages(shown)
