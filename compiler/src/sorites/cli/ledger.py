"""The ledger, all releases of a checkout: ``release`` and ``rebuild``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sorites.cli.arguments import WORKERS, Address, EngineOf, Specs, Workers
from sorites.cli.exit_codes import ExitCode
from sorites.errors import SoritesError, UnpinnedSource

__all__ = ["rebuild", "release"]


def rebuild(
    ledger: Annotated[Path, typer.Argument(help="The folder of releases, NAME/VERSION in it.")],
    specs: Annotated[Path, typer.Option(help="Where the specs are.")] = Path("specs"),
    workers: Workers = WORKERS,
    engine: EngineOf = None,
    address: Address = None,
) -> None:
    """Compile every recorded release again and compare the content of every split.

    Entries whose sources are not at hand are skipped, with the reason. Exit code 3 if an entry
    comes out with other rows, 1 if the spec of one is refused.
    """
    from rich.console import Console

    from sorites.engines.choose import engine_of
    from sorites.ledger import rebuild_ledger
    from sorites.terminal import bars

    ended = ExitCode.DONE
    with (
        engine_of(engine, workers=workers, address=address) as by,
        bars(Console(stderr=True)) as progress,
    ):
        found = rebuild_ledger(ledger, sorted(specs.glob("*.yaml")), engine=by, progress=progress)
        for entry in found:
            for fault in entry.faults:
                typer.echo(fault, err=True)
            if entry.error:
                typer.echo(f"{entry.directory}: {entry.error}", err=True)
                ended = ExitCode.FAILED
            elif entry.faults:
                ended = ended or ExitCode.FAULTS
            elif entry.skipped:
                typer.echo(f"{entry.directory}: skipped: {entry.skipped}")
            else:
                typer.echo(f"{entry.directory}: rebuilt with the same content")
    raise typer.Exit(ended)


def release(
    specs: Specs,
    organization: Annotated[
        str, typer.Option(envvar="HUB_ORG", help="Where to publish: ORG/NAME for each spec.")
    ] = "",
    out: Annotated[Path, typer.Option(help="The ledger.")] = Path("releases"),
    workers: Workers = WORKERS,
    engine: EngineOf = None,
    address: Address = None,
) -> None:
    """Compile, verify and publish specs; without a token, show what would be published.

    A spec with a source that is not pinned yet is named and left out.
    """
    from huggingface_hub import get_token
    from rich.console import Console

    from sorites.engines.choose import engine_of
    from sorites.ledger import release_spec
    from sorites.terminal import bars

    failed = 0
    for spec in specs:
        try:
            with (
                engine_of(engine, workers=workers, address=address) as by,
                bars(Console(stderr=True)) as progress,
            ):
                told = release_spec(
                    spec,
                    out,
                    organization,
                    dry_run=not get_token(),
                    engine=by,
                    progress=progress,
                )
        except UnpinnedSource as error:
            # Nobody can release it yet: that is known, and no fault of this run.
            typer.echo(f"{spec}: left out: {error}")
        except SoritesError as error:
            # One spec that cannot be released is no reason to hold back the others.
            typer.echo(f"{spec}: {error}", err=True)
            failed += 1
        else:
            typer.echo("\n".join(told))
    if not organization:
        typer.echo("not published: set HUB_ORG to an organization and HF_TOKEN to a token")
    elif not get_token():
        typer.echo("not published: set HF_TOKEN to a token that may write to " + organization)
    raise typer.Exit(ExitCode.FAILED if failed else ExitCode.DONE)
