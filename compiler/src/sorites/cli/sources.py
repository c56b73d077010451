"""Sources before there is a spec: ``languages``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["languages"]


def languages(
    source: Annotated[Path, typer.Argument(help="A WordNet: Cygnet's SQLite or WN-LMF.")],
    at_least: Annotated[int, typer.Option(min=1, help="Languages in a set, at least.")] = 2,
    synsets: Annotated[int, typer.Option(min=1, help="Synsets with glosses in all, at least.")] = 1,
    csv: Annotated[bool, typer.Option("--csv", help="Print CSV instead of a table.")] = False,
) -> None:
    """Which sets of languages have glosses for many of the same synsets, best first."""
    from sorites.families.sense_relations.source_languages import print_languages, source_languages

    found = source_languages(source, at_least=at_least, synsets=synsets)
    print_languages(found, as_csv=csv)
