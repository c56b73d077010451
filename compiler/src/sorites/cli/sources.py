"""Sources: ``pin``, ``publish-sources`` and ``languages``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["languages", "pin", "publish_sources"]


def languages(
    sources: Annotated[
        list[Path], typer.Argument(help="A WordNet: Cygnet's SQLite, or one or more of WN-LMF.")
    ],
    at_least: Annotated[int, typer.Option(min=1, help="Languages in a set, at least.")] = 2,
    synsets: Annotated[int, typer.Option(min=1, help="Synsets with glosses in all, at least.")] = 1,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
) -> None:
    """Which sets of languages have glosses for many of the same synsets, best first."""
    from sorites.families.sense_relations.source_languages import print_languages, source_languages

    found = source_languages(sources, at_least=at_least, synsets=synsets)
    print_languages(found, as_csv=csv)


def pin(
    spec: Annotated[Path, typer.Argument(help="The spec.")],
    source: Annotated[
        list[str] | None, typer.Option(help="A source; may be repeated. Default: every source.")
    ] = None,
) -> None:
    """Fetch the sources of a spec, hash them, and write their checksums into it.

    Comments stay. For a source that was pinned, what changed is shown. Look at what was fetched
    before you trust it: from then on the checksum stands for exactly this file.
    """
    from rich.console import Console

    from sorites import api
    from sorites.terminal import bars

    with bars(Console(stderr=True)) as progress:
        found = api.pin(spec, only=source or (), progress=progress)
    for each in found:
        typer.echo(str(each))
        typer.echo(f"    {each.content}")


def publish_sources(
    spec: Annotated[Path, typer.Argument(help="The spec.")],
    repo: Annotated[str, typer.Option(help="The dataset repository of the mirror, ORG/NAME.")],
) -> None:
    """Put the sources of a spec into a mirror on the Hugging Face Hub, under their checksums.

    Sources whose licences do not allow it stay out, with the reason. Whoever sets SORITES_MIRROR
    to ORG/NAME can compile the spec when the publishers' addresses are gone. The token is taken
    from HF_TOKEN or from a login.
    """
    from rich.console import Console

    from sorites.pipeline import check_spec, obtain_sources
    from sorites.release.hub.mirror import publish_sources as publish
    from sorites.terminal import bars

    checked = check_spec(spec)
    with bars(Console(stderr=True)) as progress:
        files = obtain_sources(checked, progress)
    done = publish([(pin, files[name]) for name, pin in checked.sources.items()], repo)
    for name in done.uploaded:
        typer.echo(f"{name}: published in {repo}")
    for name in done.there:
        typer.echo(f"{name}: was in {repo} already")
    for name, reason in done.refused.items():
        typer.echo(f"{name}: not published: {reason}")
