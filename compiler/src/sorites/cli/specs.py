"""Specs: ``init`` and ``check``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sorites.cli.arguments import Specs
from sorites.cli.exit_codes import ExitCode
from sorites.errors import InvalidSpec, UnreadableSpec

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


def check(specs: Specs) -> None:
    """Check specs: form, references, formulas, and a proof of every scheme.

    Every problem is shown, each with file, line and column, and so are warnings. Exit code 1 if a
    spec is not valid, 2 if one cannot be read.
    """
    from sorites import api
    from sorites.pipeline import spec_warnings

    worst = ExitCode.DONE
    for path in specs:
        try:
            spec = api.check(path)
        except InvalidSpec as error:
            typer.echo(str(error), err=True)
            typer.echo(f"{path}: {_counted(len(error.problems), 'problem')}", err=True)
            worst = max(worst, ExitCode.FAILED)
        except UnreadableSpec as error:
            typer.echo(str(error), err=True)
            worst = ExitCode.UNREADABLE
        else:
            for warning in spec_warnings(spec):
                typer.echo(f"warning: {warning}", err=True)
            typer.echo(f"{path}: {spec.name} {spec.version} is valid")
    raise typer.Exit(worst)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
