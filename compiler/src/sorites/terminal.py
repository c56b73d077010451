"""What the command line shows on a terminal while it works."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.progress import Progress as Bars
from rich.table import Table as Shown
from rich.text import Text

from sorites.families.description import Table
from sorites.printable import printable
from sorites.progress import Advance, Progress

__all__ = ["bars", "print_tables"]

_WIDTH = 80


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


def print_tables(tables: Iterable[Table]) -> None:
    """Print tables, each of a width that every terminal has; numbers stand to the right."""
    console = Console(width=_WIDTH, highlight=False)
    for table in tables:
        shown = Shown(title=Text(table.title), title_justify="left")
        for index, column in enumerate(table.columns):
            counts = all(isinstance(row[index], int) for row in table.rows)
            shown.add_column(Text(column), justify="right" if counts else "left", overflow="fold")
        for row in table.rows:
            shown.add_row(
                *(Text(f"{cell:,}" if isinstance(cell, int) else printable(cell)) for cell in row)
            )
        console.print(shown)
