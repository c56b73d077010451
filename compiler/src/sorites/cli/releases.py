"""Releases: ``compile``, ``verify``, ``diff`` and ``publish``."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from sorites.cli.arguments import WORKERS, Address, Directory, EngineOf, Workers
from sorites.cli.exit_codes import ExitCode
from sorites.errors import FaultyRelease
from sorites.printable import printable

__all__ = ["compile", "diff", "publish", "verify"]


def compile(
    spec: Annotated[Path, typer.Argument(help="The spec.")],
    out: Annotated[Path, typer.Option(help="Where OUT/NAME/VERSION is written.")],
    workers: Workers = WORKERS,
    engine: EngineOf = None,
    address: Address = None,
) -> None:
    """Compile a spec into a release, whole or not at all.

    Sources are looked for by name in the folders of SORITES_SOURCES, then in the cache, then
    fetched; their checksums are in the spec.
    """
    from rich.console import Console

    from sorites import api
    from sorites.terminal import bars

    with bars(Console(stderr=True)) as progress:
        written = api.compile(
            spec, out, workers=workers, engine=engine, address=address, progress=progress
        )
    typer.echo(f"{written} is complete. What it says of itself: {written / 'README.md'}")


class Also(StrEnum):
    """What proves labels besides their certificates."""

    Z3 = "z3"


def verify(
    directory: Directory,
    also: Annotated[
        Also | None, typer.Option("--with", help="Prove every label again besides, by this prover.")
    ] = None,
    workers: Workers = WORKERS,
    engine: EngineOf = None,
    address: Address = None,
) -> None:
    """Recompute every checksum of a release and check every label's certificate from its words.

    Exit code 3 if it is not what it says, 1 if there is no release to verify.
    """
    from sorites import api

    try:
        release = api.verify(
            directory,
            with_z3=also is Also.Z3,
            workers=workers,
            engine=engine,
            address=address,
        )
    except FaultyRelease as error:
        # A release of others: what it says may be anything.
        typer.echo(printable(str(error), allowed="\n\t"), err=True)
        raise typer.Exit(ExitCode.FAULTS) from error
    rows = sum(split.rows for split in release.splits if split.config != "certificates")
    proved = also is Also.Z3 or not release.certificates
    done = "was proved again" if proved else "is what its certificate shows"
    typer.echo(f"{directory}: every checksum holds and every label {done} ({rows:,} rows)")


def diff(
    old: Annotated[str, typer.Argument(help="The earlier release: a folder or ORG/NAME@vX.")],
    new: Annotated[str, typer.Argument(help="The later release: a folder or ORG/NAME@vX.")],
) -> None:
    """Say what differs between two releases, and what step of version follows from it."""
    from sorites import api

    found = api.diff(old, new)
    for change in found.changes:
        # A release of others: what it says may be anything.
        typer.echo(printable(change.text))
    typer.echo(f"version step: {found.weight.name.lower()}")


def publish(
    directory: Directory,
    repo: Annotated[str, typer.Option(help="The dataset repository, ORG/NAME.")],
    private: Annotated[bool, typer.Option("--private", help="Make a new one private.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; change nothing.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Undo what was changed by hand on the Hub.")
    ] = False,
) -> None:
    """Publish a release on the Hugging Face Hub: one commit and the tag vVERSION.

    A version that is published never changes. After any fault, the same command completes what
    was begun. The token is taken from HF_TOKEN or from a login.
    """
    from sorites import api

    done = api.publish(directory, repo, private=private, dry_run=dry_run, overwrite=overwrite)
    for line in done.summary():
        typer.echo(line)
