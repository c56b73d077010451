"""Specs: ``init`` and ``check``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sorites.cli.arguments import Specs
from sorites.cli.exit_codes import ExitCode
from sorites.errors import InvalidSpec, Problem, UnreadableSpec
from sorites.printable import printable

if TYPE_CHECKING:
    from sorites.specfile.model import Spec

__all__ = ["check", "init"]


def _kinds() -> list[str]:
    from sorites.specfile.starter import starter_kinds

    return [*starter_kinds()]


def init(
    kind: Annotated[
        str,
        typer.Argument(
            help="argument-schemes, audit, sense-relations or veridicality.", autocompletion=_kinds
        ),
    ],
    folder: Annotated[Path, typer.Argument(help="A new folder.", metavar="DIR")],
) -> None:
    """Write a small spec that works, with its sources, to make a dataset of your own from."""
    from shlex import quote

    from sorites import api

    spec = api.init(kind, folder)
    made = api.check(spec)
    typer.echo(f"{spec} is a spec that works; what it needs lies beside it. Next:")
    typer.echo(f"  sorites check {quote(str(spec))}")
    typer.echo(f"  sorites compile {quote(str(spec))} --out releases")
    typer.echo(f"  sorites verify releases/{made.name}/{made.version}")


def check(
    specs: Specs,
    sources: Annotated[
        bool,
        typer.Option(
            "--sources", help="Read the sources too, and say what a compile would make of them."
        ),
    ] = False,
) -> None:
    """Check specs: form, references, formulas, and a proof of every scheme.

    Every problem is shown, each with file, line and column, and so are warnings. With --sources
    the sources that are on this machine are described: what they hold, what policies leave out,
    and how much each scheme, relation or label has to choose from. Exit code 1 if a spec is not
    valid or could not be compiled, 2 if one cannot be read.
    """
    from sorites import api
    from sorites.pipeline import spec_warnings

    worst = ExitCode.DONE
    for path in specs:
        try:
            spec = api.check(path)
        except InvalidSpec as error:
            _complain(path, error.problems)
            worst = max(worst, ExitCode.FAILED)
        except UnreadableSpec as error:
            typer.echo(str(error), err=True)
            worst = ExitCode.UNREADABLE
        else:
            _warn(spec_warnings(spec))
            typer.echo(f"{path}: {spec.name} {spec.version} is valid")
            if sources and not _described(spec):
                worst = max(worst, ExitCode.FAILED)
    raise typer.Exit(worst)


def _described(spec: Spec) -> bool:
    """Whether a spec could be compiled, as its sources show; what they hold is printed."""
    from rich.console import Console

    from sorites import api
    from sorites.terminal import bars, print_tables

    with bars(Console(stderr=True)) as progress:
        found = api.check_sources(spec.path, progress=progress)
    print_tables(found.tables)
    memory = f", with {found.peak_memory / 1e6:,.0f} MB of memory" if found.peak_memory else ""
    typer.echo(f"read in {found.seconds:.1f} s{memory}")
    _warn(found.warnings)
    if found.problems:
        _complain(spec.path, found.problems)
    return not found.problems


def _warn(warnings: Iterable[Problem]) -> None:
    for warning in warnings:
        typer.echo(printable(f"warning: {warning}", allowed="\n\t"), err=True)


def _complain(path: Path, problems: Sequence[Problem]) -> None:
    for problem in problems:
        # It may quote what a stranger's file says.
        typer.echo(printable(str(problem), allowed="\n\t"), err=True)
    typer.echo(f"{path}: {_counted(len(problems), 'problem')}", err=True)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
