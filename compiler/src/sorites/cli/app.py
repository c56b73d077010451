"""The command ``sorites``: check, compile, verify, compare and publish releases."""

from __future__ import annotations

import os
import sys
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer
from huggingface_hub import get_token
from rich.console import Console

from sorites.errors import InvalidSpec, SoritesError, UnreadableSpec
from sorites.families.sense_relations.source_languages import print_languages, source_languages
from sorites.ledger import rebuild_ledger, release_spec
from sorites.pipeline import check_spec, compile_spec, prove_again
from sorites.release.compare.diff import diff_releases
from sorites.release.hub.download import downloaded
from sorites.release.hub.publish import publish as publish_release
from sorites.signals import TERMINATED, stopping
from sorites.terminal import bars

__all__ = ["main"]

INVALID, UNREADABLE, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Compile declarative specs into benchmark releases in which every label is proved.",
    epilog="Try it: [bold]sorites compile specs/sample/syllobio-nli.yaml --out releases[/], then "
    "[bold]sorites verify releases/sample-syllobio-nli/1.0.0[/].",
)

Specs = Annotated[list[Path], typer.Argument(help="Specs to read.", metavar="SPEC…")]
WORKERS = min(os.cpu_count() or 1, 8)
Workers = Annotated[
    int, typer.Option(min=1, help="Processes; the result is the same for any number.")
]
Directory = Annotated[Path, typer.Argument(help="A release: a folder NAME/VERSION.")]


@app.command(epilog="Example: sorites check specs/*.yaml specs/sample/*.yaml")
def check(specs: Specs) -> None:
    """Check specs: form, references, formulas, and a proof of every scheme.

    Every problem is shown, each with file, line and column. Exit code 1 if a spec is not valid,
    2 if one cannot be read.
    """
    worst = 0
    for path in specs:
        try:
            spec = check_spec(path)
        except InvalidSpec as error:
            typer.echo(str(error), err=True)
            typer.echo(f"{path}: {_counted(len(error.problems), 'problem')}", err=True)
            worst = max(worst, INVALID)
        except UnreadableSpec as error:
            typer.echo(str(error), err=True)
            worst = UNREADABLE
        else:
            typer.echo(f"{path}: {spec.name} {spec.version} is valid")
    raise typer.Exit(worst)


@app.command(
    epilog="Example: SORITES_SOURCES=~/mirror sorites compile specs/syllobio-nli.yaml "
    "--out releases"
)
def compile(
    spec: Annotated[Path, typer.Argument(help="The spec.")],
    out: Annotated[Path, typer.Option(help="Where OUT/NAME/VERSION is written.")],
    workers: Workers = WORKERS,
) -> None:
    """Compile a spec into a release, whole or not at all.

    Sources are looked for by name in the folders of SORITES_SOURCES, then in the cache, then
    fetched; their checksums are in the spec.
    """
    with bars(Console(stderr=True)) as progress:
        written = compile_spec(spec, out, workers=workers, progress=progress)
    typer.echo(f"{written} is complete. What it says of itself: {written / 'README.md'}")


@app.command(epilog="Example: sorites verify releases/syllobio-nli/1.0.0")
def verify(directory: Directory) -> None:
    """Recompute every checksum of a release and prove every label again from its row."""
    release = prove_again(directory)
    rows = sum(split.rows for split in release.splits)
    typer.echo(
        f"{directory}: every checksum holds and every label was proved again ({rows:,} rows)"
    )


@app.command(epilog="Example: sorites diff ORG/syllobio-nli@v1.0.0 releases/syllobio-nli/1.1.0")
def diff(
    old: Annotated[str, typer.Argument(help="The earlier release: a folder or ORG/NAME@vX.")],
    new: Annotated[str, typer.Argument(help="The later release: a folder or ORG/NAME@vX.")],
) -> None:
    """Say what differs between two releases, and what step of version follows from it."""
    with _release_at(old) as before, _release_at(new) as after:
        found = diff_releases(before, after)
    for change in found.changes:
        typer.echo(change.text)
    typer.echo(f"version step: {found.weight.name.lower()}")


