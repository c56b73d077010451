"""The command ``sorites``: check, compile, verify, compare and publish releases.

What a command needs is imported when it runs, so that ``--help`` and completion come at once.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Annotated, TextIO

import typer

from sorites.cli.audits import audit
from sorites.cli.exit_codes import MEANINGS, ExitCode
from sorites.cli.ledger import rebuild, release
from sorites.cli.releases import compile, diff, publish, verify
from sorites.cli.sources import languages, pin, publish_sources
from sorites.cli.specs import check, init
from sorites.errors import SoritesError, SourceWarning, UnreadableSpec
from sorites.printable import printable
from sorites.signals import stopping

__all__ = ["app", "main"]

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Compile declarative specs into benchmark releases in which every label is proved.",
    epilog="Try it: [bold]sorites init argument-schemes my-dataset[/], then "
    "[bold]sorites compile my-dataset/*.yaml --out releases[/].\n\n"
    "Exit codes: "
    + "; ".join(f"[bold]{code:d}[/] {meaning}" for code, meaning in MEANINGS.items())
    + ".",
)

_EXAMPLES: dict[Callable[..., None], str] = {
    init: "sorites init argument-schemes my-dataset",
    check: "sorites check --sources specs/*.yaml",
    pin: "sorites pin specs/gloss-relations.yaml",
    compile: "SORITES_SOURCES=~/mirror sorites compile specs/syllobio-nli.yaml --out releases",
    audit: "sorites audit data.jsonl --premises premises-FOL --conclusion conclusion-FOL "
    "--label label --notation folio",
    verify: "sorites verify releases/syllobio-nli/1.0.0",
    diff: "sorites diff ORG/syllobio-nli@v1.0.0 releases/syllobio-nli/1.1.0",
    publish: "sorites publish releases/syllobio-nli/1.0.0 --repo ORG/NAME --dry-run",
    publish_sources: "sorites publish-sources specs/syllobio-nli.yaml --repo ORG/sources",
    languages: "sorites languages omw-el.tar.xz omw-ja.tar.xz --synsets 3000",
    rebuild: "sorites rebuild releases",
    release: "HF_TOKEN=… sorites release specs/*.yaml --organization ORG",
}

for _command, _example in _EXAMPLES.items():
    app.command(epilog=f"Example: {_example}")(_command)


def _show_version(asked: bool) -> None:
    if asked:
        from sorites import __version__

        typer.echo(f"sorites {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Options that come before a command."""


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Ours as a sentence; another's with the place in its code, as Python has it."""
    text = warnings.formatwarning(message, category, filename, lineno, line).rstrip()
    if issubclass(category, SourceWarning):
        text = f"warning: {message}"
    typer.echo(printable(text, allowed="\n\t"), file=file, err=file is None)


def _code_of(error: SoritesError) -> ExitCode:
    return ExitCode.UNREADABLE if isinstance(error, UnreadableSpec) else ExitCode.FAILED


def main() -> None:
    """Run the command; an error of ours is one message, never a traceback."""
    warnings.showwarning = _show_warning
    try:
        with stopping():
            app(prog_name="sorites")
    except SoritesError as error:
        # A message may quote what a stranger's file says.
        typer.echo(printable(str(error), allowed="\n\t"), err=True)
        sys.exit(_code_of(error))
    except SystemExit as stopped:
        # Typer has turned the interrupt into an exit code, without a word.
        if stopped.code == ExitCode.INTERRUPTED:
            typer.echo("interrupted: nothing was left half-written", err=True)
        if stopped.code == ExitCode.TERMINATED:
            typer.echo("terminated: nothing was left half-written", err=True)
        raise


if __name__ == "__main__":
    main()