@app.command(
    epilog="Example: sorites publish releases/syllobio-nli/1.0.0 --repo ORG/NAME --dry-run"
)
def publish(
    directory: Directory,
    repo: Annotated[str, typer.Option(help="The dataset repository, ORG/NAME.")],
    private: Annotated[bool, typer.Option("--private", help="Make a new one private.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change; change nothing.")
    ] = False,
) -> None:
    """Publish a release on the Hugging Face Hub: one commit and the tag vVERSION.

    A version that is published never changes. After any fault, the same command completes what
    was begun. The token is taken from HF_TOKEN or from a login.
    """
    for line in publish_release(directory, repo, private=private, dry_run=dry_run).summary():
        typer.echo(line)


@app.command(epilog="Example: sorites languages cygnet.db --at-least 5 --synsets 3000")
def languages(
    source: Annotated[Path, typer.Argument(help="A WordNet: Cygnet's SQLite or WN-LMF.")],
    at_least: Annotated[int, typer.Option(min=1, help="Languages in a set, at least.")] = 2,
    synsets: Annotated[int, typer.Option(min=1, help="Synsets with glosses in all, at least.")] = 1,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
) -> None:
    """Which sets of languages have glosses for many of the same synsets, best first."""
    found = source_languages(source, at_least=at_least, synsets=synsets)
    print_languages(found, as_csv=csv)


@app.command(epilog="Example: sorites rebuild releases")
def rebuild(
    ledger: Annotated[Path, typer.Argument(help="The folder of releases, NAME/VERSION in it.")],
    specs: Annotated[Path, typer.Option(help="Where the specs are.")] = Path("specs"),
    workers: Workers = WORKERS,
) -> None:
    """Compile every recorded release again and compare the content of every split.

    Entries whose sources are not at hand are skipped, with the reason.
    """
    failed = 0
    with bars(Console(stderr=True)) as progress:
        found = rebuild_ledger(
            ledger, sorted(specs.glob("*.yaml")), workers=workers, progress=progress
        )
        for entry in found:
            for fault in entry.faults:
                typer.echo(fault, err=True)
            failed += bool(entry.faults)
            if entry.skipped:
                typer.echo(f"{entry.directory}: skipped: {entry.skipped}")
            elif not entry.faults:
                typer.echo(f"{entry.directory}: rebuilt with the same content")
    raise typer.Exit(INVALID if failed else 0)


@app.command(epilog="Example: HF_TOKEN=… sorites release specs/*.yaml --organization ORG")
def release(
    specs: Specs,
    organization: Annotated[
        str, typer.Option(envvar="HUB_ORG", help="Where to publish: ORG/NAME for each spec.")
    ] = "",
    out: Annotated[Path, typer.Option(help="The ledger.")] = Path("releases"),
    workers: Workers = WORKERS,
) -> None:
    """Compile, verify and publish specs; without a token, show what would be published."""
    failed = 0
    for spec in specs:
        try:
            with bars(Console(stderr=True)) as progress:
                told = release_spec(
                    spec,
                    out,
                    organization,
                    dry_run=not get_token(),
                    workers=workers,
                    progress=progress,
                )
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
    raise typer.Exit(INVALID if failed else 0)


def main() -> None:
    """Run the command; an error of ours is one message, never a traceback."""
    try:
        with stopping():
            app()
    except SoritesError as error:
        typer.echo(str(error), err=True)
        sys.exit(UNREADABLE if isinstance(error, UnreadableSpec) else INVALID)
    except SystemExit as stopped:
        # Typer has turned the interrupt into an exit code, without a word.
        if stopped.code == INTERRUPTED:
            typer.echo("interrupted: nothing was left half-written", err=True)
        if stopped.code == TERMINATED:
            typer.echo("terminated: nothing was left half-written", err=True)
        raise


def _release_at(place: str) -> AbstractContextManager[Path]:
    """A release on disk, or one of the Hub for as long as it is looked at."""
    if "@" in place and not Path(place).exists():
        return downloaded(place)
    return nullcontext(Path(place))


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


if __name__ == "__main__":
    main()
